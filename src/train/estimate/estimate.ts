/** Estimates memory and work of a run from its traced program; nothing is trained. */

import type { OptionSchema } from "../../core/options.js";
import type { Stage } from "../../core/work.js";
import { engineOf } from "../../engine/create-engine.js";
import type { Model } from "../../nn/model.js";
import { largestOf } from "../../numeric/extremes.js";
import { graphOfPart, resolveTraining, type TrainOptions } from "../train-settings.js";
import { hideUnusedLabels, type TrainableGraph } from "../trainable.js";
import { traceTraining } from "../training-program.js";
import { type EpochCost, epochCost } from "./epoch-cost.js";
import { preparationStages } from "./preparation.js";

export interface RunEstimate extends EpochCost {
  /**
   * Memory of the engine for parameters, moments, matrices and working space. If a part (a training that the model needs first)
   * needs more memory, its value is used.
   */
  readonly engineBytes: number;
  /** Largest number of bytes that a program of this engine may have. */
  readonly engineLimit: number;
  /** The device that holds the memory of the engine; undefined if it belongs to the process. */
  readonly device?: string;
  /** Memory of the graph's JavaScript arrays. */
  readonly graphBytes: number;
  /** Memory of the JavaScript arrays that the model computes before training. */
  readonly hostBytes: number;
  readonly numParameters: number;
  /** Maximum number of epochs; early stopping may end the run sooner. */
  readonly epochs: number;
  /** Minimum number of epochs: `patience` + 1 if early stopping ends the run as soon as it can, at most `epochs`. */
  readonly minEpochs: number;
  /** The preparation may find that less must be learnt. An epoch then needs at least this share (0 to 1) of the estimated work. */
  readonly minEpochShare: number;
  /** Stages before the first epoch, in their order. The trainings of the parts are included. */
  readonly preparation: readonly Stage[];
  /** Estimates of the trainings of the parts. */
  readonly parts: readonly RunEstimate[];
}

export async function estimateRun<S extends OptionSchema, P, G>(
  input: TrainableGraph,
  model: Model<S, P, G>,
  settings: TrainOptions<S>,
): Promise<RunEstimate> {
  const graph = hideUnusedLabels(model, input);
  const { training, options } = resolveTraining(model, settings);
  model.check?.(graph, options);
  const traced = traceTraining(model, graph, options, {
    weightDecay: training.weightDecay,
    withRelations: settings.withRelations,
  });
  const engine = await engineOf({ threads: 1, ...settings }, "estimate");
  const parts: RunEstimate[] = [];
  for (const part of model.parts?.(graph, options) ?? []) {
    const found = await estimateRun(graphOfPart(part, graph), part.model, { ...part.settings, engine });
    parts.push({ ...found, epochs: Math.min(found.epochs, training.epochs) });
  }
  return {
    engineBytes: largestOf(
      parts.map(({ engineBytes }) => engineBytes),
      await engine.estimate(traced.program),
    ),
    engineLimit: engine.memoryLimit,
    device: engine.device,
    graphBytes: graphBytes(graph),
    hostBytes: model.hostBytes?.(graph) ?? 0,
    numParameters: traced.parameters.reduce((sum, { tensor }) => sum + tensor.rows * tensor.cols, 0),
    ...epochCost(traced.program, traced.steps),
    epochs: training.epochs,
    minEpochs: Math.min(training.epochs, training.patience + 1),
    minEpochShare: model.minEpochShare?.(graph, options) ?? 1,
    preparation: preparationStages(graph, model, options, training),
    parts,
  };
}

/** Options that are halved if a run needs too much memory. The first option affects the quality least. */
const WIDTH_OPTIONS = ["tableWidth", "dim"];
/** Smallest width that is tried, because narrower vectors are hardly useful. Not tuned. */
const MIN_WIDTH = 8;

/** Halves the widths until the engine needs at most `limit` bytes; returns undefined if MIN_WIDTH still needs more. */
export async function findFittingWidths<S extends OptionSchema, P, G>(
  graph: TrainableGraph,
  model: Model<S, P, G>,
  settings: TrainOptions<S>,
  limit: number,
): Promise<{ readonly widths: Readonly<Record<string, number>>; readonly engineBytes: number } | undefined> {
  const options: Record<string, unknown> = resolveTraining(model, settings).options;
  const widths: Record<string, number> = {};
  for (const name of WIDTH_OPTIONS.filter((option) => typeof options[option] === "number")) {
    for (let width = Number(options[name]) >> 1; width >= MIN_WIDTH; width >>= 1) {
      widths[name] = width;
      const { engineBytes } = await estimateRun(graph, model, { ...settings, ...widths });
      if (engineBytes <= limit) return { widths, engineBytes };
    }
  }
  return undefined;
}

function graphBytes({ ids, relations, features }: TrainableGraph): number {
  let bytes = 0;
  // a string on the heap: 24 bytes of header, length and hash, then one byte per character
  for (const id of ids) bytes += 24 + id.length;
  for (const matrix of features === undefined ? relations : [...relations, features]) {
    bytes += matrix.rowStart.byteLength + matrix.columns.byteLength + (matrix.values?.byteLength ?? 0);
  }
  return bytes;
}

/** Maximum speed of a machine: multiply-adds per second, and bytes read or written per second. */
export interface MachineLimits {
  readonly multiplyAdds: number;
  readonly bytes: number;
}

/** Minimum seconds of an epoch: every op runs at the maximum speed of the machine, and ops do not overlap. */
export function epochSecondsAtLimits(work: EpochCost, { multiplyAdds, bytes }: MachineLimits): number {
  return (
    Math.max(work.sparseMultiplyAdds / multiplyAdds, work.sparseBytes / bytes) +
    Math.max(work.denseMultiplyAdds / multiplyAdds, work.denseBytes / bytes) +
    work.gatheredMultiplyAdds / multiplyAdds +
    work.streamedBytes / bytes
  );
}
