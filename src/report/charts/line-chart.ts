/** One line per series, with a band of one standard deviation to either side. */

import { type ChartOptions, draw, type LegendEntry, shorten, textWidth, WIDTH } from "./draw.js";
import { categoryColor } from "./palette.js";

export interface LinePoint {
  readonly x: number;
  readonly y: number;
  /** Standard deviation of `y`. */
  readonly deviation?: number;
}

export interface LineSeries {
  readonly name: string;
  readonly points: readonly LinePoint[];
  /** Drawn dashed, without dots: a bound or a reference. */
  readonly dashed?: boolean;
}

export interface LineChartOptions extends ChartOptions {
  /** Logarithmic x axis, for widths such as 8, 16, 32, …. Default false. */
  readonly logX?: boolean;
  /** Ends of the y axis; default: the range of the data. */
  readonly yDomain?: readonly [number, number];
  /** Ticks of the x axis; default: the x values of the data, if there are at most twelve. */
  readonly xTicks?: readonly number[];
}

/** With more distinct x values than this, the ticks are chosen by Plot. */
const MAX_TICKS = 12;
const HEIGHT = 300;

/** Draws series of points joined by lines. */
export function lineChart(series: readonly LineSeries[], options: LineChartOptions = {}): Promise<string> {
  const { width = WIDTH, height = HEIGHT, xLabel = "", yLabel = "", logX = false } = options;
  const all = series.flatMap(({ points }) => points);
  const distinct = [...new Set(all.map(({ x }) => x))].sort((a, b) => a - b);
  const ticks = options.xTicks ?? (distinct.length <= MAX_TICKS ? distinct : undefined);
  const [low, high] = options.yDomain ?? extent(all);
  const legend = series.map(({ name, dashed }, i): LegendEntry => {
    return { label: name, color: categoryColor(i), mark: dashed === true ? "dashes" : "line" };
  });
  return draw({
    title: options.title ?? `${yLabel} by ${xLabel}`,
    description: options.description ?? describe(series),
    width,
    legend: series.length > 1 ? legend : [],
    panels: [
      {
        width,
        height,
        options: (plot) => ({
          marginLeft: 52,
          marginBottom: 44,
          marginTop: 26,
          x: { axis: null, ...(logX ? { type: "log" } : {}) },
          y: { label: shorten(yLabel, 60), grid: true, domain: [low, high], nice: options.yDomain === undefined },
          marks: [
            plot.axisX({
              label: shorten(xLabel, 60),
              labelAnchor: "center",
              labelArrow: "none",
              // explicit text, because the default format of logarithmic axes omits some numbers
              ...(ticks === undefined ? {} : { ticks: spaced(ticks, width, logX), text: (x: number) => String(x) }),
            }),
            ...series.flatMap(({ points, dashed }, i) => {
              const color = categoryColor(i);
              const band = points.filter(({ deviation }) => deviation !== undefined && deviation > 0);
              return [
                ...(band.length > 1
                  ? [
                      plot.areaY(band, {
                        x: "x",
                        y1: ({ y, deviation = 0 }: LinePoint) => Math.max(low, y - deviation),
                        y2: ({ y, deviation = 0 }: LinePoint) => Math.min(high, y + deviation),
                        fill: color,
                        fillOpacity: 0.15,
                      }),
                    ]
                  : []),
                plot.lineY(points, {
                  x: "x",
                  y: "y",
                  stroke: color,
                  strokeWidth: dashed === true ? 1.75 : 2.25,
                  strokeDasharray: dashed === true ? "5 4" : undefined,
                }),
                ...(dashed === true
                  ? []
                  : [plot.dot(points, { x: "x", y: "y", fill: color, r: 3.2, title: pointTitle(series[i].name) })]),
              ];
            }),
          ],
        }),
      },
    ],
  });
}

function pointTitle(name: string): (point: LinePoint) => string {
  return ({ x, y, deviation }) => {
    return `${shorten(name, 60)}: ${x}, ${plain(y)}${deviation === undefined ? "" : ` ± ${plain(deviation)}`}`;
  };
}

function plain(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/** Range of the values and their deviations; a single value gets a range of width one. */
function extent(points: readonly LinePoint[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const { y, deviation = 0 } of points) {
    low = Math.min(low, y - deviation);
    high = Math.max(high, y + deviation);
  }
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}

/** Ticks whose labels do not overlap. */
function spaced(ticks: readonly number[], width: number, log: boolean): number[] {
  const place = (value: number) => (log ? Math.log(value) : value);
  const range = place(ticks[ticks.length - 1]) - place(ticks[0]);
  const kept: number[] = [];
  for (const tick of ticks) {
    const last = kept.at(-1);
    const distance = last === undefined ? Infinity : ((place(tick) - place(last)) / range) * (width - 80);
    if (range === 0 ? kept.length === 0 : distance >= textWidth(String(tick)) + 6) kept.push(tick);
  }
  return kept;
}

function describe(series: readonly LineSeries[]): string {
  return series
    .filter(({ points }) => points.length > 0)
    .map(({ name, points }) => {
      const [first, last] = [points[0], points[points.length - 1]];
      return `${name}: ${plain(first.y)} at ${first.x} to ${plain(last.y)} at ${last.x}.`;
    })
    .join(" ");
}
