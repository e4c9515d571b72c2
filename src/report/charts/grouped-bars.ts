/** Bars in groups, such as models within metrics, with a line of one standard deviation to either side. */

import { largestOf } from "../../numeric/extremes.js";
import { type ChartOptions, draw, shorten, WIDTH } from "./draw.js";
import { categoryColor } from "./palette.js";

export interface BarRow {
  readonly group: string;
  readonly series: string;
  readonly value: number;
  readonly deviation?: number;
}

export interface GroupedBarsOptions extends ChartOptions {
  /** Value at which the bars begin; default 0. State any other value in the caption, because readers compare lengths. */
  readonly baseline?: number;
  /** End of the y axis; default: the largest value. */
  readonly maximum?: number;
}

const HEIGHT = 300;
/** Smallest width of a bar in SVG units; more bars make the picture wider. */
const MIN_BAR = 9;

/** Groups and series are in the order of their first rows. */
export function groupedBars(rows: readonly BarRow[], options: GroupedBarsOptions = {}): Promise<string> {
  const { height = HEIGHT, yLabel = "", xLabel = "", baseline = 0, maximum } = options;
  const groups = [...new Set(rows.map(({ group }) => group))];
  const series = [...new Set(rows.map(({ series }) => series))];
  const width = options.width ?? Math.max(WIDTH, groups.length * (series.length + 1) * MIN_BAR + 60);
  const color = (name: string) => categoryColor(series.indexOf(name));
  const spread = rows.filter(({ deviation }) => deviation !== undefined && deviation > 0);
  const letters = Math.max(6, Math.floor((width - 60) / Math.max(1, groups.length) / 7));
  return draw({
    title: options.title ?? yLabel,
    description: options.description ?? describe(rows),
    width,
    legend: series.map((name) => ({ label: name, color: color(name), mark: "square" })),
    panels: [
      {
        width,
        height,
        options: (plot) => ({
          marginLeft: 52,
          marginBottom: xLabel === "" ? 30 : 48,
          marginTop: 26,
          fx: {
            label: xLabel === "" ? null : shorten(xLabel, 60),
            labelAnchor: "center",
            labelArrow: "none",
            domain: groups,
            tickFormat: (name: string) => shorten(name, letters),
            axis: "bottom",
            padding: 0.12,
          },
          x: { axis: null, domain: series, padding: 0.06 },
          y: {
            label: shorten(yLabel, 60),
            grid: true,
            nice: maximum === undefined,
            domain: [baseline, maximum ?? largestOf(rows.map(({ value, deviation = 0 }) => value + deviation))],
          },
          marks: [
            plot.barY(rows, {
              fx: "group",
              x: "series",
              y1: baseline,
              y2: ({ value }: BarRow) => Math.max(baseline, value),
              fill: ({ series: name }: BarRow) => color(name),
              title: (row: BarRow) => `${shorten(row.series, 60)}, ${shorten(row.group, 60)}: ${valueText(row)}`,
            }),
            plot.ruleX(spread, {
              fx: "group",
              x: "series",
              y1: ({ value, deviation = 0 }: BarRow) => Math.max(baseline, value - deviation),
              y2: ({ value, deviation = 0 }: BarRow) => Math.max(baseline, value + deviation),
              stroke: "currentColor",
              strokeWidth: 1.5,
            }),
            plot.ruleY([baseline]),
          ],
        }),
      },
    ],
  });
}

function valueText({ value, deviation }: BarRow): string {
  const text = String(Number(value.toPrecision(4)));
  return deviation === undefined ? text : `${text} ± ${Number(deviation.toPrecision(2))}`;
}

function describe(rows: readonly BarRow[]): string {
  return `${rows.map((row) => `${row.group}, ${row.series}: ${valueText(row)}`).join("; ")}.`;
}
