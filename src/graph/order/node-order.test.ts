/** Orders of nodes: permutations that bring the nodes of planted groups together. */

import { describe, expect, it } from "vitest";
import { Rng } from "../../core/rng.js";
import type { CsrPattern } from "../../numeric/csr.js";
import { contract, findGroups, moveNodes, sampleEdges } from "./group-levels.js";
import { groupedOrder } from "./node-order.js";
import { placesIn } from "./reorder-nodes.js";

const numNodes = 8000;
const GROUP = 200;

/** A symmetric pattern of these pairs of nodes. */
function pattern(count: number, pairs: readonly (readonly [number, number])[]): CsrPattern {
  const rows: number[][] = Array.from({ length: count }, () => []);
  for (const [a, b] of pairs) {
    rows[a].push(b);
    rows[b].push(a);
  }
  const rowStart = new Uint32Array(count + 1);
  for (const [i, row] of rows.entries()) rowStart[i + 1] = rowStart[i] + row.length;
  return { rowStart, columns: Uint32Array.from(rows.flat()) };
}

/** Planted groups whose nodes have random numbers: 4 edges a node in two relations, a tenth of them between any two nodes. */
function planted(seed: number): { relations: CsrPattern[]; groupOf: Uint32Array } {
  const rng = new Rng(seed, "planted groups");
  const node = new Uint32Array(numNodes);
  rng.permutation(node);
  const groupOf = new Uint32Array(numNodes);
  for (let i = 0; i < numNodes; i++) groupOf[node[i]] = Math.floor(i / GROUP);
  const draw = (): [number, number] => {
    const a = rng.below(numNodes);
    const b = rng.below(10) === 0 ? rng.below(numNodes) : a - (a % GROUP) + rng.below(GROUP);
    return [node[a], node[b]];
  };
  const relations = [0, 1].map(() => pattern(numNodes, Array.from({ length: 2 * numNodes }, draw)));
  return { relations, groupOf };
}

describe("groupedOrder", () => {
  const { relations, groupOf } = planted(1);
  const order = groupedOrder(relations, numNodes);

  it("contains every node once", () => {
    expect(order.toSorted()).toEqual(Uint32Array.from({ length: numNodes }, (_, i) => i));
  });

  it("places nine of ten nodes of a planted group within a span of twice its size", () => {
    const place = placesIn(order);
    for (let group = 0; group < numNodes / GROUP; group++) {
      const places = place.filter((_, i) => groupOf[i] === group).sort();
      const count = Math.ceil(0.9 * GROUP);
      const spans = Array.from(places.subarray(count - 1), (last, k) => last - places[k]);
      expect(Math.min(...spans)).toBeLessThan(2 * GROUP);
    }
  });

  it("is the same for equal graphs, and another one for other graphs", () => {
    expect(groupedOrder(planted(1).relations, numNodes)).toEqual(order);
    expect(groupedOrder(planted(2).relations, numNodes)).not.toEqual(order);
  });

  it("takes graphs without edges, with a single edge and with a hub", () => {
    const identity = Uint32Array.of(0, 1, 2, 3, 4);
    expect(groupedOrder([pattern(5, [])], 5)).toEqual(identity);
    expect(groupedOrder([pattern(5, [[0, 3]])], 5)).toEqual(Uint32Array.of(0, 3, 1, 2, 4));
    const star = pattern(
      100,
      Array.from({ length: 99 }, (_, i) => [0, i + 1]),
    );
    expect(groupedOrder([star], 100).toSorted()).toEqual(Uint32Array.from({ length: 100 }, (_, i) => i));
  });

  it("places groups of groups side by side", () => {
    // cliques of 5 nodes, in pairs with three edges between them; one edge connects each pair to the next one
    const pairs: [number, number][] = [];
    for (let clique = 0; clique < 40; clique++) {
      for (let a = 0; a < 5; a++) for (let b = 0; b < a; b++) pairs.push([5 * clique + a, 5 * clique + b]);
    }
    for (let k = 0; k < 20; k++) {
      for (let edge = 0; edge < 3; edge++) pairs.push([5 * k + edge, 5 * (k + 20) + edge]);
      pairs.push([5 * k + 4, 5 * ((k + 1) % 20) + 4]);
    }
    const place = placesIn(groupedOrder([pattern(200, pairs)], 200));
    for (let k = 0; k < 20; k++) {
      const both = [k, k + 20].flatMap((clique) => [...place.subarray(5 * clique, 5 * clique + 5)]);
      expect(Math.max(...both) - Math.min(...both)).toBe(9);
    }
  });
});

describe("groups of one level", () => {
  // two triangles with an edge between them
  const triangles = pattern(6, [
    [0, 1],
    [1, 2],
    [0, 2],
    [2, 3],
    [3, 4],
    [4, 5],
    [3, 5],
  ]);

  it("are no larger than the limit", () => {
    const { relations } = planted(3);
    const edges = sampleEdges(relations, numNodes);
    for (const limit of [1, 7, 20]) {
      const { of, count } = findGroups(edges, limit);
      const sizes = new Uint32Array(count);
      for (const group of of) sizes[group]++;
      expect(Math.min(...sizes)).toBeGreaterThan(0);
      expect(Math.max(...sizes)).toBe(limit);
    }
  });

  it("become nodes whose edges have the added weights", () => {
    const edges = sampleEdges([triangles, triangles], 6);
    const pairs = contract(edges, { of: Uint32Array.of(0, 0, 1, 1, 2, 2), count: 3 });
    expect(pairs).toEqual({
      numNodes: 3,
      rowStart: Uint32Array.of(0, 1, 3, 4),
      columns: Uint32Array.of(1, 0, 2, 1),
      weights: Uint32Array.of(4, 4, 4, 4),
      sizes: Uint32Array.of(2, 2, 2),
    });
    expect(contract(pairs, { of: Uint32Array.of(0, 1, 0), count: 2 })).toEqual({
      numNodes: 2,
      rowStart: Uint32Array.of(0, 1, 2),
      columns: Uint32Array.of(1, 0),
      weights: Uint32Array.of(8, 8),
      sizes: Uint32Array.of(4, 2),
    });
  });

  it("lose nodes whose neighbours are in another larger group", () => {
    const edges = sampleEdges([triangles], 6);
    // node 2 is in the small group 2 of the second triangle
    const of = Uint32Array.of(0, 0, 2, 1, 2, 2);
    moveNodes(edges, { of, count: 3 }, Uint32Array.of(0, 1, 1));
    expect(of).toEqual(Uint32Array.of(0, 0, 0, 1, 2, 2));
  });

  it("read at most 16 neighbours of a node, from all relations", () => {
    const hub = pattern(
      41,
      Array.from({ length: 40 }, (_, i) => [0, i + 1]),
    );
    const pair = pattern(41, [[1, 2]]);
    const { rowStart, columns } = sampleEdges([hub, pair], 41);
    // every third of 40
    expect([...columns.subarray(0, rowStart[1])]).toEqual(Array.from({ length: 14 }, (_, k) => 3 * k + 1));
    expect([...columns.subarray(rowStart[1], rowStart[2])]).toEqual([0, 2]);
  });
});
