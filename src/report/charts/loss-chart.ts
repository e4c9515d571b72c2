/** The loss of every epoch, with the one marked whose parameters were kept: the best, or of some models the last. */

import { type ChartOptions, draw, WIDTH } from "./draw.js";
import { categoryColor } from "./palette.js";

const HEIGHT = 240;
/** More epochs than this are drawn by the extremes of short stretches. */
const MAX_POINTS = 600;
/** A largest loss this many times the smallest one is drawn on a logarithmic axis. */
const LOG_RATIO = 50;
const MAX_POWERS = 6;

/** `losses` of epochs 1, 2, …; `bestEpoch` counts from 1. */
export function lossChart(losses: readonly number[], bestEpoch?: number, options: ChartOptions = {}): Promise<string> {
  const { width = WIDTH, height = HEIGHT, xLabel = "epoch", yLabel = "loss" } = options;
  const points = thin(losses);
  const best = bestEpoch === undefined || losses[bestEpoch - 1] === undefined ? [] : [bestEpoch];
  let [low, high] = [Infinity, -Infinity];
  for (const loss of losses) [low, high] = [Math.min(low, loss), Math.max(high, loss)];
  const log = low > 0 && high > LOG_RATIO * low;
  return draw({
    title: options.title ?? "Loss by epoch",
    description: options.description ?? describe(losses, bestEpoch),
    width,
    panels: [
      {
        width,
        height,
        options: (plot) => ({
          marginLeft: 52,
          marginBottom: 44,
          marginTop: 26,
          marginRight: 24,
          x: { label: xLabel, labelAnchor: "center", labelArrow: "none", domain: [1, Math.max(2, losses.length)] },
          y: {
            label: yLabel,
            grid: true,
            ...(log ? { type: "log", ticks: powers(low, high), tickFormat: "~g" } : { nice: true }),
          },
          marks: [
            plot.ruleX(best, { stroke: "currentColor", strokeOpacity: 0.35, strokeDasharray: "3 3" }),
            plot.lineY(points, { x: "epoch", y: "loss", stroke: categoryColor(0), strokeWidth: 2 }),
            plot.dot(best, { x: (epoch) => epoch, y: (epoch) => losses[epoch - 1], fill: categoryColor(1), r: 4 }),
            plot.text(best, {
              x: (epoch) => epoch,
              frameAnchor: "top",
              dy: 2,
              dx: best[0] > losses.length / 2 ? -6 : 6,
              textAnchor: best[0] > losses.length / 2 ? "end" : "start",
              lineAnchor: "top",
              text: (epoch) => `${losses[epoch - 1] > low ? "kept" : "best"}: ${epoch}`,
            }),
          ],
        }),
      },
    ],
  });
}

/** Powers of ten between the ends, every second or third where there are many. */
function powers(low: number, high: number): number[] {
  const first = Math.ceil(Math.log10(low));
  const count = Math.floor(Math.log10(high)) - first + 1;
  const step = Math.max(1, Math.ceil(count / MAX_POWERS));
  return Array.from({ length: Math.ceil(count / step) }, (_, i) => 10 ** (first + i * step));
}

/** Every loss, or the smallest and the largest of each stretch in their order. */
function thin(losses: readonly number[]): { epoch: number; loss: number }[] {
  const points = losses.map((loss, i) => ({ epoch: i + 1, loss }));
  if (points.length <= MAX_POINTS) return points;
  const stretches = MAX_POINTS / 2;
  return Array.from({ length: stretches }, (_, s) => {
    const part = points.slice(
      Math.floor((s * points.length) / stretches),
      Math.floor(((s + 1) * points.length) / stretches),
    );
    const least = part.reduce((a, b) => (b.loss < a.loss ? b : a));
    const most = part.reduce((a, b) => (b.loss > a.loss ? b : a));
    return [...new Set([least, most])].sort((a, b) => a.epoch - b.epoch);
  }).flat();
}

function describe(losses: readonly number[], bestEpoch: number | undefined): string {
  if (losses.length === 0) return "No epochs.";
  const ends = `${losses[0].toPrecision(4)} at epoch 1 to ${losses[losses.length - 1].toPrecision(4)} at epoch ${losses.length}`;
  if (bestEpoch === undefined) return `From ${ends}.`;
  const isSmallest = losses.every((loss) => !(loss < losses[bestEpoch - 1]));
  return `From ${ends}; ${isSmallest ? "smallest at" : "kept are the parameters of"} epoch ${bestEpoch}.`;
}
