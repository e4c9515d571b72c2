/** Tasks on the WebGPU engine, whose reads are asynchronous, against the same tasks on WebAssembly. */

import { describe, expect, test } from "vitest";
import type { Embedding, TrainedDecoder } from "../src/core/embedding.js";
import { Rng } from "../src/core/rng.js";
import type { Engine } from "../src/engine/engine.js";
import { createWasmEngine } from "../src/engine/wasm/wasm-engine.js";
import { multiplexFromEdges } from "../src/graph/multiplex-from-edges.js";
import { predictLinks } from "../src/tasks/links/predict-links.js";
import { nearestNeighbors } from "../src/tasks/neighbors/nearest-neighbors.js";
import { tsne } from "../src/tasks/projection/tsne.js";
import { skipReason, webgpu } from "./support/webgpu.js";

const wasm = await createWasmEngine({ threads: 1 });

/** A test that gets the WebGPU engine; skipped without one. */
function testOnGpu(name: string, run: (engine: Engine) => Promise<void>): void {
  test(name, async ({ skip }) => {
    if (webgpu === undefined) return skip(skipReason);
    await run(webgpu);
  });
}

/** Normal noise around random centres of standard deviation 2; node i belongs to cluster i mod `clusters`. */
function mixture(n: number, dim: number, clusters: number): Embedding {
  const rng = new Rng(1, "mixture");
  const centers = Float64Array.from({ length: clusters * dim }, () => 2 * rng.normal());
  const vectors = Float32Array.from({ length: n * dim }, (_, e) => {
    return centers[(Math.floor(e / dim) % clusters) * dim + (e % dim)] + rng.normal();
  });
  return { ids: Array.from({ length: n }, (_, i) => `n${i}`), dim, vectors };
}

describe("t-SNE", () => {
  const embedding = mixture(200, 10, 6);

  testOnGpu("has the divergence of the map on the CPU, and the same bits in every run", async (engine) => {
    const divergences: number[] = [];
    const map = await tsne(embedding, {
      engine,
      iterations: 120,
      onProgress: ({ divergence }) => {
        if (divergence !== undefined) divergences.push(divergence);
      },
    });
    const expected = await tsne(embedding, { engine: wasm, iterations: 120 });
    expect(map).toMatchObject({ perplexity: 30, neighbors: 90, iterations: 120, stopReason: "iterations" });
    expect(divergences).toHaveLength(2);
    // the same start: only rounding differs
    expect(Math.abs(map.startDivergence / expected.startDivergence - 1)).toBeLessThan(1e-5);
    // rounding and the quadtree's approximation lead to other maps of the same quality
    expect(Math.abs(map.divergence / expected.divergence - 1)).toBeLessThan(0.05);
    const [once, again] = [
      await tsne(embedding, { engine, iterations: 5 }),
      await tsne(embedding, { engine, iterations: 5 }),
    ];
    expect(again.vectors).toEqual(once.vectors);
  });

  testOnGpu("places the nodes that are not in the sample, and stops when the signal is aborted", async (engine) => {
    const controller = new AbortController();
    const map = await tsne(mixture(1300, 4, 3), {
      engine,
      sample: 1000,
      perplexity: 5,
      signal: controller.signal,
      onProgress: ({ stage, done }) => {
        if (stage === "map" && done === 7) controller.abort();
      },
    });
    expect(map).toMatchObject({ mapped: 1000, iterations: 7, stopReason: "aborted" });
    expect(map.vectors).toHaveLength(2600);
    expect(map.vectors.every((value) => Number.isFinite(value))).toBe(true);
    expect(map.vectors.every((value) => value !== 0)).toBe(true);
  });
});

describe("nearest neighbours", () => {
  const embedding = mixture(1500, 11, 9);

  for (const method of ["exact", "approximate"] as const) {
    testOnGpu(`${method}: the same as on the CPU`, async (engine) => {
      const [found, expected] = await Promise.all(
        [engine, wasm].map((each) => nearestNeighbors(embedding, { engine: each, method, k: 12 })),
      );
      expect(found.search).toEqual(expected.search);
      expect(found.indices).toEqual(expected.indices);
      expect(found.cosines).toEqual(expected.cosines);
    });
  }

  testOnGpu("of other vectors among a few nodes", async (engine) => {
    const { ids, dim, vectors } = mixture(1500, 11, 9);
    const queries = { ids: ["a", "b", "c"], dim, vectors: vectors.slice(0, 3 * dim).map((value) => value + 0.1) };
    const options = { queries, among: ids.slice(40, 45), k: 8 };
    const [found, expected] = await Promise.all(
      [engine, wasm].map((each) => nearestNeighbors(embedding, { engine: each, ...options })),
    );
    expect(found.indices).toEqual(expected.indices);
    expect(found.cosines).toEqual(expected.cosines);
  });
});

describe("link prediction", () => {
  const rng = new Rng(1, "graph");
  const n = 700;
  const nodes = Array.from({ length: n }, (_, i) => `n${String(i).padStart(4, "0")}`);
  const source = [...nodes, ...Array.from({ length: 2 * n }, () => nodes[rng.below(n)])];
  const target = [
    ...nodes.map((_, i) => nodes[(i + 1) % n]),
    ...Array.from({ length: 2 * n }, () => nodes[rng.below(n)]),
  ];
  const graph = multiplexFromEdges({ relation: source.map(() => "a"), source, target }, { directed: false });
  const draw = (): Embedding => ({
    ids: graph.ids,
    dim: 5,
    vectors: Float32Array.from({ length: n * 5 }, () => rng.normal()),
  });
  const ends = { source: draw(), target: draw() };

  for (const score of ["dot", "cosine"] as const) {
    testOnGpu(`by ${score}: the same links as on the CPU`, async (engine) => {
      const decoder: TrainedDecoder = { score, directed: false, vectors: () => ends };
      const [found, expected] = await Promise.all(
        [engine, wasm].map((each) => predictLinks(decoder, graph, { relation: "a", count: 40, engine: each })),
      );
      expect(found).toEqual(expected);
    });
  }
});
