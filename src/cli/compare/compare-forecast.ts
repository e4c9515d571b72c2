/** Before a comparison begins: whether every model fits, and how long all of them may take. */

import type { ModelVariant } from "../../experiments/cells/train-cell.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import { formatSeconds } from "../../report/format.js";
import { estimateRun } from "../../train/estimate/estimate.js";
import { resolveTraining } from "../../train/train.js";
import { countRead, estimateProcessBytes, requireMemory } from "../run/memory-estimate.js";
import { estimateRunTime } from "../run/time-estimate.js";

/** Shorter comparisons need no word. */
const LONG_SECONDS = 300;
/** Models named, the slowest first. */
const MAX_NAMED = 3;

export interface ForecastRequest {
  /** Each model is trained so many times. */
  readonly trainings: number;
  readonly threads: number;
  /** Whether to try also what seems not to fit into memory. */
  readonly force: boolean;
}

/** Fails where a model cannot be trained on this graph. Says how long all may take where that is long. */
export async function forecast(
  graph: LoadedGraph,
  variants: readonly ModelVariant[],
  { trainings, threads, force }: ForecastRequest,
): Promise<string | undefined> {
  const times: { readonly label: string; readonly seconds: number }[] = [];
  for (const { label, model, settings } of variants) {
    const dim = Number(resolveTraining(model, settings).options["dim"] ?? 0);
    const estimate = await estimateRun(graph, model, settings);
    if (!force) {
      requireMemory(estimateProcessBytes(estimate, countRead(graph, dim)), {
        advice: `That is ${label}: lower its width with --set or --dim, or add --force to try it.`,
      });
    }
    const shape = { threads, numNodes: graph.numNodes, dim };
    times.push({ label, seconds: trainings * estimateRunTime(estimate, shape).most });
  }
  const all = times.reduce((sum, { seconds }) => sum + seconds, 0);
  if (all < LONG_SECONDS) return undefined;
  const slowest = [...times].sort((a, b) => b.seconds - a.seconds).slice(0, MAX_NAMED);
  const named = slowest.map(({ label, seconds }) => `${label} ${formatSeconds(seconds)}`).join(", ");
  return `training may take up to ${formatSeconds(all)}${times.length > 1 ? ` (${named})` : ""}; models that converge stop sooner, and what an earlier command left in --out is not trained again. Ctrl-C keeps what is done.`;
}
