import { expect, test } from "vitest";
import type { Embedding } from "../../core/embedding.js";
import { Rng } from "../../core/rng.js";
import { referenceEngine } from "../../engine/reference.js";
import { createWasmEngine } from "../../engine/wasm/wasm-engine.js";
import { conditionalAffinities, symmetricAffinities } from "./affinities.js";
import { exactPointNeighbors, findPointNeighbors } from "./point-neighbors.js";
import { tsne } from "./tsne.js";

const engine = await createWasmEngine({ threads: 2 });
/** For small maps, where a second thread only costs time. */
const singleThread = await createWasmEngine({ threads: 1 });

/** Normal noise around random centres of standard deviation 2; node i belongs to cluster i mod `clusters`. */
function mixture(n: number, dim: number, clusters: number): Embedding {
  const rng = new Rng(1, "mixture");
  const centres = Array.from({ length: clusters * dim }, () => 2 * rng.normal());
  const vectors = Float32Array.from(
    { length: n * dim },
    (_, e) => centres[(Math.floor(e / dim) % clusters) * dim + (e % dim)] + rng.normal(),
  );
  return { ids: Array.from({ length: n }, (_, i) => `n${i}`), dim, vectors };
}

/** The nearest other node of each node. */
function nearestOf({ ids, dim, vectors }: Embedding): number[] {
  return ids.map((_, i) => {
    let best = Infinity;
    let nearest = -1;
    for (let j = 0; j < ids.length; j++) {
      let d = 0;
      for (let k = 0; k < dim; k++) d += (vectors[i * dim + k] - vectors[j * dim + k]) ** 2;
      if (j !== i && d < best) [best, nearest] = [d, j];
    }
    return nearest;
  });
}

test("planted clusters stay together, and the divergence falls far below its initial value", async () => {
  const clusters = 8;
  const embedding = mixture(800, 20, clusters);
  const seen: number[] = [];
  const map = await tsne(embedding, { engine, iterations: 500, onProgress: ({ done }) => seen.push(done) });
  const nearest = nearestOf(map);
  const agreement = nearest.filter((j, i) => j % clusters === i % clusters).length / nearest.length;
  expect(agreement).toBeGreaterThanOrEqual(0.98);
  expect(map).toMatchObject({ dim: 2, perplexity: 30, neighbors: 90, iterations: 500, stopReason: "iterations" });
  expect(map.divergence).toBeLessThan(0.5 * map.startDivergence);
  expect(seen).toEqual([800, ...Array.from({ length: 500 }, (_, i) => i + 1)]);
});

test("one, two and three threads give the same bits; another seed gives another map", async () => {
  const embedding = mixture(700, 9, 5);
  const maps = [];
  for (const threads of [1, 2, 3]) {
    maps.push(await tsne(embedding, { engine: await createWasmEngine({ threads }), iterations: 60 }));
  }
  expect(maps[1].vectors).toEqual(maps[0].vectors);
  expect(maps[2]).toEqual(maps[0]);
  expect((await tsne(embedding, { engine, iterations: 60, seed: 2 })).vectors).not.toEqual(maps[0].vectors);
});

test("the wasm engine follows exact repulsion in float64, and ends with as low a divergence", async () => {
  const embedding = mixture(60, 6, 3);
  const engines = [singleThread, referenceEngine];
  const runs = (iterations: number, seed: number) =>
    Promise.all(engines.map((e) => tsne(embedding, { iterations, seed, perplexity: 10, engine: e })));
  const [fast, exact] = await runs(20, 1);
  expect(fast.startDivergence).toBeCloseTo(exact.startDivergence, 4);
  expect(Math.abs(fast.divergence - exact.divergence)).toBeLessThan(0.01 * exact.divergence);
  // later the paths diverge and end in different local minima, so the best of three seeds is compared
  const ends = await Promise.all([1, 2, 3].map((seed) => runs(600, seed)));
  const [best, bestExact] = engines.map((_, e) => Math.min(...ends.map((maps) => maps[e].divergence)));
  expect(Math.abs(best - bestExact)).toBeLessThan(0.1 * bestExact);
});

