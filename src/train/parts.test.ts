/** Parts: trainings that a model needs first. With features, multiview has two. */

import { expect, test } from "vitest";
import { multiplexFromEdges } from "../graph/multiplex-from-edges.js";
import { hdmi } from "../models/hdmi.js";
import { multiview } from "../models/multiview/multiview.js";
import { estimateRun } from "./estimate/estimate.js";
import type { EpochReport } from "./run.js";
import { startRun, train } from "./train.js";
import { graphOfPart } from "./train-settings.js";
import type { TrainableGraph } from "./trainable.js";

const numNodes = 30;
const numColumns = 7;

function attributedGraph(): TrainableGraph {
  const source: string[] = [];
  const target: string[] = [];
  for (let i = 0; i < numNodes; i++) {
    for (const step of [1, 4]) {
      source.push(`n${i}`);
      target.push(`n${(i + step) % numNodes}`);
    }
  }
  const relation = source.map((_, e) => (e % 2 === 0 ? "near" : "far"));
  const graph = multiplexFromEdges({ source, target, relation }, { directed: true });
  const columns = Uint32Array.from({ length: 2 * numNodes }, (_, e) =>
    e % 2 === 0 ? (e >> 1) % 3 : 3 + ((e >> 1) % 4),
  );
  for (let i = 0; i < numNodes; i++) columns.subarray(2 * i, 2 * i + 2).sort();
  return {
    ...graph,
    features: {
      names: Array.from({ length: numColumns }, (_, c) => `f${c}`),
      numColumns,
      rowStart: Uint32Array.from({ length: numNodes + 1 }, (_, i) => 2 * i),
      columns,
    },
  };
}

const defaults = Object.fromEntries(Object.entries(multiview.options).map(([name, option]) => [name, option.default]));
const settings = { dim: 16, epochs: 5, seed: 3, threads: 1 };

test("parts are trained first, with no more epochs than the model", async () => {
  const seen = new Map<string, number>();
  const onPart = (part: string, report: EpochReport, epochs: number) => {
    expect(epochs).toBe(5);
    seen.set(part, report.epoch);
  };
  const run = await train(attributedGraph(), multiview, { ...settings, onPart });
  expect([...seen.values()]).toEqual([5, 5]);
  expect(run.preparationSeconds).toBeGreaterThan(0);
  expect(run.embedding.vectors.every(Number.isFinite)).toBe(true);
});

test("the vectors of the parts change the vectors of the model", async () => {
  const vectors = async (featureDropout: number) =>
    (await train(attributedGraph(), multiview, { ...settings, featureDropout })).embedding.vectors;
  const [one, same, other] = [await vectors(0), await vectors(0), await vectors(0.9)];
  expect(same).toEqual(one);
  expect(other).not.toEqual(one);
});

test("multiview has no parts without features", () => {
  const graph = { ...attributedGraph(), features: undefined };
  expect(multiview.parts?.(graph, defaults as never)).toEqual([]);
});

test("an abort during the training of a part rejects the start of the run", async () => {
  const controller = new AbortController();
  const starting = startRun(attributedGraph(), multiview, {
    ...settings,
    epochs: 300,
    signal: controller.signal,
    onPart: () => controller.abort(),
  });
  await expect(starting).rejects.toMatchObject({ name: "AbortError" });
});

test("estimates include the parts, and the memory of a part if it is the larger one", async () => {
  const graph = attributedGraph();
  const found = await estimateRun(graph, multiview, settings);
  expect(found.parts.map(({ epochs }) => epochs)).toEqual([5, 5]);
  for (const part of found.parts) expect(found.engineBytes).toBeGreaterThanOrEqual(part.engineBytes);
});

test("a part reads its own graph with the ids of the whole graph", () => {
  const graph = attributedGraph();
  const features = { ...graph.features!, values: new Float32Array(2 * numNodes).fill(0.5) };
  const part = { name: "x", model: hdmi, graph: { ...graph, directed: false, features }, settings: {} };
  const read = graphOfPart(part, {
    ...graph,
    labels: { numClasses: 1, rowStart: new Uint32Array(31), columns: new Uint32Array(0) },
  });
  expect(read).toMatchObject({ ids: graph.ids, directed: false, labels: undefined });
  expect(read.features).toMatchObject({ names: graph.features!.names, values: features.values });
});

test("aborted before the run exists, every model rejects with the reason", async () => {
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(train(attributedGraph(), multiview, { engine: "reference", signal })).rejects.toThrow("enough");
  await expect(train(attributedGraph(), hdmi, { engine: "reference", signal })).rejects.toThrow("enough");
});

test("an invalid number of threads is rejected", async () => {
  for (const threads of [0, -1, 1.5, Number.NaN]) {
    await expect(train(attributedGraph(), hdmi, { threads })).rejects.toThrow("threads: ");
  }
});
