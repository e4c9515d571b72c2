/** The learning rate of every step, read from a parameter that moves by exactly the rate. */

import { describe, expect, test } from "vitest";
import { int } from "../core/options.js";
import { matmul, ones } from "../engine/ops/index.js";
import { multiplexFromEdges } from "../graph/multiplex-from-edges.js";
import { defineModel } from "../nn/model.js";
import { startRun } from "./train.js";

const graph = multiplexFromEdges({ source: ["a", "b"], target: ["b", "c"] });
const LEARNING_RATE = 0.5;

/** The loss is the sum of the parameters, so that plain gradient descent moves each of them by the learning rate. */
function steadyModel(finalRate: number | undefined, steps: number) {
  return defineModel({
    name: "steady",
    paper: "none",
    year: 2026,
    summary: "a constant gradient",
    cost: "n",
    options: { dim: int(1, { min: 1, max: 1, doc: "width of the vectors" }) },
    presets: { default: { doc: "as it is", options: {} } },
    training: { epochs: 4, patience: 4, learningRate: LEARNING_RATE, weightDecay: 0 },
    optimization: { optimizer: "sgd", finalRate, keep: "last" },
    steps: () => steps,
    prepare: ({ numNodes }) => ({ numNodes }),
    init: (parameter, { numNodes }) => ({ table: parameter("table", numNodes, 1, (data) => data.fill(10)) }),
    loss: ({ table }, { numNodes }, _, builder) => matmul(ones(builder, 1, numNodes), table),
    embed: ({ table }) => table,
  });
}

/** How far a parameter moved in each epoch, as a share of the learning rate. */
async function moves(model: ReturnType<typeof steadyModel>): Promise<number[]> {
  const run = await startRun(graph, model, { engine: "reference" });
  const value = async () => (await run.parameters())[0].data[0];
  const moved: number[] = [];
  let before = await value();
  for await (const _ of run) {
    moved.push((before - (await value())) / LEARNING_RATE);
    before = await value();
  }
  await run.dispose();
  return moved;
}

describe("the learning rate", () => {
  test("is constant by default", async () => {
    expect(await moves(steadyModel(undefined, 1))).toEqual([1, 1, 1, 1]);
  });

  test("falls linearly from its full value in the first step; the step after the last would have the final share", async () => {
    expect(await moves(steadyModel(0.2, 1))).toEqual([1, 0.8, 0.6, 0.4].map((share) => expect.closeTo(share, 6)));
    expect(await moves(steadyModel(0, 1))).toEqual([1, 0.75, 0.5, 0.25].map((share) => expect.closeTo(share, 6)));
  });

  test("falls over all steps of all epochs", async () => {
    // eight steps, two per epoch: 1 + 0.9, 0.8 + 0.7, …
    expect(await moves(steadyModel(0.2, 2))).toEqual([1.9, 1.5, 1.1, 0.7].map((share) => expect.closeTo(share, 6)));
  });
});
