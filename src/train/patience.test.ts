/** Early stopping. */

import { expect, test } from "vitest";
import { int } from "../core/options.js";
import { matmul, ones } from "../engine/ops/index.js";
import { multiplexFromEdges } from "../graph/multiplex-from-edges.js";
import { defineModel } from "../nn/model.js";
import { train } from "./train.js";

/** A model with a constant loss: no epoch has a smaller loss than the first. */
const constantLoss = defineModel({
  name: "constant",
  paper: "none",
  year: 2026,
  summary: "a loss that no step changes",
  cost: "n",
  options: { dim: int(1, { min: 1, max: 1, doc: "width of the vectors" }) },
  presets: { default: { doc: "the default options", options: {} } },
  training: { epochs: 50, patience: 3, learningRate: 0, weightDecay: 0 },
  prepare: ({ numNodes }) => ({ numNodes }),
  init: (parameter, { numNodes }) => ({ table: parameter("table", numNodes, 1, (data) => data.fill(1)) }),
  loss: ({ table }, { numNodes }, _, builder) => matmul(ones(builder, 1, numNodes), table),
  embed: ({ table }) => table,
});

test("training stops after `patience` epochs without a smaller loss", async () => {
  const graph = multiplexFromEdges({ source: ["a"], target: ["b"] });
  for (const patience of [1, 3]) {
    const run = await train(graph, constantLoss, { patience, engine: "reference" });
    expect([run.numEpochs, run.bestEpoch, run.stopReason]).toEqual([1 + patience, 1, "patience"]);
  }
});
