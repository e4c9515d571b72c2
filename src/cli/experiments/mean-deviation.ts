/** Mean and sample deviation over seeds. */

import type { Measure } from "../../report/table.js";

export interface MeanDeviation {
  readonly mean: number;
  /** With n − 1; null of one value. */
  readonly deviation: number | null;
  readonly values: readonly number[];
}

export function meanDeviation(values: readonly number[]): MeanDeviation {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (values.length < 2) return { mean, deviation: null, values };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / (values.length - 1)), values };
}

/** As a cell of a table, in per cent with one digit: `83.1 ± 0.4`. */
export function percent({ mean, deviation }: Pick<MeanDeviation, "mean" | "deviation">): Measure {
  return { value: 100 * mean, digits: 1, ...(deviation === null ? {} : { deviation: 100 * deviation }) };
}
