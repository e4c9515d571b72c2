import { describe, expect, test } from "vitest";
import type { Embedding } from "../../core/embedding.js";
import { Rng } from "../../core/rng.js";
import { createWasmEngine } from "../../engine/wasm/wasm-engine.js";
import { type NeighborTable, NO_NEIGHBOR, nearestNeighbors, neighborsInRow } from "./nearest-neighbors.js";
import { nearestOfFew } from "./nearest-of-few.js";
import { centered, nearestNodes } from "./neighbors-of-node.js";

const engines = await Promise.all([1, 2].map((threads) => createWasmEngine({ threads })));
const [engine] = engines;

function embed(n: number, dim: number, value: (rng: Rng, row: number, column: number) => number): Embedding {
  const rng = new Rng(9, "vectors");
  const vectors = Float32Array.from({ length: n * dim }, (_, e) => value(rng, Math.floor(e / dim), e % dim));
  return { ids: Array.from({ length: n }, (_, i) => `n${i}`), dim, vectors };
}

/** A mixture of Gaussians. */
function mixture(n: number, dim: number, clusters: number): Embedding {
  const centers = embed(clusters, dim, (rng) => 2 * rng.normal()).vectors;
  return embed(n, dim, (rng, row, column) => centers[(row % clusters) * dim + column] + rng.normal());
}

const rowsOf = (table: NeighborTable) => table.nodes.map((_, i) => neighborsInRow(table, i));

function expectSame(found: ReturnType<typeof rowsOf>, expected: ReturnType<typeof rowsOf>): void {
  expect(found.map((row) => row.map(({ node }) => node))).toEqual(expected.map((row) => row.map(({ node }) => node)));
  found.forEach((row, i) => {
    // the table holds float32
    for (const [e, { cosine }] of row.entries()) expect(cosine).toBeCloseTo(expected[i][e].cosine, 6);
  });
}

/** Share of the exact neighbours in another table. */
function recallOf(table: NeighborTable, exact: NeighborTable): number {
  let hits = 0;
  for (let i = 0; i < exact.nodes.length; i++) {
    const own = new Set(table.indices.subarray(i * table.k, (i + 1) * table.k));
    for (let e = i * exact.k; e < (i + 1) * exact.k; e++) if (own.has(exact.indices[e])) hits++;
  }
  return hits / exact.indices.length;
}

describe("exact neighbours", () => {
  const embedding = embed(150, 7, (rng) => rng.normal());
  embedding.vectors.fill(0, 7 * 7, 8 * 7);
  embedding.vectors.copyWithin(20 * 7, 30 * 7, 31 * 7);

  test("of a few nodes are the same, also of a node without a direction and of equal vectors", async () => {
    const nodes = [3, 7, 20, 149];
    const table = await nearestNeighbors(embedding, { k: 9, nodes: nodes.map((node) => `n${node}`), engine });
    const found = nearestOfFew(embedding, nodes, 9);
    expect(found.map((list) => list.map(({ node, cosine }) => ({ node: `n${node}`, cosine })))).toEqual(rowsOf(table));
  });

  test.each(engines)("agree with neighbors-of-node on $description", async (each) => {
    const table = await nearestNeighbors(embedding, { k: 9, center: false, engine: each });
    expect(table.search).toEqual({ method: "exact" });
    expectSame(
      rowsOf(table),
      embedding.ids.map((_, i) => nearestNodes(embedding, i, 9)),
    );
    expect(neighborsInRow(table, 7)).toEqual([]);
    expect(neighborsInRow(table, 20)[0]).toEqual({ node: "n30", cosine: 1 });
  });

  test("are those of centred vectors by default", async () => {
    const table = await nearestNeighbors(embedding, { k: 5, nodes: ["n3", "n7"], engine });
    expect(table.centered).toBe(true);
    const middle = centered(embedding);
    expectSame(rowsOf(table), [nearestNodes(middle, 3, 5), nearestNodes(middle, 7, 5)]);
  });

  test("are padded if a node has fewer than k candidates", async () => {
    const table = await nearestNeighbors(embedding, { k: 200, nodes: ["n0"], center: false, engine });
    expect(table.indices).toHaveLength(200);
    // not the node itself, not the zero vector
    expect(neighborsInRow(table, 0)).toHaveLength(148);
    expect(table.indices[148]).toBe(NO_NEIGHBOR);
    expect(table.cosines[148]).toBeNaN();
    const alone = await nearestNeighbors(
      embed(1, 3, () => 1),
      { center: false, engine },
    );
    expect(rowsOf(alone)).toEqual([[]]);
    const none = await nearestNeighbors({ ids: [], dim: 3, vectors: new Float32Array(0) }, { engine });
    expect(rowsOf(none)).toEqual([]);
    // equal vectors minus their mean have no direction
    const equal = await nearestNeighbors(
      embed(4, 3, () => 0.1),
      { engine },
    );
    expect(rowsOf(equal)).toEqual([[], [], [], []]);
  });

  test("equal cosines are ordered by node", async () => {
    const table = await nearestNeighbors(
      embed(90, 3, () => 0.1),
      { k: 4, center: false, engine },
    );
    expect([...table.indices.subarray(0, 8)]).toEqual([1, 2, 3, 4, 0, 2, 3, 4]);
    expect([...table.indices.subarray(89 * 4)]).toEqual([0, 1, 2, 3]);
  });

  test("may be restricted to some nodes, and searched for other vectors", async () => {
    const among = ["n9", "n4", "n7", "n30", "n4"];
    const table = await nearestNeighbors(embedding, { k: 9, nodes: ["n4", "n5"], among, center: false, engine });
    expect(rowsOf(table).map((row) => row.map(({ node }) => node).sort())).toEqual([
      ["n30", "n9"],
      ["n30", "n4", "n9"],
    ]);
    const queries = { ids: ["new", "n4"], dim: 7, vectors: embedding.vectors.slice(4 * 7, 6 * 7) };
    queries.vectors.copyWithin(7, 0, 7);
    const other = await nearestNeighbors(embedding, { k: 2, queries, engine });
    expect(other.nodes).toEqual(["new", "n4"]);
    expect(neighborsInRow(other, 0)[0]).toEqual({ node: "n4", cosine: 1 });
    // the same id is the same node
    expect(neighborsInRow(other, 1)[0].node).toBe(neighborsInRow(other, 0)[1].node);
  });

  test("refuses unknown ids, bad options and other dims", async () => {
    const refused = (options: object) => expect(nearestNeighbors(embedding, options)).rejects;
    await refused({ nodes: ["n500"] }).toThrow('nodes: no node "n500" among 150');
    await refused({ among: ["m1"] }).toThrow('among: no node "m1"');
    await refused({ k: 0 }).toThrow("k is 0");
    await refused({ method: "fast" }).toThrow('method is "fast"');
    await refused({ nodes: ["n1"], queries: embedding }).toThrow("both given");
    await refused({ queries: embed(2, 3, () => 1) }).toThrow("3 numbers each; expected 7");
    await refused({ signal: AbortSignal.abort(new Error("enough")), engine }).toThrow("enough");
  });
});

