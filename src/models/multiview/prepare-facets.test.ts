/** The widths of the facets in narrow vectors. */

import { expect, test } from "vitest";
import { Rng } from "../../core/rng.js";
import { createWasmEngine } from "../../engine/wasm/wasm-engine.js";
import { multiplexFromEdges } from "../../graph/multiplex-from-edges.js";
import { prepareFacets } from "./prepare-facets.js";
import { twoGroups } from "./test-graphs.js";

const [NUM_CLIQUES, SIZE, NUM_FEATURES] = [14, 12, 12];
const engine = await createWasmEngine({ threads: 1 });
const rng = new Rng(1, "cliques");

/** Cliques in a circle: so many significant directions that the edges ask for all columns they may have. */
const edges = Array.from({ length: NUM_CLIQUES * SIZE }, (_, i) => {
  const first = i - (i % SIZE);
  const others = Array.from({ length: SIZE - (i % SIZE) - 1 }, (_, k) => i + k + 1);
  return [...others, ...(i === first ? [(i + SIZE) % (NUM_CLIQUES * SIZE)] : [])].map((j) => [i, j]);
}).flat();
const graph = multiplexFromEdges({ source: edges.map(([i]) => `${i}`), target: edges.map(([, j]) => `${j}`) });
const { numNodes } = graph;
/** Two categories of six values; the first differs between the cliques, so that it has to do with the edges. */
const columns = Uint32Array.from({ length: 2 * numNodes }, (_, e) =>
  e % 2 === 0 ? Math.floor(Number(graph.ids[e / 2]) / SIZE) % 6 : 6 + rng.below(6),
);
const features = {
  names: Array.from({ length: NUM_FEATURES }, (_, c) => `${c}`),
  numColumns: NUM_FEATURES,
  rowStart: Uint32Array.from({ length: numNodes + 1 }, (_, i) => 2 * i),
  columns,
};
const parts = [0, 1].map(() => Float32Array.from({ length: numNodes * 64 }, () => rng.normal()));

async function widthsOf(dim: number, withFeatures: boolean): Promise<Record<string, number>> {
  const input = withFeatures ? { ...graph, features } : graph;
  const prepared = await prepareFacets(input, { dim, weights: "auto" }, { engine, seed: 1, parts });
  const widths = Object.fromEntries(prepared.facets.map(({ name, columns: { width } }) => [name, width]));
  return { ...widths, edges: prepared.numEdgeColumns };
}

test.each([
  [1, { edges: 1 }],
  [4, { diffusion: 1, edges: 3 }],
  [8, { diffusion: 1, "fine diffusion": 1, edges: 6 }],
])("without features, dim %i: no fine diffusion without diffusion", async (dim, expected) => {
  expect(await widthsOf(dim, false)).toEqual(expected);
});

test.each([
  // four directions of the features explain less than half of the variance: one of their columns goes to infomax
  [16, { infomax: 3, features: 3, "smoothed features": 4, diffusion: 2, edges: 4 }],
  // in a wide vector the edges take the columns of the diffusion
  [32, { infomax: 4, features: 8, "smoothed features": 8, edges: 12 }],
])("with features, dim %i: diffusion before edges, unless the vector is wide", async (dim, expected) => {
  expect(await widthsOf(dim, true)).toEqual(expected);
});

/** Two groups and a category that follows them (`related`) or not; `numValues` values. */
function groupsWithCategory(numValues: number, related: boolean) {
  const { rowStart, columns, groups } = twoGroups(300, 0.1, 0.02, 3);
  const rows = Array.from({ length: 300 }, (_, i) => [...columns.subarray(rowStart[i], rowStart[i + 1])]);
  const pairs = rows.flatMap((row, i) => row.flatMap((j) => (i < j ? [[i, j]] : [])));
  const graph = multiplexFromEdges({ source: pairs.map(([i]) => `${i}`), target: pairs.map(([, j]) => `${j}`) });
  const half = numValues / 2;
  const category = {
    names: Array.from({ length: numValues }, (_, c) => `${c}`),
    numColumns: numValues,
    rowStart: Uint32Array.from({ length: graph.numNodes + 1 }, (_, i) => i),
    columns: Uint32Array.from(graph.ids, (id) =>
      related ? rng.below(half) + (groups[Number(id)] > 0 ? half : 0) : rng.below(numValues),
    ),
  };
  return { graph, category };
}

