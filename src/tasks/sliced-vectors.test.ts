/** Tasks on vectors that are read in slices give the results of the same vectors in memory. */

import { expect, test } from "vitest";
import { type Embedding, type VectorRows, vectorRows } from "../core/embedding.js";
import { Rng } from "../core/rng.js";
import { createWasmEngine } from "../engine/wasm/wasm-engine.js";
import { classifyNodes } from "./classification/node-classification.js";
import { rawRows, rowsOfNodes, selectRows, standardizedRows } from "./classification/standardize.js";
import { clusterNodes } from "./clustering/clustering.js";
import { nearestNeighbors } from "./neighbors/nearest-neighbors.js";
import { searchSimilar } from "./neighbors/sim-at-k.js";

function randomVectors(n: number, dim: number): Embedding {
  const rng = new Rng(6, "sliced");
  const vectors = Float32Array.from({ length: n * dim }, (_, e) => (1 + (e % dim)) * rng.uniform());
  return { ids: Array.from({ length: n }, (_, i) => `n${i}`), dim, vectors };
}

/** The same vectors, without the array of all of them. */
function sliced(embedding: Embedding): VectorRows {
  const { ids, dim, at, range } = vectorRows(embedding);
  return { ids, dim, at, range };
}

test("rows of nodes are standardised over all nodes, in several slices", () => {
  // a slice of vectors of 512 numbers has 2048 rows
  const embedding = randomVectors(2100, 512);
  const nodes = [2099, 5, 2048, 2047];
  expect(rowsOfNodes(sliced(embedding), "standardised", nodes)).toEqual(selectRows(standardizedRows(embedding), nodes));
  expect(rowsOfNodes(sliced(embedding), "raw", nodes)).toEqual(selectRows(rawRows(embedding), nodes));
});

test("scores with labels are the same", () => {
  const embedding = randomVectors(90, 9);
  const names = ["a", "b", "c"];
  const byNode = new Map(embedding.ids.slice(20).map((id, i) => [id, [names[i % 3]]]));
  const labels = { byNode, names };
  const options = { split: { train: 0.5 }, repeats: 2, prefix: "validate" } as const;
  const rows = sliced(embedding);
  expect(classifyNodes([rows], labels, options)).toEqual(classifyNodes([embedding], labels, options));
  expect(clusterNodes([rows], labels, { repeats: 2 })).toEqual(clusterNodes([embedding], labels, { repeats: 2 }));
  expect(searchSimilar([rows], labels)).toEqual(searchSimilar([embedding], labels));
});

test("neighbours of nodes and of vectors are the same", async () => {
  const embedding = randomVectors(300, 7);
  embedding.vectors.fill(0, 7 * 7, 8 * 7);
  embedding.vectors.copyWithin(20 * 7, 30 * 7, 31 * 7);
  const engine = await createWasmEngine({ threads: 1 });
  const among = embedding.ids.filter((_, i) => i % 3 !== 1);
  const queries = { ids: ["n3", "new"], dim: 7, vectors: embedding.vectors.slice(21, 35) };
  const nodes = ["n3", "n7", "n20", "n299"];
  for (const options of [{ nodes }, { nodes, center: false, k: 400 }, { nodes, among }, { queries, among }]) {
    expect(await nearestNeighbors(sliced(embedding), { engine, ...options })).toEqual(
      await nearestNeighbors(embedding, { engine, ...options }),
    );
  }
  expect(await nearestNeighbors(sliced(embedding), { engine, k: 3 })).toEqual(
    await nearestNeighbors(embedding, { engine, k: 3 }),
  );
});
