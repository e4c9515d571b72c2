/** Mean and deviation as tables show them. */

import type { Measure } from "../../report/table.js";
import type { MeanDeviation } from "../../tasks/metrics/mean-deviation.js";

/** As a cell of a table, in per cent with one digit: `83.1 ± 0.4`. */
export function percent({ mean, deviation }: Pick<MeanDeviation, "mean" | "deviation">): Measure {
  return { value: 100 * mean, digits: 1, ...(deviation === null ? {} : { deviation: 100 * deviation }) };
}
