/** All charts. Each is a function from data to the text of an SVG. */

export { type AccuracyCurveOptions, accuracyCurve } from "./accuracy-curve.js";
export { degreeHistogram } from "./degree-histogram.js";
export type { ChartOptions } from "./draw.js";
export { type BarRow, type GroupedBarsOptions, groupedBars } from "./grouped-bars.js";
export { type HeatmapData, type HeatmapOptions, heatmap } from "./heatmap.js";
export { type LineChartOptions, type LinePoint, type LineSeries, lineChart } from "./line-chart.js";
export { lossChart } from "./loss-chart.js";
export { type PointMapOptions, pointMap } from "./point-map.js";
export { type RelationWeightsData, relationWeightsChart } from "./relation-weights-chart.js";
export { type ScatterOptions, type ScatterPoint, scatter } from "./scatter.js";
export { type ScatterGroup, type SmallMultiplesOptions, smallMultiples } from "./small-multiples.js";
