/** Loss by epoch, with a mark at the epoch whose parameters were kept: the best one, or the last one for some models. */

import { type ChartOptions, draw, WIDTH } from "./draw.js";
import { categoryColor } from "./palette.js";

const HEIGHT = 240;
/** With more epochs than this, only the smallest and the largest loss of each interval are drawn. */
const MAX_POINTS = 600;
/** The axis is logarithmic if the largest loss is more than this many times the smallest. Not tuned. */
const LOG_RATIO = 50;
/** Maximum number of ticks on a logarithmic axis. */
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

/** Powers of ten between the ends; only every second or third if there are many. */
function powers(low: number, high: number): number[] {
  const first = Math.ceil(Math.log10(low));
  const count = Math.floor(Math.log10(high)) - first + 1;
  const step = Math.max(1, Math.ceil(count / MAX_POWERS));
  return Array.from({ length: Math.ceil(count / step) }, (_, i) => 10 ** (first + i * step));
}

/** Every loss, or the smallest and the largest of each interval, in order of epoch. */
function thin(losses: readonly number[]): { epoch: number; loss: number }[] {
  const points = losses.map((loss, i) => ({ epoch: i + 1, loss }));
  if (points.length <= MAX_POINTS) return points;
  const intervals = MAX_POINTS / 2;
  return Array.from({ length: intervals }, (_, s) => {
    const part = points.slice(
      Math.floor((s * points.length) / intervals),
      Math.floor(((s + 1) * points.length) / intervals),
    );
    const smallest = part.reduce((a, b) => (b.loss < a.loss ? b : a));
    const largest = part.reduce((a, b) => (b.loss > a.loss ? b : a));
    return [...new Set([smallest, largest])].sort((a, b) => a.epoch - b.epoch);
  }).flat();
}

function describe(losses: readonly number[], bestEpoch: number | undefined): string {
  if (losses.length === 0) return "No epochs.";
  const ends = `${losses[0].toPrecision(4)} at epoch 1 to ${losses[losses.length - 1].toPrecision(4)} at epoch ${losses.length}`;
  if (bestEpoch === undefined) return `From ${ends}.`;
  const isSmallest = losses.every((loss) => !(loss < losses[bestEpoch - 1]));
  return `From ${ends}; ${isSmallest ? "smallest at" : "parameters kept from"} epoch ${bestEpoch}.`;
}
