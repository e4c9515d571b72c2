/** Several scatter plots side by side, with one set of colours. */

import { draw, WIDTH } from "./draw.js";
import { colorPoints, type ScatterOptions, type ScatterPoint, scatterPanel } from "./scatter.js";

export interface ScatterGroup {
  readonly heading: string;
  readonly points: readonly ScatterPoint[];
}

export interface SmallMultiplesOptions extends ScatterOptions {
  /** Plots in a row; default 2, or 1 for a single plot. */
  readonly columns?: number;
}

/** Draws each group of points with its heading; `width` is the width of the whole picture. */
export function smallMultiples(groups: readonly ScatterGroup[], options: SmallMultiplesOptions = {}): Promise<string> {
  const { width = WIDTH, columns = Math.min(2, groups.length) } = options;
  const panelWidth = Math.floor(width / Math.max(1, columns));
  const panelHeight = options.height ?? panelWidth;
  const coloring = colorPoints(
    groups.flatMap(({ points }) => points),
    options.colorLabel,
  );
  return draw({
    title: options.title ?? "Projections",
    description: options.description ?? `${groups.map(({ heading }) => heading).join("; ")}.`,
    width,
    legend: coloring.legend,
    panels: groups.map(({ heading, points }) =>
      scatterPanel(points, coloring, { ...options, heading, width: panelWidth, height: panelHeight }),
    ),
  });
}