test.each([0, 1, 2, 3, 4, 5, 7, 11])("%i nodes", async (n) => {
  const map = await tsne(mixture(n, 3, 2), { engine: singleThread });
  expect(map.vectors.length).toBe(2 * n);
  expect(map.vectors.every((value) => Number.isFinite(value) && Math.abs(value) < 1e5)).toBe(true);
  expect(map.iterations).toBe(n < 4 ? 0 : 1000);
  expect(map.perplexity).toBe(Math.max(1, (n - 1) / 3));
});

test("equal and zero vectors are separated, and all coordinates stay finite", async () => {
  const embedding = mixture(400, 5, 2);
  embedding.vectors.fill(0, 0, 150 * 5);
  embedding.vectors.fill(3, 150 * 5, 250 * 5);
  const map = await tsne(embedding, { engine: singleThread, iterations: 300 });
  const places = new Set(Array.from({ length: 400 }, (_, i) => `${map.vectors[2 * i]} ${map.vectors[2 * i + 1]}`));
  expect(map.vectors.every(Number.isFinite)).toBe(true);
  expect(places.size).toBeGreaterThan(380);
  const same = await tsne(
    { ...embedding, vectors: new Float32Array(400 * 5).fill(2) },
    { engine: singleThread, iterations: 300 },
  );
  expect(same.vectors.every((value) => Number.isFinite(value) && Math.abs(value) < 1e4)).toBe(true);
});

test("scaled vectors give the same neighbourhoods", async () => {
  const embedding = mixture(120, 4, 3);
  const scaled = { ...embedding, vectors: embedding.vectors.map((value) => value * 2 ** 80) };
  const [plain, huge] = [
    await tsne(embedding, { engine: singleThread, iterations: 50 }),
    await tsne(scaled, { engine: singleThread, iterations: 50 }),
  ];
  expect(huge.divergence).toBeCloseTo(plain.divergence, 3);
});

test("a signal stops it and returns the map at that moment", async () => {
  const controller = new AbortController();
  const map = await tsne(mixture(300, 4, 2), {
    engine: singleThread,
    signal: controller.signal,
    onProgress: ({ stage, done }) => {
      if (stage === "map" && done === 20) controller.abort();
    },
  });
  expect(map).toMatchObject({ iterations: 20, stopReason: "aborted" });
  expect(map.divergence).toBeGreaterThan(0);
  const early = await tsne(mixture(300, 4, 2), { engine: singleThread, signal: AbortSignal.abort() });
  expect(early).toMatchObject({ iterations: 0, stopReason: "aborted" });
});

test("options out of range are refused", async () => {
  const embedding = mixture(10, 2, 2);
  await expect(tsne(embedding, { engine: singleThread, perplexity: 0.5 })).rejects.toThrow("perplexity is 0.5");
  await expect(tsne(embedding, { engine: singleThread, iterations: 0 })).rejects.toThrow("iterations is 0");
});

