/** Mean and standard deviation of scores; with several embeddings, the deviations over repeats and over embeddings. */

import { mean } from "../../numeric/rows.js";

/** Mean and standard deviation. */
export interface MeanDeviation {
  readonly mean: number;
  /** Sample standard deviation (divisor n − 1); null for one value. */
  readonly deviation: number | null;
  readonly values: readonly number[];
}

export function meanDeviation(values: readonly number[]): MeanDeviation {
  const middle = mean(values);
  if (values.length < 2) return { mean: middle, deviation: null, values };
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  return { mean: middle, deviation: Math.sqrt(squares / (values.length - 1)), values };
}

/** A score that was measured on several embeddings (training seeds), each with several repeats (splits or starts). */
export interface RepeatedScore {
  /** Over all values. */
  readonly mean: number;
  /** Sample standard deviation over the repeats of one embedding, averaged over the embeddings; null with one repeat. */
  readonly overRepeats: number | null;
  /** Sample standard deviation of the means of the embeddings; null with one embedding. */
  readonly overEmbeddings: number | null;
  /** One row per embedding, one number per repeat. */
  readonly values: readonly (readonly number[])[];
}

/** Mean and deviations of `values[embedding][repeat]`. */
export function summarizeRepeats(values: readonly (readonly number[])[]): RepeatedScore {
  const rows = values.map(meanDeviation);
  const within = rows.flatMap(({ deviation }) => deviation ?? []);
  return {
    mean: mean(values.flat()),
    overRepeats: within.length === 0 ? null : mean(within),
    overEmbeddings: meanDeviation(rows.map((row) => row.mean)).deviation,
    values,
  };
}
