/** What a run will need, from its traced program alone; nothing is computed. */

import type { OptionSchema } from "../../core/options.js";
import type { Stage } from "../../core/work.js";
import { createWasmEngine } from "../../engine/wasm/wasm-engine.js";
import type { Model } from "../../nn/model.js";
import { largestOf } from "../../numeric/extremes.js";
import { graphOf, resolveTraining, type TrainOptions } from "../train-settings.js";
import { type TrainableGraph, visibleTo } from "../trainable.js";
import { traceTraining } from "../training-program.js";
import { type EpochCost, epochCost } from "./epoch-cost.js";
import { preparationStages } from "./preparation.js";

export interface RunEstimate extends EpochCost {
  /** Memory of the engine: parameters, moments, matrices, working space; of the largest part where that is more. */
  readonly engineBytes: number;
  /** Arrays of the graph on the host's side. */
  readonly graphBytes: number;
  /** What the model makes of it there. */
  readonly hostBytes: number;
  readonly numParameters: number;
  /** Most epochs of the run; early stopping may end it sooner. */
  readonly epochs: number;
  /** Fewest epochs of the run: early stopping may end it when the loss has had no new minimum for `patience` epochs. */
  readonly fewestEpochs: number;
  /** Share of the work of an epoch that an epoch may take where preparation finds less to learn, from 0 to 1. */
  readonly leastEpochShare: number;
  /** What comes before the first epoch, in its order; the trainings of the parts are among it. */
  readonly preparation: readonly Stage[];
  /** Of the trainings that come before. */
  readonly parts: readonly RunEstimate[];
}

export async function estimateRun<S extends OptionSchema, P, G>(
  given: TrainableGraph,
  model: Model<S, P, G>,
  settings: TrainOptions<S>,
): Promise<RunEstimate> {
  const graph = visibleTo(model, given);
  const { training, options } = resolveTraining(model, settings);
  model.check?.(graph, options);
  const traced = traceTraining(model, graph, options, {
    weightDecay: training.weightDecay,
    withRelations: settings.withRelations,
  });
  const engine = await createWasmEngine({ threads: 1 });
  const parts: RunEstimate[] = [];
  for (const part of model.parts?.(graph, options) ?? []) {
    const found = await estimateRun(graphOf(part, graph), part.model, part.settings);
    parts.push({ ...found, epochs: Math.min(found.epochs, training.epochs) });
  }
  return {
    engineBytes: largestOf(
      parts.map(({ engineBytes }) => engineBytes),
      await engine.estimate(traced.program),
    ),
    graphBytes: graphBytes(graph),
    hostBytes: model.hostBytes?.(graph) ?? 0,
    numParameters: traced.parameters.reduce((sum, { tensor }) => sum + tensor.rows * tensor.cols, 0),
    ...epochCost(traced.program, traced.steps),
    epochs: training.epochs,
    fewestEpochs: Math.min(training.epochs, training.patience + 1),
    leastEpochShare: model.leastEpochShare?.(graph, options) ?? 1,
    preparation: preparationStages(graph, model, options, training),
    parts,
  };
}

/** Widths whose halves are tried when a run is too large, in the order in which they cost the least. */
const WIDTHS = ["tableWidth", "dim"];
/** Below this, vectors are of little use. */
const MIN_WIDTH = 8;

/** Settings with smaller widths whose memory is at most `limit` bytes, if halving them can do it. */
export async function fittingSettings<S extends OptionSchema, P, G>(
  graph: TrainableGraph,
  model: Model<S, P, G>,
  settings: TrainOptions<S>,
  limit: number,
): Promise<{ readonly widths: Readonly<Record<string, number>>; readonly engineBytes: number } | undefined> {
  const given: Record<string, unknown> = resolveTraining(model, settings).options;
  const widths: Record<string, number> = {};
  for (const name of WIDTHS.filter((known) => typeof given[known] === "number")) {
    for (let width = Number(given[name]) >> 1; width >= MIN_WIDTH; width >>= 1) {
      widths[name] = width;
      const { engineBytes } = await estimateRun(graph, model, { ...settings, ...widths });
      if (engineBytes <= limit) return { widths, engineBytes };
    }
  }
  return undefined;
}

function graphBytes({ ids, relations, features }: TrainableGraph): number {
  let bytes = 0;
  // a string of the heap: header, length, hash, one byte a character
  for (const id of ids) bytes += 24 + id.length;
  for (const matrix of features === undefined ? relations : [...relations, features]) {
    bytes += matrix.rowStart.byteLength + matrix.columns.byteLength + (matrix.values?.byteLength ?? 0);
  }
  return bytes;
}

/** Multiply-adds and bytes a second at most. */
export interface MachineLimits {
  readonly multiplyAdds: number;
  readonly bytes: number;
}

/** Seconds of an epoch if its products and streams, one after the other, ran at the machine's limits. */
export function floorSeconds(work: EpochCost, { multiplyAdds, bytes }: MachineLimits): number {
  return (
    Math.max(work.sparseMultiplyAdds / multiplyAdds, work.sparseBytes / bytes) +
    Math.max(work.denseMultiplyAdds / multiplyAdds, work.denseBytes / bytes) +
    work.gatheredMultiplyAdds / multiplyAdds +
    work.streamedBytes / bytes
  );
}