test("rows of the conditional affinities have the perplexity; P is symmetric and sums to one", () => {
  const [n, k] = [50, 12];
  const rng = new Rng(3, "rows");
  const distances = Float32Array.from({ length: n * k }, () => 10 * rng.uniform());
  const indices = new Uint32Array(n * k);
  for (let i = 0; i < n; i++) {
    distances.subarray(i * k, (i + 1) * k).sort();
    for (let e = 0; e < k; e++) indices[i * k + e] = (i + 1 + ((e * 4) % (n - 1))) % n;
  }
  distances.fill(2.5, 0, k); // all at the same distance: equal shares
  const neighbors = { numPoints: n, k, indices, distances };
  const shares = conditionalAffinities(neighbors, 4);
  for (let i = 1; i < n; i++) {
    const row = shares.subarray(i * k, (i + 1) * k);
    const entropy = -row.reduce((sum, p) => sum + (p > 0 ? p * Math.log(p) : 0), 0);
    expect(Math.exp(entropy)).toBeCloseTo(4, 3);
  }
  expect([...shares.subarray(0, k)]).toEqual(new Array(k).fill(1 / k));
  const { rowStart, columns, values = [] } = symmetricAffinities(neighbors, shares);
  const dense = Array.from({ length: n }, () => new Float64Array(n));
  for (let i = 0; i < n; i++) {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
      dense[i][columns[e]] = values[e];
      if (e > rowStart[i]) expect(columns[e]).toBeGreaterThan(columns[e - 1]);
    }
  }
  let sum = 0;
  for (let i = 0; i < n; i++) {
    expect(dense[i][i]).toBe(0);
    for (let j = 0; j < n; j++) {
      const naive = [i, j].map((a) => {
        const e = indices.subarray(a * k, (a + 1) * k).indexOf(a === i ? j : i);
        return e < 0 ? 0 : shares[a * k + e];
      });
      if (i !== j) expect(dense[i][j]).toBeCloseTo((naive[0] + naive[1]) / (2 * n), 9);
      sum += dense[i][j];
    }
  }
  expect(sum).toBeCloseTo(1, 6);
});

test("nodes outside the sample are placed by their nearest sampled nodes", async () => {
  const clusters = 6;
  const embedding = mixture(2600, 12, clusters);
  const stages = new Set<string>();
  const options = { iterations: 250, sample: 1000 };
  const map = await tsne(embedding, { ...options, engine, onProgress: ({ stage }) => stages.add(stage) });
  expect(map).toMatchObject({ mapped: 1000, search: { method: "exact" }, iterations: 250 });
  expect(map.ids).toBe(embedding.ids);
  expect([...stages]).toEqual(["neighbors", "map", "placing"]);
  const nearest = nearestOf(map);
  const agreement = nearest.filter((j, i) => j % clusters === i % clusters).length / nearest.length;
  expect(agreement).toBeGreaterThanOrEqual(0.98);
  const alone = await tsne(embedding, { ...options, engine: singleThread });
  expect(alone.vectors).toEqual(map.vectors);
  await expect(tsne(embedding, { sample: 10 })).rejects.toThrow("tsne: sample is 10; expected integer ≥ 1000");
});

test("an approximate search finds almost all neighbours of the exact search", async () => {
  const { dim, vectors } = mixture(3000, 10, 12);
  const points = { data: Float64Array.from(vectors), width: dim };
  const exact = await exactPointNeighbors(engine, points, 30, {});
  const same = await findPointNeighbors(engine, points, undefined, 30, "exact", {});
  const near = await findPointNeighbors(engine, points, undefined, 30, "approximate", {});
  if (exact === undefined || same === undefined || near === undefined) throw new Error("stopped");
  expect(same.search).toEqual({ method: "exact" });
  // rounding to float32 may exchange the last neighbour with the next
  const agree = (a: Uint32Array, b: Uint32Array) => {
    let hits = 0;
    for (let i = 0; i < a.length; i += 30) {
      const own = new Set(a.subarray(i, i + 30));
      for (let e = i; e < i + 30; e++) if (own.has(b[e])) hits++;
    }
    return hits / a.length;
  };
  expect(agree(same.indices, exact.indices)).toBeGreaterThan(0.9999);
  expect(relativeError(same.distances, exact.distances)).toBeLessThan(1e-6);
  expect(near.search).toMatchObject({ method: "approximate", sampled: 1000 });
  expect(agree(near.indices, exact.indices)).toBeGreaterThan(0.95);
});

function relativeError(found: Float32Array, expected: Float32Array): number {
  let [error, size] = [0, 0];
  for (let e = 0; e < found.length; e++) {
    error = Math.max(error, Math.abs(found[e] - expected[e]));
    size = Math.max(size, Math.abs(expected[e]));
  }
  return error / size;
}
