/** Trains a model for a cell and keeps the facts that a table tells of it. */

import type { Embedding, TrainedDecoder } from "../../core/embedding.js";
import { formatOption } from "../../core/options.js";
import type { OptionValue, RunRecord } from "../../core/record.js";
import type { Model, RelationWeights } from "../../nn/model.js";
import { diagnose } from "../../tasks/diagnostics/diagnostics.js";
import { readDecoder } from "../../train/decoder.js";
import type { EpochReport, StopReason } from "../../train/run.js";
import { resolveTraining, startRun } from "../../train/train.js";
import type { TrainableGraph } from "../../train/trainable.js";
import { type CellProgress, type CellRunner, Interrupted } from "./cell-runner.js";
import type { CellKey } from "./cell-store.js";

/** A model with its settings, under the name it has in tables. */
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
  /** Spent in epochs. */
  readonly seconds: number;
  /** Held by the engine for the whole training. */
  readonly engineBytes: number;
  /** Largest resident size of the process seen after an epoch; what earlier cells left behind counts too. */
  readonly peakBytes: number;
  readonly effectiveRank: number;
  readonly deadUnits: number;
  readonly meanCosineToMean: number;
  readonly weights: readonly RelationWeights[];
}

export interface TrainedCell {
  readonly embedding: Embedding;
  /** Of models that have one, where it was asked for. */
  readonly decoder?: TrainedDecoder;
  readonly facts: TrainingFacts;
  /** Vectors after each layer, where they were asked for. */
  readonly layers: readonly { readonly name: string; readonly embedding: Embedding }[];
}

/** Everything of a variant that determines its vectors: options are resolved, so defaults that change change the key. */
export function variantKey({ model, settings, modelFile }: ModelVariant, seed: number): CellKey {
  const { training, options } = resolveTraining(model, { ...settings, seed });
  return { model: model.name, modelFile: modelFile?.sha256, training, options: optionTexts(options), seed };
}

function optionTexts(options: Readonly<Record<string, OptionValue>>): Record<string, string> {
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [name, formatOption(value)]));
}

/** How often the resident size is looked at: each look takes some 10 µs, an epoch of a small graph 200. */
const SAMPLE_EVERY = 10;

export async function trainCell(
  graph: TrainableGraph,
  { model, settings }: ModelVariant,
  seed: number,
  { engine }: Pick<CellRunner, "engine">,
  { signal, epoch }: CellProgress,
  { withLayers = false, withRelations = false } = {},
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
    const sample = () => {
      peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
    };
    for await (const report of run) {
      epoch(report, training.epochs);
      if (report.epoch % SAMPLE_EVERY === 1) sample();
    }
    if (run.stopReason === "aborted" || run.stopReason === undefined) throw new Interrupted();
    const { embedding } = run;
    sample();
    return {
      embedding,
      decoder: readDecoder(run, model, graph),
      facts: {
        epochs: run.numEpochs,
        bestEpoch: run.bestEpoch,
        bestLoss: run.bestLoss,
        stopReason: run.stopReason,
        seconds: run.secondsAhead + run.seconds,
        engineBytes: run.memoryBytes,
        peakBytes,
        ...diagnose(embedding),
        weights: run.relationWeights(),
      },
      layers: run.layers(),
    };
  } finally {
    await run.dispose();
  }
}
