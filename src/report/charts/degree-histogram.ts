/** How many nodes have how many neighbours, on axes of equal factors. */

import { type ChartOptions, draw, textWidth, WIDTH } from "./draw.js";
import { categoryColor } from "./palette.js";

const HEIGHT = 220;

interface Bin {
  /** Degrees from `low` up to, but not including, `high`. */
  readonly low: number;
  readonly high: number;
  readonly nodes: number;
}

/** Degrees fall into 1, 2–3, 4–7, …, from the smallest one there is; nodes without an edge have a bar of their own. */
export function degreeHistogram(degrees: ArrayLike<number>, options: ChartOptions = {}): Promise<string> {
  const { width = WIDTH, height = HEIGHT, xLabel = "degree", yLabel = "nodes" } = options;
  const bins = countDegrees(degrees);
  const slanted = Math.max(0, ...bins.map((bin) => textWidth(nameOf(bin)))) > (width - 80) / bins.length;
  return draw({
    title: options.title ?? "Degrees",
    description: options.description ?? `${bins.map((bin) => `${nameOf(bin)}: ${bin.nodes}`).join("; ")}.`,
    width,
    panels: [
      {
        width,
        height,
        options: (plot) => ({
          marginLeft: 56,
          marginBottom: slanted ? 74 : 44,
          marginTop: 26,
          x: {
            label: xLabel,
            labelAnchor: "center",
            labelArrow: "none",
            domain: bins.map(nameOf),
            padding: 0.08,
            tickRotate: slanted ? -40 : 0,
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
