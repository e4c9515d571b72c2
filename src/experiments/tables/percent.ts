/** Scores as cells of a table, in per cent with one digit. */

import type { Measure, TableCell } from "../../report/table.js";
import type { MeanDeviation } from "../../tasks/metrics/mean-deviation.js";

/** `83.1 ± 0.4`. */
export function percent({ mean, deviation }: Pick<MeanDeviation, "mean" | "deviation">): Measure {
  return { value: 100 * mean, digits: 1, ...(deviation === null ? {} : { deviation: 100 * deviation }) };
}

/** A published score; an empty cell if none was published. */
export function publishedPercent(score: number | undefined): TableCell {
  return score === undefined ? null : percent({ mean: score, deviation: null });
}
