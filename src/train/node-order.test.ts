/** Large graphs are computed in another node order; results are the same as in the original order. */

import { expect, test } from "vitest";
import { Rng } from "../core/rng.js";
import type { Multiplex, Relation } from "../graph/multiplex.js";
import { GROUP_SIZE, localOrder, MIN_NODES } from "../graph/order/node-order.js";
import { reorderTables } from "../graph/order/reorder-nodes.js";
import { hmge } from "../models/hmge.js";
import { startRun } from "./train.js";

const numNodes = MIN_NODES + 1000;
const GROUP = 50;

/** Weighted edges inside groups whose node numbers are scattered; a `strayShare` of the edges join any two nodes. */
function scattered(seed: number, strayShare: number, edgesPerNode = 2): Multiplex {
  const rng = new Rng(seed, "scattered");
  const node = new Uint32Array(numNodes);
  rng.permutation(node);
  const edges = new Map<number, number>();
  for (let e = 0; e < edgesPerNode * numNodes; e++) {
    const a = rng.below(numNodes);
    const first = a - (a % GROUP);
    const b = rng.uniform() < strayShare ? rng.below(numNodes) : first + rng.below(Math.min(GROUP, numNodes - first));
    if (a !== b) edges.set(Math.min(node[a], node[b]) * numNodes + Math.max(node[a], node[b]), 1 + rng.below(3));
  }
  const rows: [number, number][][] = Array.from({ length: numNodes }, () => []);
  for (const [key, weight] of edges) {
    const [a, b] = [Math.floor(key / numNodes), key % numNodes];
    rows[a].push([b, weight]);
    rows[b].push([a, weight]);
  }
  const rowStart = new Uint32Array(numNodes + 1);
  for (const [i, row] of rows.entries()) rowStart[i + 1] = rowStart[i] + row.sort(([a], [b]) => a - b).length;
  const all = rows.flat();
  const relation: Relation = {
    name: "r",
    rowStart,
    columns: Uint32Array.from(all, ([column]) => column),
    values: Float32Array.from(all, ([, weight]) => weight),
    numEdges: edges.size,
  };
  return {
    numNodes,
    ids: Array.from({ length: numNodes }, (_, i) => `n${String(i).padStart(6, "0")}`),
    relations: [relation],
    directed: false,
    report: { rows: edges.size, selfLoops: 0, parallelEdges: 0, zeroWeights: 0 },
  };
}

const edgesByName = ({ ids, relations: [{ rowStart, columns, values }] }: Multiplex) => {
  const found = new Map<string, number>();
  for (let i = 0; i < ids.length; i++) {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) found.set(`${ids[i]} ${ids[columns[e]]}`, values?.[e] ?? 1);
  }
  return found;
};

/** The graph with its nodes, and their ids, in another order. */
const reordered = (graph: Multiplex, order: Uint32Array): Multiplex => {
  return { ...graph, ids: Array.from(order, (node) => graph.ids[node]), ...reorderTables(graph, order) };
};

test("an order is found if it brings neighbours together, and contains every node once", () => {
  const graph = scattered(1, 0.1);
  const order = localOrder(graph.relations, numNodes);
  expect(order).toBeDefined();
  expect(Uint32Array.from(order!).sort()).toEqual(Uint32Array.from({ length: numNodes }, (_, i) => i));
  const ordered = reordered(graph, order!);
  expect(edgesByName(ordered)).toEqual(edgesByName(graph));
  const [{ rowStart, columns }] = ordered.relations;
  let near = 0;
  for (let i = 0; i < numNodes; i++) {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
      if (e > rowStart[i] && columns[e] <= columns[e - 1]) throw new Error(`row ${i} is not in order`);
      if (Math.abs(columns[e] - i) < GROUP_SIZE) near++;
    }
  }
  expect(near / columns.length).toBeGreaterThan(0.5);
  // no order for a graph that is already ordered, for a graph without groups, and for a small graph
  expect(localOrder(ordered.relations, numNodes)).toBeUndefined();
  expect(localOrder(scattered(2, 1, 6).relations, numNodes)).toBeUndefined();
  expect(localOrder(graph.relations, MIN_NODES - 1)).toBeUndefined();
});

test("vectors and parameters are returned under their own ids, bit for bit", async () => {
  const graph = scattered(1, 0.1);
  const ordered = reordered(graph, localOrder(graph.relations, numNodes)!);
  const trained = async (of: Multiplex) => {
    const run = await startRun(of, hmge, { dim: 4, epochs: 1, seed: 1, threads: 2, tableWidth: 4 });
    try {
      for await (const _ of run);
      const { ids, vectors } = await run.readEmbedding();
      expect(ids).toEqual(of.ids);
      const tables = (await run.parameters()).filter(({ rows }) => rows === numNodes);
      expect(tables.length).toBeGreaterThan(0);
      // the same, read in slices
      const rows = await run.vectors();
      expect(rows.range(1000, 1002)).toEqual(vectors.slice(4000, 4008));
      expect(rows.at(Uint32Array.of(7, 5))).toEqual(
        Float32Array.of(...vectors.slice(28, 32), ...vectors.slice(20, 24)),
      );
      const sliced = run.parameterTables().find(({ name }) => name === tables[0].name)!;
      expect(await sliced.range(1000, 1002)).toEqual(tables[0].data.slice(1000 * sliced.cols, 1002 * sliced.cols));
      return [vectors, ...tables.map(({ data }) => Float32Array.from(data))];
    } finally {
      await run.dispose();
    }
  };
  const original = await trained(graph);
  const direct = await trained(ordered);
  const place = new Map(graph.ids.map((id, i) => [id, i]));
  original.forEach((rows, k) => {
    const width = rows.length / numNodes;
    const expected = new Float32Array(rows.length);
    for (const [i, id] of ordered.ids.entries()) {
      expected.set(direct[k].subarray(i * width, (i + 1) * width), place.get(id)! * width);
    }
    expect(Buffer.compare(Buffer.from(rows.buffer), Buffer.from(expected.buffer))).toBe(0);
  });
});
