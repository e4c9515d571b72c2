/** The columns of single relations. */

import { expect, test } from "vitest";
import { Rng } from "../../../core/rng.js";
import { referenceEngine } from "../../../engine/reference.js";
import { RELATION_COLUMNS } from "../constants.js";
import { closedShare } from "../significance/closed-share.js";
import { graphOf, twoGroups } from "../test-graphs.js";
import type { SimpleGraph } from "../weights/edge-copies.js";
import { relationColumns } from "./relation-columns.js";

const tools = { engine: referenceEngine, seed: 1 };
const numNodes = 120;

/** A union of disjoint cliques; `cliques` names the clique of each node. */
function unionOfCliques(cliques: readonly number[]) {
  const nodes = cliques.map((_, i) => i);
  return graphOf(nodes.map((i) => nodes.filter((j) => j !== i && cliques[j] === cliques[i])));
}

function columnsOf(relations: readonly SimpleGraph[]) {
  const isClosed = (relation: SimpleGraph) => closedShare(relation, new Rng(1, "paths")) >= RELATION_COLUMNS.minClosed;
  const candidates = [...relations.keys()].filter((d) => isClosed(relations[d]));
  return relationColumns(relations, candidates, tools);
}

test("the product of two nodes follows the common neighbours within the relation", async () => {
  // four cliques of 10 and four of 20 nodes
  const cliques = Array.from({ length: numNodes }, (_, i) => (i < 40 ? Math.floor(i / 10) : 2 + Math.floor(i / 20)));
  const order = new Uint32Array(numNodes);
  new Rng(2, "order").permutation(order);
  const shuffled = cliques.map((_, i) => cliques[order[i]]);
  const empty = graphOf(cliques.map(() => []));
  const noise = twoGroups(numNodes, 0.08, 0.08, 3);
  const relations = [unionOfCliques(cliques), empty, unionOfCliques(shuffled), noise];
  const { data, width } = await columnsOf(relations);
  const row = (i: number, d: number) => [...data.subarray((i * 4 + d) * width, (i * 4 + d + 1) * width)];
  const product = (i: number, j: number, d: number) => row(i, d).reduce((sum, x, k) => sum + x * row(j, d)[k], 0);
  // eigenvalue of a clique of m nodes: (m − 1)/(m − 1 + τ), where τ is the mean degree; a node has 1/√m in its eigenvector
  const tau = (40 * 9 + 80 * 19) / numNodes;
  const expected = (m: number) => ((m - 1) / (m - 1 + tau)) ** 2 / m;
  expect(product(0, 1, 0) / product(50, 51, 0)).toBeCloseTo(expected(10) / expected(20), 3);
  expect(product(0, 30, 0)).toBeCloseTo(0, 3);
  const square = Array.from({ length: numNodes }, (_, i) => product(i, i, 0)).reduce((sum, x) => sum + x, 0);
  expect(Math.sqrt(square / numNodes)).toBeCloseTo(2, 4);
  // the second union of cliques has its own columns, the other relations have none
  const [first, second] = [0, 1].map((k) => shuffled.map((_, i) => i).filter((i) => shuffled[i] === 4)[k]);
  expect(product(first, second, 2)).toBeGreaterThan(1);
  for (let i = 0; i < numNodes; i++) expect([...row(i, 1), ...row(i, 3)].every((x) => x === 0)).toBe(true);
});

test("groups without closed paths, a single relation, and too many relations have no columns", async () => {
  const cliques = unionOfCliques(Array.from({ length: numNodes }, (_, i) => i % 6));
  // two groups are significant, but only about a fifth of the paths is closed
  const groups = [4, 5].map((seed) => twoGroups(numNodes, 0.2, 0.01, seed));
  for (const relations of [[cliques], groups, Array.from({ length: 65 }, () => cliques)]) {
    expect((await columnsOf(relations)).width).toBe(0);
  }
});
