/** Trains a model for an evaluation, without writing files. */

import type { Embedding, TrainedDecoder } from "../../core/embedding.js";
import type { Engine } from "../../engine/engine.js";
import type { Multiplex } from "../../graph/multiplex.js";
import { readDecoder } from "../../train/decoder.js";
import { estimateRun } from "../../train/estimate/estimate.js";
import type { StopReason } from "../../train/run.js";
import { resolveTraining, startRun } from "../../train/train.js";
import type { ModelRequest } from "../options/model-options.js";
import { interruptRun } from "../terminal/interrupt.js";
import type { Output } from "../terminal/output.js";
import { showPreparation } from "../terminal/preparation-progress.js";
import { showProgress } from "../terminal/progress.js";
import { estimateProcessBytes, requireMemory } from "./memory-estimate.js";

export interface TrainedVectors {
  readonly embedding: Embedding;
  /** Of models that score pairs of a relation in their own way. */
  readonly decoder?: TrainedDecoder;
  readonly epochs: number;
  readonly bestEpoch: number;
  readonly bestLoss: number;
  readonly stopReason: StopReason;
  readonly seconds: number;
  /** Content hash of the graph the model saw. */
  readonly graphHash: string;
  readonly engine: string;
}

/**
 * The vectors of a model; `force` skips the check of the memory. Ctrl-C ends the training with the best vectors so far;
 * before the first epoch the result is undefined.
 */
export async function trainVectors(
  graph: Multiplex,
  { model, settings }: ModelRequest,
  { engine, force }: { readonly engine: Engine; readonly force: boolean },
  output: Output,
): Promise<TrainedVectors | undefined> {
  const { training, options } = resolveTraining(model, settings);
  if (!force) {
    const vectorEntries = graph.numNodes * Number(options["dim"] ?? 0);
    const needed = estimateProcessBytes(await estimateRun(graph, model, { ...settings, engine }), {
      rows: 0,
      vectorEntries,
    });
    requireMemory(needed, {
      advice: "Lower --dim or a width of the model (--set), or add --force to try anyway.",
    });
  }
  const interrupt = interruptRun(output.note);
  try {
    const parts = showPreparation(output.quiet);
    const { signal } = interrupt;
    const runSettings = { ...settings, engine, signal, withRelations: true, onPart: parts.update, onStep: parts.step };
    const run = await startRun(graph, model, runSettings).finally(parts.end);
    interrupt.begin("training");
    try {
      const progress = showProgress(training.epochs, output.quiet);
      try {
        for await (const report of run) progress.update(report);
      } finally {
        progress.end();
      }
      if (run.bestEpoch === 0) return undefined;
      return {
        embedding: await run.readEmbedding(),
        decoder: await readDecoder(run, model, graph),
        epochs: run.numEpochs,
        bestEpoch: run.bestEpoch,
        bestLoss: run.bestLoss,
        stopReason: run.stopReason ?? "aborted",
        seconds: run.preparationSeconds + run.seconds,
        graphHash: run.identity.graph,
        engine: engine.description,
      };
    } finally {
      await run.dispose();
    }
  } finally {
    interrupt.stop();
  }
}
