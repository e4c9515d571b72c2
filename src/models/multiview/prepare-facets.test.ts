/** The widths of the facets in narrow vectors. */

import { expect, test } from "vitest";
import { Rng } from "../../core/rng.js";
import { createWasmEngine } from "../../engine/wasm/wasm-engine.js";
import { multiplexFromEdges } from "../../graph/multiplex-from-edges.js";
import { NO_COLUMNS } from "../../numeric/columns.js";
import { CATEGORIES } from "./constants.js";
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
/** Answers; the first six differ between the cliques, so that they have to do with the edges. */
const features = featuresOf(
  NUM_FEATURES,
  graph.ids.map((id) => {
    const kind = Math.floor(Number(id) / SIZE) % 6;
    return Array.from({ length: NUM_FEATURES }, (_, c) => c).filter((c) => rng.uniform() < (c === kind ? 0.95 : 0.3));
  }),
);
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

function featuresOf(numColumns: number, rows: readonly (readonly number[])[]) {
  return {
    names: Array.from({ length: numColumns }, (_, c) => `${c}`),
    numColumns,
    rowStart: Uint32Array.from([0, ...rows.map((_, i) => rows.slice(0, i + 1).flat().length)]),
    columns: Uint32Array.from(rows.flat()),
  };
}

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

test.each([20, 40])("columns that two groups do not need go to the directions of %i related answers", async (count) => {
  const { graph } = groupsWithCategory(2, false);
  const { groups } = twoGroups(300, 0.1, 0.02, 3);
  const rows = graph.ids.map((id) =>
    Array.from({ length: count }, (_, c) => c).filter(
      (c) => rng.uniform() < (c % 2 === 0 && groups[Number(id)] > 0 ? 0.7 : 0.3),
    ),
  );
  const features = featuresOf(count, rows);
  const trained = [0, 1].map(() => Float32Array.from({ length: graph.numNodes * 64 }, () => rng.normal()));
  const tools = { engine, seed: 1, parts: trained };
  const prepared = await prepareFacets({ ...graph, features }, { dim: 64, weights: "auto" }, tools);
  const widths: Record<string, number> = Object.fromEntries(
    prepared.facets.map(({ name, columns: { width } }) => [name, width]),
  );
  expect(Object.values(widths).reduce((sum, width) => sum + width, prepared.numEdgeColumns)).toBe(64);
  // 16 otherwise; all directions of 20 answers have columns, and infomax has none then
  expect(widths["features"]).toBeGreaterThan(18);
  expect("infomax" in widths).toBe(count === 40);
});

test.each([
  [20, true, [20, 8]],
  [40, false, [40]],
  [100, true, [39, 8]],
])(
  "a category of %i values, related to the edges: %s, stands next to the vector of the graph without features",
  async (numValues, related, widths) => {
    const { graph, category } = groupsWithCategory(numValues, related);
    // no parts: infomax is not trained
    const tools = { engine, seed: 1 };
    const prepared = await prepareFacets({ ...graph, features: category }, { dim: 64, weights: "auto" }, tools);
    const own = prepared.facets.slice(0, widths.length);
    expect(own.map(({ name }) => name)).toEqual(["features", "smoothed features"].slice(0, widths.length));
    expect(own.map(({ columns }) => columns.width)).toEqual(widths);
    const [{ columns }] = own;
    expect(columns.data.reduce((sum, x) => sum + x * x, 0) / graph.numNodes).toBeCloseTo(CATEGORIES.length ** 2, 4);
    const width = widths.reduce((sum, count) => sum + count, 0);
    const alone = await prepareFacets(
      { ...graph, features: undefined },
      { dim: 64 - width, weights: "auto", beside: { wholeWidth: 64 } },
      tools,
    );
    expect(prepared.facets.slice(widths.length)).toEqual(alone.facets);
    const inputs = { encoderInputs: NO_COLUMNS, diffusedColumns: NO_COLUMNS };
    expect({ ...prepared, ...inputs, facets: [] }).toEqual({ ...alone, ...inputs, facets: [] });
    // if neighbours share the category, the edges read it, and 16 directions of its averages over neighbours
    const read = related ? columns.width + 16 : 0;
    expect(prepared.encoderInputs.width).toBe(alone.encoderInputs.width + read);
    expect(prepared.diffusedColumns.width).toBe(alone.diffusedColumns.width + read);
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
  const prepared = await prepareFacets(
    { ...graph, features: featuresOf(40, answers) },
    { dim: 64, weights: "auto" },
    { engine, seed: 1 },
  );
  expect(prepared.facets[0].name).toBe("features");
  // 16 directions of 40 answers explain less than half
  expect(prepared.facets[0].columns.width).toBeLessThanOrEqual(16);
});
