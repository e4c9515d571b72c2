/** Every model that reads features gives finite vectors to nodes without features and to nodes without edges. */

import { describe, expect, test } from "vitest";
import type { Multiplex } from "../src/graph/multiplex.js";
import { holdOutEdges } from "../src/graph/split.js";
import { featuresOnly } from "../src/graph/synthetic/phenomena/features-only.js";
import type { Model } from "../src/nn/model.js";
import { selectRows } from "../src/numeric/csr.js";
import { fitFeatureMap } from "../src/tasks/new-nodes/feature-map.js";
import { train } from "../src/train/train.js";

const all: readonly Model[] = Object.values(await import("../src/models/index.js"));

/** Half of the edges are held out, which isolates some nodes; every third node has no features. */
function awkwardGraph(): Multiplex & { features: NonNullable<Multiplex["features"]> } {
  const { graph } = featuresOnly.generate({ nodes: 60, classes: 2, relations: 2, degree: 2 });
  const { names, numColumns, ...matrix } = graph.features!;
  const rows = selectRows(
    { ...matrix, rowStart: Uint32Array.of(...matrix.rowStart, matrix.rowStart[60]) }, // row 60 is empty
    Uint32Array.from({ length: 60 }, (_, i) => (i % 3 === 0 ? 60 : i)),
  );
  return { ...holdOutEdges(graph, { share: 0.5 }).training, features: { ...rows, names, numColumns } };
}

const graph = awkwardGraph();
const { features } = graph;

test("the graph has nodes without features, without edges, and without both", () => {
  const lacksEdges = graph.ids.map((_, i) => graph.relations.every(({ rowStart }) => rowStart[i] === rowStart[i + 1]));
  const lacksFeatures = graph.ids.map((_, i) => features.rowStart[i] === features.rowStart[i + 1]);
  const count = (edges: boolean, words: boolean) =>
    graph.ids.filter((_, i) => lacksEdges[i] !== edges && lacksFeatures[i] !== words).length;
  expect(count(false, true)).toBeGreaterThan(2);
  expect(count(true, false)).toBeGreaterThan(2);
  expect(count(false, false)).toBeGreaterThan(2);
  expect(features.numColumns).toBe(68);
});

describe("vectors are finite", () => {
  test.each(all.filter(({ uses }) => uses?.includes("features")))("$name", async (model) => {
    const { embedding } = await train(graph, model, { dim: 8, epochs: 3, seed: 1, threads: 1 });
    expect(embedding.vectors.findIndex((x) => !Number.isFinite(x))).toBe(-1);
    const map = fitFeatureMap(features, embedding)!;
    expect([...map.weights, ...map.mean, ...map.fit].every(Number.isFinite)).toBe(true);
  });
});
