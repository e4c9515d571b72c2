import type { BarRow } from "../../report/charts/index.js";
import type { MeanDeviation } from "../../tasks/metrics/mean-deviation.js";

/** A bar of a chart of scores, with its deviation if there is one. */
export function scoreBar(group: string, series: string, { mean, deviation }: MeanDeviation): BarRow {
  return { group, series, value: mean, ...(deviation === null ? {} : { deviation }) };
}
