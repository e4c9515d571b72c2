/** Checks before a comparison: whether every model fits into memory, and how long all trainings may take. */

import type { Engine } from "../../engine/engine.js";
import type { ModelVariant } from "../../experiments/cells/train-cell.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import { formatSeconds } from "../../report/format.js";
import { estimateRun } from "../../train/estimate/estimate.js";
import { resolveTraining } from "../../train/train.js";
import { dataSizes, estimateProcessBytes, requireMemory } from "../run/memory-estimate.js";
import { estimateRunTime } from "../run/time-estimate.js";

/** Seconds from which on the expected time is shown; not tuned. */
const LONG_SECONDS = 300;
/** Number of models that the note names, the slowest first. */
const MAX_NAMED = 3;

export interface ForecastRequest {
  /** Trainings of each model. */
  readonly trainings: number;
  readonly engine: Engine;
  /** Whether to skip the check of the memory. */
  readonly force: boolean;
}

/** Throws if a model does not fit into memory. Returns a sentence about the expected time if it is known and long. */
export async function forecast(
  graph: LoadedGraph,
  variants: readonly ModelVariant[],
  { trainings, engine, force }: ForecastRequest,
): Promise<string | undefined> {
  const times: { readonly label: string; readonly seconds: number }[] = [];
  for (const { label, model, settings } of variants) {
    const dim = Number(resolveTraining(model, settings).options["dim"] ?? 0);
    const estimate = await estimateRun(graph, model, { ...settings, engine });
    if (!force) {
      requireMemory(estimateProcessBytes(estimate, dataSizes(graph, dim)), {
        advice: `That is ${label}: lower its width with --set or --dim, or add --force to try it.`,
      });
    }
    const time = estimateRunTime(estimate, { threads: engine.numThreads, numNodes: graph.numNodes, dim });
    times.push({ label, seconds: trainings * (time?.most ?? 0) });
  }
  const all = times.reduce((sum, { seconds }) => sum + seconds, 0);
  if (all < LONG_SECONDS) return undefined;
  const slowest = [...times].sort((a, b) => b.seconds - a.seconds).slice(0, MAX_NAMED);
  const named = slowest.map(({ label, seconds }) => `${label} ${formatSeconds(seconds)}`).join(", ");
  return `training may take up to ${formatSeconds(all)}${times.length > 1 ? ` (${named})` : ""}; models that converge stop sooner, and results of an earlier command in --out are reused. Ctrl-C keeps finished results.`;
}
