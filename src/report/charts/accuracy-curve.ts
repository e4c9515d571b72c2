/** Accuracy by number of relations, with upper bounds as dashed lines. */

import type { ChartOptions } from "./draw.js";
import { type LineSeries, lineChart } from "./line-chart.js";

export interface AccuracyCurveOptions extends ChartOptions {
  /** Bounds and references, dashed. */
  readonly bounds?: readonly LineSeries[];
  /** Ends of the y axis; default: the range of the data. */
  readonly yDomain?: readonly [number, number];
}

/** Draws one curve per model; x is the number of relations. */
export function accuracyCurve(series: readonly LineSeries[], options: AccuracyCurveOptions = {}): Promise<string> {
  const { bounds = [], xLabel = "relations", yLabel = "accuracy", ...rest } = options;
  return lineChart([...series, ...bounds.map((bound) => ({ ...bound, dashed: true }))], { xLabel, yLabel, ...rest });
}
