/** The loss of one step of the models that walk, against plain loops over what was drawn. */

import { expect, test } from "vitest";
import { Rng } from "../../src/core/rng.js";
import type { Multiplex } from "../../src/graph/multiplex.js";
import { gatne } from "../../src/models/index.js";
import type { TrainableGraph } from "../../src/train/train.js";
import { dot, runStep, type Step, someGraph, surprise } from "./run-step.js";

/** Neighbours by relation, directions dropped. */
function neighborLists({ relations, numNodes }: Multiplex): number[][][] {
  return relations.map(({ rowStart, columns }) => {
    const lists = Array.from({ length: numNodes }, () => new Set<number>());
    for (let i = 0; i < numNodes; i++) {
      for (const j of columns.subarray(rowStart[i], rowStart[i + 1])) {
        lists[i].add(j);
        lists[j].add(i);
      }
    }
    return lists.map((list) => [...list]);
  });
}

const sumOf = (rows: readonly number[][]) => rows[0].map((_, k) => rows.reduce((sum, row) => sum + row[k], 0));
const times = (factor: number, row: readonly number[]) => row.map((x) => factor * x);
/** x·W, rows of W given by `row`. */
const product = (x: readonly number[], row: (k: number) => number[]) =>
  sumOf(x.map((value, k) => times(value, row(k))));

/** Expected visits of walks of `length` nodes, one from each node of each relation: all walks, step by step. */
function visitsOf(neighbors: readonly number[][][], length: number): number[] {
  const visits = neighbors[0].map(() => 0);
  for (const lists of neighbors) {
    let here = lists.map((list) => Math.sign(list.length));
    for (let step = 0; step < length; step++) {
      here.forEach((mass, i) => {
        visits[i] += mass;
      });
      here = lists.map((list) => list.reduce((sum, j) => sum + here[j] / lists[j].length, 0));
    }
  }
  return visits;
}

function withFeatures(graph: Multiplex): TrainableGraph {
  const rng = new Rng(8, "features");
  const rows = Array.from({ length: graph.numNodes }, () => [0, 1, 2, 3, 4].filter(() => rng.uniform() < 0.5));
  const rowStart = [0];
  for (const row of rows) rowStart.push(rowStart[rowStart.length - 1] + row.length);
  const columns = Uint32Array.from(rows.flat());
  return { ...graph, features: { names: [..."abcde"], numColumns: 5, rowStart: Uint32Array.from(rowStart), columns } };
}

test.each([
  [false, {}],
  [true, {}],
  [false, { neighbors: "sum", objective: "negative-sampling" }],
  [false, { features: true }],
] as const)("gatne, directed: %s, %j", async (directed, given) => {
  const plain = someGraph(directed);
  const graph = "features" in given ? withFeatures(plain) : plain;
  const [s, a, length, window, negatives, batch] = [3, 4, 5, 2, 2, 8];
  const sizes = { dim: 6, edgeDim: s, attentionDim: a, walkLength: length, window, negatives, batch };
  const step = await runStep(gatne, graph, { ...sizes, ...given });
  const neighbors = neighborLists(graph);
  const numRelations = neighbors.length;
  const [walks] = step.drawn("randomWalks");
  const [noise] = step.drawn("sampleNodes");

  const { base, edge } = inputRows(step, graph, s);
  const aggregated = (i: number, t: number) => {
    const list = neighbors[t][i];
    if (list.length === 0) return edge(i, t);
    return times("neighbors" in given ? 1 : 1 / list.length, sumOf(list.map((k) => edge(k, t))));
  };
  const vector = (i: number, r: number) => {
    const mixed = neighbors.map((_, t) => aggregated(i, t));
    const scores = mixed.map((u) => {
      const hidden = product(u, (k) => step.row("attention.hidden", r * s + k)).map(Math.tanh);
      return dot(
        hidden,
        hidden.map((_, k) => step.row("attention.score", r * a + k)[0]),
      );
    });
    const total = scores.reduce((sum, score) => sum + Math.exp(score), 0);
    const mean = sumOf(mixed.map((u, t) => times(Math.exp(scores[t]) / total, u)));
    const v = sumOf([base(i), product(mean, (k) => step.row("transform", r * s + k))]);
    return times(1 / Math.sqrt(dot(v, v)), v);
  };

  const visits = visitsOf(neighbors, length);
  const all = visits.reduce((x, y) => x + y);
  const ranked = [...visits.keys()].filter((i) => visits[i] > 0).sort((i, j) => visits[j] - visits[i]);
  const logit = (v: readonly number[], j: number) => {
    if ("objective" in given) return dot(v, step.row("context", j));
    const rank = ranked.indexOf(j);
    const law = Math.log((rank + 2) / (rank + 1)) / Math.log(ranked.length + 1);
    return (
      dot(v, step.row("context", j)) + step.row("bias", j)[0] + Math.log(visits[j] / all) - Math.log(negatives * law)
    );
  };
  // walks of the first relation come first; the third relation has none
  const shares = neighbors.map((lists) => lists.filter((list) => list.length > 0).length);
  const first = Math.round((batch * shares[0]) / (shares[0] + shares[1]));
  expect(numRelations).toBe(3);
  let [expected, pairs] = [0, 0];
  for (let place = 0; place < walks.length; place++) {
    const r = Math.floor(place / length) < first ? 0 : 1;
    const i = place % length;
    if (i > 0) expect(neighbors[r][walks[place]]).toContain(walks[place - 1]);
    const v = vector(walks[place], r);
    for (let j = Math.max(0, i - window); j <= Math.min(length - 1, i + window); j++) {
      if (j === i) continue;
      pairs++;
      expected += surprise(logit(v, walks[place - i + j]));
      for (const n of noise.slice(place * negatives, (place + 1) * negatives)) expected += surprise(-logit(v, n));
    }
  }
  expect(walks.length).toBe(batch * length);
  // float64 both, summed in another order
  expect(Math.abs((step.loss * pairs) / expected - 1)).toBeLessThan(1e-12);
});

/** b and u of a node: rows of tables, or products of its features, which sum to 1, with the rows of matrices. */
function inputRows(step: Step, { features }: TrainableGraph, s: number) {
  const part = (row: readonly number[], t: number) => row.slice(t * s, (t + 1) * s);
  if (features === undefined) {
    return { base: (i: number) => step.row("base", i), edge: (i: number, t: number) => part(step.row("edge", i), t) };
  }
  const read = (name: string, i: number) => {
    const own = [...features.columns.subarray(features.rowStart[i], features.rowStart[i + 1])];
    const zero = times(0, step.row(name, 0));
    return times(1 / Math.max(1, own.length), sumOf([zero, ...own.map((f) => step.row(name, f))]));
  };
  return { base: (i: number) => read("base", i), edge: (i: number, t: number) => part(read("edge", i), t) };
}