describe("approximate neighbours", () => {
  test.each([
    ["a mixture", mixture(2000, 12, 40)],
    ["one cloud", embed(2000, 12, (rng) => rng.normal())],
  ])("of %s: the recall is the reported one, and the bits do not depend on the threads", async (_, embedding) => {
    const [table, again] = await Promise.all(
      engines.map((each) => nearestNeighbors(embedding, { k: 10, method: "approximate", engine: each })),
    );
    const exact = await nearestNeighbors(embedding, { k: 10, method: "exact", engine });
    const { search } = table;
    if (search.method !== "approximate") throw new Error("exact");
    expect(search.sampled).toBe(1000);
    expect(search.probes).toBeLessThan(search.lists);
    expect(search.recall).toBeGreaterThanOrEqual(0.95);
    // a thousand sampled nodes with ten neighbours each: a standard error below 0.003
    expect(recallOf(table, exact)).toBeCloseTo(search.recall, 1.7);
    expect(again.indices).toEqual(table.indices);
    expect(again.cosines).toEqual(table.cosines);
    expect(again.search).toEqual(table.search);
  });

  test("work with few nodes, with duplicates, and for some nodes among others", async () => {
    const small = embed(20, 4, (rng) => rng.normal());
    const [fast, whole] = await Promise.all(
      (["approximate", "exact"] as const).map((method) => nearestNeighbors(small, { k: 30, method, engine })),
    );
    expect(fast.search).toMatchObject({ method: "approximate", recall: 1 });
    expect(fast.indices).toEqual(whole.indices);
    const copies = embed(600, 3, (_, row, column) => (row % 3 === column ? 1 : 0));
    const found = await nearestNeighbors(copies, { k: 5, method: "approximate", center: false, engine });
    expect(found.search).toMatchObject({ recall: 1 });
    expect([...found.indices.subarray(0, 5)]).toEqual([3, 6, 9, 12, 15]);
    const some = mixture(2000, 8, 10);
    const options = { k: 5, nodes: some.ids.slice(0, 700), among: some.ids.slice(500, 1500), engine } as const;
    const [near, exact] = await Promise.all([
      nearestNeighbors(some, { ...options, method: "approximate" }),
      nearestNeighbors(some, { ...options, method: "exact" }),
    ]);
    expect(recallOf(near, exact)).toBeGreaterThan(0.94);
    expect(near.indices.every((place) => place >= 500 && place < 1500)).toBe(true);
  });
});
