/** Histogram of node degrees, in bins that double in width. */

import { largestOf } from "../../numeric/extremes.js";
import { formatCount } from "../format.js";
import { type ChartOptions, draw, textWidth, WIDTH } from "./draw.js";
import { categoryColor } from "./palette.js";

const HEIGHT = 220;
/** Margins for short labels, in SVG units. */
const MARGIN_LEFT = 56;
const MARGIN_BELOW = 44;
const MARGIN_SLANTED = 74;
/** Space for ticks and gaps next to labels, and for the name of an axis, in SVG units. */
const TICK = 12;
const LABEL = 20;
/** Angle of long labels below the axis. */
const SLANT = (40 * Math.PI) / 180;

interface Bin {
  /** Degrees from `low` up to, but not including, `high`. */
  readonly low: number;
  readonly high: number;
  readonly nodes: number;
}

/** Bins are 1, 2–3, 4–7, …, starting at the smallest degree; nodes without an edge have a separate bar. */
export function degreeHistogram(degrees: ArrayLike<number>, options: ChartOptions = {}): Promise<string> {
  const { width = WIDTH, height = HEIGHT, xLabel = "degree", yLabel = "nodes" } = options;
  const bins = countDegrees(degrees);
  const widest = largestOf(
    bins.map((bin) => textWidth(nameOf(bin))),
    0,
  );
  const slanted = widest > (width - 80) / bins.length;
  // The axis of nodes may end at the next power of ten; its labels have commas.
  const largest = largestOf(
    bins.map(({ nodes }) => nodes),
    1,
  );
  const marginLeft = Math.max(
    MARGIN_LEFT,
    Math.ceil(textWidth(formatCount(10 ** Math.ceil(Math.log10(largest))))) + TICK,
  );
  const below = Math.ceil(widest * Math.sin(SLANT)) + TICK + LABEL;
  const marginBottom = slanted ? Math.max(MARGIN_SLANTED, below) : MARGIN_BELOW;
  return draw({
    title: options.title ?? "Degrees",
    description: options.description ?? `${bins.map((bin) => `${nameOf(bin)}: ${bin.nodes}`).join("; ")}.`,
    width,
    panels: [
      {
        width,
        height: height + marginBottom - (slanted ? MARGIN_SLANTED : MARGIN_BELOW),
        options: (plot) => ({
          marginLeft,
          marginBottom,
          marginTop: 26,
          x: {
            label: xLabel,
            labelAnchor: "center",
            labelArrow: "none",
            domain: bins.map(nameOf),
            padding: 0.08,
            tickRotate: slanted ? (-180 * SLANT) / Math.PI : 0,
          },
          y: { label: yLabel, grid: true, nice: true },
          marks: [
            plot.barY(bins, {
              x: nameOf,
              y: "nodes",
              fill: categoryColor(0),
              title: (bin: Bin) => `degree ${nameOf(bin)}: ${bin.nodes} nodes`,
            }),
            plot.ruleY([0]),
          ],
        }),
      },
    ],
  });
}

function countDegrees(degrees: ArrayLike<number>): Bin[] {
  const counts: number[] = [];
  for (let i = 0; i < degrees.length; i++) {
    const bin = degrees[i] < 1 ? 0 : 1 + Math.floor(Math.log2(degrees[i]));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const first = Math.max(
    0,
    counts.findIndex((count) => count !== undefined),
  );
  return Array.from({ length: Math.max(0, counts.length - first) }, (_, i) => {
    const bin = i + first;
    return bin === 0
      ? { low: 0, high: 1, nodes: counts[0] }
      : { low: 2 ** (bin - 1), high: 2 ** bin, nodes: counts[bin] ?? 0 };
  });
}

function nameOf({ low, high }: Bin): string {
  return high - low <= 1 ? String(low) : `${low}–${high - 1}`;
}