test.each([20, 40])(
  "columns that two groups do not need go to the directions of a related category of %i values",
  async (numValues) => {
    const { graph, category } = groupsWithCategory(numValues, true);
    const trained = [0, 1].map(() => Float32Array.from({ length: graph.numNodes * 64 }, () => rng.normal()));
    const tools = { engine, seed: 1, parts: trained };
    const prepared = await prepareFacets({ ...graph, features: category }, { dim: 64, weights: "auto" }, tools);
    const widths: Record<string, number> = Object.fromEntries(
      prepared.facets.map(({ name, columns: { width } }) => [name, width]),
    );
    expect(Object.values(widths).reduce((sum, width) => sum + width, prepared.numEdgeColumns)).toBe(64);
    // 16 otherwise; all directions of 20 values have columns, and infomax has none then
    expect(widths["features"]).toBeGreaterThan(18);
    expect("infomax" in widths).toBe(numValues === 40);
  },
);

test.each([20, 40])(
  "a category of %i values that has nothing in common with the edges stands next to the vector of the graph without features",
  async (numValues) => {
    const { graph, category } = groupsWithCategory(numValues, false);
    const tools = { engine, seed: 1 };
    const prepared = await prepareFacets({ ...graph, features: category }, { dim: 64, weights: "auto" }, tools);
    const [own, ...others] = prepared.facets;
    expect([own.name, own.columns.width]).toEqual(["features", numValues]);
    // all variance
    expect(own.columns.data.reduce((sum, x) => sum + x * x, 0) / graph.numNodes).toBeCloseTo(1, 4);
    const alone = await prepareFacets(
      { ...graph, features: undefined },
      { dim: 64 - numValues, weights: "auto", beside: { wholeWidth: 64 } },
      tools,
    );
    expect(others).toEqual(alone.facets);
    expect({ ...prepared, facets: [] }).toEqual({ ...alone, facets: [] });
  },
);

test("few features have smoothed columns even if they have nothing in common with the edges", async () => {
  const { graph, category } = groupsWithCategory(16, false);
  const trained = [0, 1].map(() => Float32Array.from({ length: graph.numNodes * 64 }, () => rng.normal()));
  const tools = { engine, seed: 1, parts: trained };
  const { facets } = await prepareFacets({ ...graph, features: category }, { dim: 64, weights: "auto" }, tools);
  expect(facets.map(({ name }) => name)).toContain("smoothed features");
});

test("independent answers that have nothing in common with the edges have a quarter of the columns", async () => {
  const { graph } = groupsWithCategory(2, false);
  const answers = Array.from({ length: graph.numNodes }, () =>
    Array.from({ length: 40 }, (_, c) => c).filter(() => rng.uniform() < 0.5),
  );
  const features = {
    names: Array.from({ length: 40 }, (_, c) => `${c}`),
    numColumns: 40,
    rowStart: Uint32Array.from([0, ...answers.map((_, i) => answers.slice(0, i + 1).flat().length)]),
    columns: Uint32Array.from(answers.flat()),
  };
  const prepared = await prepareFacets({ ...graph, features }, { dim: 64, weights: "auto" }, { engine, seed: 1 });
  // the exclusive share of 40 independent answers is at most 0.2 by chance, hence at most 4 columns more
  expect(prepared.facets[0].name).toBe("features");
  expect(prepared.facets[0].columns.width).toBeLessThanOrEqual(20);
});
