/** Points in the plane, coloured by a category or by an amount: a projection of vectors. */

import { plural } from "../format.js";
import { type ChartOptions, draw, type LegendEntry, type Panel, shorten, WIDTH } from "./draw.js";
import { categoryColor, NO_LABEL_COLOR, NUM_CATEGORIES, NUM_SCALE_COLORS, OTHER_COLOR, scaleColor } from "./palette.js";

export interface ScatterPoint {
  readonly x: number;
  readonly y: number;
  /** A category, or an amount; points without one are grey. */
  readonly label?: string | number;
  /** Shown when the pointer is over the point. */
  readonly title?: string;
}

export interface ScatterOptions extends ChartOptions {
  /** What the colours mean, such as "class" or "log₁₀ degree". */
  readonly colorLabel?: string;
  /** Radius of a point; default: smaller for more points. */
  readonly radius?: number;
}

/** Colours of points and their legend; shared by the panels of small multiples. */
export interface Coloring {
  color(label: string | number | undefined): string;
  readonly legend: readonly LegendEntry[];
  /** Colours in the order of drawing. */
  readonly order: readonly string[];
}

/** First step of the amounts that is used; earlier steps are too pale for a dot. */
const FIRST_STEP = 3;

/** A picture of points without ticks, because the coordinates of a projection have no meaning. */
export function scatter(points: readonly ScatterPoint[], options: ScatterOptions = {}): Promise<string> {
  const { width = WIDTH, height = width * 0.85 } = options;
  const coloring = colorPoints(points, options.colorLabel);
  return draw({
    title: options.title ?? "Projection of the vectors",
    description: options.description ?? describe(points, options.colorLabel),
    width,
    legend: coloring.legend,
    panels: [scatterPanel(points, coloring, { ...options, width, height })],
  });
}

/** One plot of points. */
export function scatterPanel(
  points: readonly ScatterPoint[],
  { color, order }: Coloring,
  options: ScatterOptions & { readonly width: number; readonly height: number; readonly heading?: string },
): Panel {
  const { width, height, heading, xLabel, yLabel } = options;
  const r = options.radius ?? Math.min(4, Math.max(1.3, Math.sqrt((width * height) / (points.length + 1)) / 6));
  const byColor = new Map(order.map((name): [string, ScatterPoint[]] => [name, []]));
  for (const point of points) byColor.get(color(point.label))?.push(point);
  return {
    width,
    height,
    heading,
    options: (plot) => ({
      margin: 8,
      marginBottom: xLabel === undefined ? 8 : 26,
      marginLeft: yLabel === undefined ? 8 : 26,
      inset: 6,
      x: { axis: null },
      y: { axis: null },
      marks: [
        plot.frame({ strokeOpacity: 0.2, rx: 4 }),
        ...(xLabel === undefined
          ? []
          : [plot.axisX({ ticks: [], label: xLabel, labelAnchor: "center", labelArrow: "none" })]),
        ...(yLabel === undefined
          ? []
          : [plot.axisY({ ticks: [], label: yLabel, labelAnchor: "center", labelArrow: "none" })]),
        ...[...byColor].map(([fill, part]) =>
          plot.dot(part, {
            x: "x",
            y: "y",
            r,
            fill,
            fillOpacity: 0.8,
            title: ({ title }: ScatterPoint) => (title === undefined ? undefined : shorten(title, 80)),
          }),
        ),
      ],
    }),
  };
}

/** Chooses colours by the labels: amounts if all are numbers, otherwise categories, the most frequent first. */
export function colorPoints(points: readonly ScatterPoint[], colorLabel?: string): Coloring {
  const labels = points.map(({ label }) => label);
  const present = labels.filter((label) => label !== undefined);
  if (present.length === 0) {
    return { color: () => categoryColor(0), legend: [], order: [categoryColor(0)] };
  }
  if (present.every((label) => typeof label === "number")) return colorAmounts(present, colorLabel);
  const counts = new Map<string, number>();
  for (const label of present) counts.set(String(label), (counts.get(String(label)) ?? 0) + 1);
  const names = [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || (a < b ? -1 : 1));
  const coloredNames = names.slice(0, NUM_CATEGORIES);
  const places = new Map(coloredNames.map((name, i) => [name, i]));
  const rest = names.length - coloredNames.length;
  const greys: LegendEntry[] = [];
  if (rest > 0) greys.push({ label: plural(rest, "more label"), color: OTHER_COLOR, mark: "dot" });
  if (present.length < labels.length) greys.push({ label: "no label", color: NO_LABEL_COLOR, mark: "dot" });
  return {
    color: (label) => {
      if (label === undefined) return NO_LABEL_COLOR;
      const place = places.get(String(label));
      return place === undefined ? OTHER_COLOR : categoryColor(place);
    },
    legend: [
      ...coloredNames.map((name, i): LegendEntry => ({ label: name, color: categoryColor(i), mark: "dot" })),
      ...greys,
    ],
    order: [NO_LABEL_COLOR, OTHER_COLOR, ...coloredNames.map((_, i) => categoryColor(i))],
  };
}

function colorAmounts(values: readonly number[], colorLabel = ""): Coloring {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const steps = NUM_SCALE_COLORS - FIRST_STEP;
  const share = (value: number) => (high === low ? 0.5 : (value - low) / (high - low));
  const order = Array.from({ length: steps }, (_, i) => scaleColor((i + 0.5) / steps, FIRST_STEP));
  const limits = [low, high].map((value) => String(Number(value.toPrecision(3))));
  return {
    color: (label) => (typeof label === "number" ? scaleColor(share(label), FIRST_STEP) : NO_LABEL_COLOR),
    legend: [
      { label: `${colorLabel} ${limits[0]}`.trim(), color: order[0], mark: "dot" },
      ...(high > low ? [{ label: limits[1], color: order[steps - 1], mark: "dot" } as const] : []),
    ],
    order: [NO_LABEL_COLOR, ...order],
  };
}

function describe(points: readonly ScatterPoint[], colorLabel: string | undefined): string {
  return `${points.length} points in the plane${colorLabel === undefined ? "" : `, coloured by ${colorLabel}`}.`;
}
