/** Trains a model for a cell and returns its vectors and the facts that tables show. */

import type { Embedding, TrainedDecoder } from "../../core/embedding.js";
import { formatOption } from "../../core/options.js";
import type { OptionValue, RunRecord } from "../../core/record.js";
import type { Model, RelationWeights } from "../../nn/model.js";
import { diagnose } from "../../tasks/diagnostics/diagnostics.js";
import { readDecoder } from "../../train/decoder.js";
import type { EpochReport, StopReason } from "../../train/run.js";
import { resolveTraining, startRun } from "../../train/train.js";
import type { TrainableGraph } from "../../train/trainable.js";
import { type CellProgress, type CellRunner, Interrupted, TooSlow } from "./cell-runner.js";
import type { CellKey } from "./cell-store.js";

/** A model with its settings, and its name in tables. */
export interface ModelVariant {
  readonly label: string;
  readonly model: Model;
  /** Settings of `startRun` as text; the schemas read and check them. */
  readonly settings: Readonly<Record<string, string>>;
  /** The file of a model that the user wrote. */
  readonly modelFile?: RunRecord["modelFile"];
}

export interface TrainingFacts {
  readonly epochs: number;
  readonly bestEpoch: number;
  readonly bestLoss: number;
  readonly stopReason: StopReason;
  /** Preparation and epochs. */
  readonly seconds: number;
  /** Largest memory of the engine. */
  readonly engineBytes: number;
  /** Largest resident size of the process after an epoch, including memory that earlier cells left behind. */
  readonly peakBytes: number;
  readonly effectiveRank: number;
  readonly deadUnits: number;
  readonly meanCosineToMean: number;
  readonly weights: readonly RelationWeights[];
}

export interface TrainedCell {
  readonly embedding: Embedding;
  /** If the model has one and `withRelations` was set. */
  readonly decoder?: TrainedDecoder;
  readonly facts: TrainingFacts;
  /** Vectors after each layer, if `withLayers` was set. */
  readonly layers: readonly { readonly name: string; readonly embedding: Embedding }[];
}

/** Everything in a variant that determines its vectors. Options are resolved, so a changed default changes the key. */
export function variantKey({ model, settings, modelFile }: ModelVariant, seed: number): CellKey {
  const { training, options } = resolveTraining(model, { ...settings, seed });
  return { model: model.name, modelFile: modelFile?.sha256, training, options: optionTexts(options), seed };
}

function optionTexts(options: Readonly<Record<string, OptionValue>>): Record<string, string> {
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [name, formatOption(value)]));
}

/** Epochs between two measurements of the resident size; one takes about 10 µs, an epoch of a small graph 200 µs. */
const MEMORY_INTERVAL = 10;

/** Longest delay of a timer: 25 days. */
const MAX_TIMER_MILLISECONDS = 2 ** 31 - 1;

/** Trains a model. Throws Interrupted after Ctrl-C, and TooSlow if the training takes longer than the limit. */
export async function trainCell(
  graph: TrainableGraph,
  variant: ModelVariant,
  seed: number,
  runner: Pick<CellRunner, "engine">,
  progress: CellProgress,
  outputs: { readonly withLayers?: boolean; readonly withRelations?: boolean } = {},
): Promise<TrainedCell> {
  const { limitSeconds, signal } = progress;
  if (limitSeconds === undefined) return trainUntil(signal, graph, variant, seed, runner, progress, outputs);
  const controller = new AbortController();
  const stop = () => controller.abort();
  let isLate = false;
  const timer = setTimeout(
    () => {
      isLate = true;
      stop();
    },
    Math.min(1000 * limitSeconds, MAX_TIMER_MILLISECONDS),
  );
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  try {
    return await trainUntil(controller.signal, graph, variant, seed, runner, progress, outputs);
  } catch (error) {
    throw error instanceof Interrupted && isLate && !signal.aborted ? new TooSlow(limitSeconds) : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

/** Trains to the end; throws Interrupted if `signal` is aborted before. */
async function trainUntil(
  signal: AbortSignal,
  graph: TrainableGraph,
  { model, settings }: ModelVariant,
  seed: number,
  { engine }: Pick<CellRunner, "engine">,
  { epoch }: CellProgress,
  { withLayers = false, withRelations = false },
): Promise<TrainedCell> {
  const { training } = resolveTraining(model, { ...settings, seed });
  const run = await startRun(graph, model, {
    ...settings,
    seed,
    engine,
    signal,
    withLayers,
    withRelations,
    onPart: (part: string, report: EpochReport, maxEpochs: number) => epoch(report, maxEpochs, part),
  }).catch((error: unknown) => {
    throw signal.aborted ? new Interrupted() : error;
  });
  try {
    let peakBytes = 0;
    const measureMemory = () => {
      peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
    };
    for await (const report of run) {
      epoch(report, training.epochs);
      if (report.epoch % MEMORY_INTERVAL === 1) measureMemory();
    }
    if (run.stopReason === "aborted" || run.stopReason === undefined) throw new Interrupted();
    const embedding = await run.readEmbedding();
    measureMemory();
    return {
      embedding,
      decoder: await readDecoder(run, model, graph),
      facts: {
        epochs: run.numEpochs,
        bestEpoch: run.bestEpoch,
        bestLoss: run.bestLoss,
        stopReason: run.stopReason,
        seconds: run.preparationSeconds + run.seconds,
        engineBytes: run.memoryBytes,
        peakBytes,
        ...diagnose(embedding),
        weights: await run.relationWeights(),
      },
      layers: await run.layers(),
    };
  } finally {
    await run.dispose();
  }
}
