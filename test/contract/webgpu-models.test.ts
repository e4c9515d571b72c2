/** Every model on the WebGPU engine: it agrees with the reference, has the same bits in every run, and stops at the same epoch. */

import { describe, expect, test } from "vitest";
import * as models from "../../src/models/index.js";
import type { Model } from "../../src/nn/model.js";
import { startRun, train } from "../../src/train/train.js";
import type { TrainableGraph } from "../../src/train/trainable.js";
import { skipReason, webgpu } from "../support/webgpu.js";
import { relativeError } from "./check-op.js";
import { awkwardGraph, fitting, tiny, withFeatures } from "./model-suite.js";

const EPOCHS = 3;
/** Epochs of models that take many steps in each. */
const LONG_EPOCHS = 1;

/** One kind of graph for each model, in turn: every shader variant takes seconds to compile without a GPU. */
const GRAPHS: readonly TrainableGraph[] = [
  tiny.graph,
  awkwardGraph(true),
  withFeatures(tiny.graph, 20),
  awkwardGraph(false),
];

describe.skipIf(webgpu === undefined)(`webgpu${webgpu === undefined ? `: ${skipReason}` : ""}`, () => {
  for (const [m, model] of (Object.values(models) as Model[]).entries()) {
    test(`${model.name} agrees with the reference, twice with the same bits`, async () => {
      const graph = GRAPHS[m % GRAPHS.length];
      const epochs = model.optimization?.keep === "last" ? LONG_EPOCHS : EPOCHS;
      const settings = { ...fitting(model, { dim: 8, tableWidth: 8 }), epochs, seed: 3 };
      const reference = await train(graph, model, { ...settings, engine: "reference" });
      const runs = [];
      for (let k = 0; k < 2; k++) runs.push(await train(graph, model, { ...settings, engine: webgpu }));
      // float32 against float64 over a few steps of Adam, whose first steps follow the sign of small gradients
      expect(relativeError(runs[0].losses, reference.losses)).toBeLessThan(1e-4);
      expect(relativeError(runs[0].embedding.vectors, reference.embedding.vectors)).toBeLessThan(1e-3);
      expect(runs[1].losses).toEqual(runs[0].losses);
      expect(runs[1].embedding.vectors).toEqual(runs[0].embedding.vectors);
      expect(runs[0].embedding.vectors.every(Number.isFinite)).toBe(true);
    });
  }

  test("training stops at the epoch at which it stops on the CPU, with the parameters of the best epoch", async () => {
    // a rate at which the loss soon rises
    const settings = { dim: 8, tableWidth: 8, learningRate: 0.3, epochs: 300, patience: 7, seed: 1 };
    const cpu = await train(tiny.graph, models.hmge, { ...settings, engine: "wasm" });
    const run = await startRun(tiny.graph, models.hmge, { ...settings, engine: webgpu });
    const epochs: number[] = [];
    for await (const { epoch } of run) epochs.push(epoch);
    expect(cpu.stopReason).toBe("patience");
    expect([run.stopReason, run.numEpochs]).toEqual(["patience", run.bestEpoch + 7]);
    expect(epochs).toEqual(Array.from({ length: run.numEpochs }, (_, e) => e + 1));
    expect(run.numEpochs).toBe(cpu.numEpochs);
    // the vectors of a run that ends at the best epoch
    const best = await train(tiny.graph, models.hmge, { ...settings, epochs: run.bestEpoch, engine: webgpu });
    expect((await run.readEmbedding()).vectors).toEqual(best.embedding.vectors);
    await run.dispose();
  });

  test("a run continues from a snapshot with the same bits", async () => {
    const settings = { ...fitting(models.dmgi, { dim: 8 }), epochs: 20, patience: 20, seed: 5, engine: webgpu };
    const whole = await train(tiny.graph, models.dmgi, settings);
    const first = await startRun(tiny.graph, models.dmgi, settings);
    for await (const { epoch } of first) if (epoch === 9) break;
    const snapshot = await first.snapshot();
    // epochs are queued: the run may be ahead of the epoch that was reported
    expect(snapshot.progress.epoch).toBe(first.numEpochs);
    expect(first.numEpochs).toBeLessThan(20);
    await first.dispose();
    const rest = await train(tiny.graph, models.dmgi, { ...settings, resume: snapshot });
    expect(rest.losses).toEqual(whole.losses);
    expect(rest.embedding.vectors).toEqual(whole.embedding.vectors);
  });
});
