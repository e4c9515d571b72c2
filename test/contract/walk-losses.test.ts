/** The loss of one step of the models that walk, against plain loops over what was drawn. */

import { expect, test } from "vitest";
import { Rng } from "../../src/core/rng.js";
import type { Multiplex } from "../../src/graph/multiplex.js";
import { gatne, mne, pmne } from "../../src/models/index.js";
import { train } from "../../src/train/train.js";
import type { TrainableGraph } from "../../src/train/trainable.js";
import { dot, logisticLoss, runStep, type Step, someGraph } from "./run-step.js";

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
  const relationOf = relationsOfWalks(neighbors, batch);
  let [expected, pairs] = [0, 0];
  for (let place = 0; place < walks.length; place++) {
    const r = relationOf[Math.floor(place / length)];
    const i = place % length;
    if (i > 0) expect(neighbors[r][walks[place]]).toContain(walks[place - 1]);
    const v = vector(walks[place], r);
    for (let j = Math.max(0, i - window); j <= Math.min(length - 1, i + window); j++) {
      if (j === i) continue;
      pairs++;
      expected += logisticLoss(logit(v, walks[place - i + j]));
      for (const n of noise.slice(place * negatives, (place + 1) * negatives)) expected += logisticLoss(-logit(v, n));
    }
  }
  expect(walks.length).toBe(batch * length);
  // float64 both, summed in another order
  expect(Math.abs((step.loss * pairs) / expected - 1)).toBeLessThan(1e-12);
});

/** Walks of the first relation come first, in proportion to its nodes; the third relation of `someGraph` has none. */
function relationsOfWalks(neighbors: readonly number[][][], batch: number): number[] {
  const [a, b, c] = neighbors.map((lists) => lists.filter((list) => list.length > 0).length);
  expect(c).toBe(0);
  const first = Math.round((batch * a) / (a + b));
  return Array.from({ length: batch }, (_, walk) => (walk < first ? 0 : 1));
}

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

/** Contexts and X begin at zero, where most of the loss would not show. */
const random = { random: true };

test.each([
  ["n", false],
  ["n", true],
  ["r", false],
  ["c", true],
] as const)("pmne, method %s, directed: %s", async (method, directed) => {
  const graph = someGraph(directed);
  const [length, window, negatives, batch] = [6, 3, 2, 9];
  const step = await runStep(pmne, graph, { dim: 8, method, walkLength: length, window, negatives, batch }, random);
  const neighbors = neighborLists(graph);
  const [walks] = step.drawn("randomWalks");
  const noise = method === "r" ? step.drawn("sampleByGroup")[1] : step.drawn("sampleNodes")[1];
  const relationOf = relationsOfWalks(neighbors, batch);
  // 8 columns for 3 relations: as many as 3 each
  const vector = (table: string, i: number, d: number) => {
    const row = step.row(table, i);
    return method === "r" ? row.slice(3 * d, 3 * d + 3) : row;
  };
  const vectorAt = (place: number) => vector("vectors", walks[place], relationOf[Math.floor(place / length)]);
  const contextAt = (place: number, j: number) => vector("context", j, relationOf[Math.floor(place / length)]);
  for (let place = 0; place < walks.length; place++) {
    const d = relationOf[Math.floor(place / length)];
    const lists = method === "r" ? [neighbors[d]] : neighbors;
    if (place % length > 0) expect(lists.flatMap((list) => list[walks[place]])).toContain(walks[place - 1]);
    for (const n of noise.slice(place * negatives, (place + 1) * negatives)) {
      expect(lists.flatMap((list) => list[n]).length).toBeGreaterThan(0);
    }
  }
  expect(walks.length).toBe(batch * length);
  const expected = decreasingLoss({ walks, length, window, noise, negatives }, vectorAt, contextAt);
  // float64 both, but for the weights of pairs, which are float32
  expect(Math.abs(step.loss / expected - 1)).toBeLessThan(1e-7);
});

interface DrawnWalks {
  readonly walks: readonly number[];
  readonly length: number;
  readonly window: number;
  readonly noise: readonly number[];
  readonly negatives: number;
}

/** The mean over pairs, each with the weight (window + 1 − distance)/window; noise nodes of a place in each of its pairs. */
function decreasingLoss(
  { walks, length, window, noise, negatives }: DrawnWalks,
  vectorAt: (place: number) => number[],
  contextAt: (place: number, node: number) => number[],
): number {
  let [sum, total] = [0, 0];
  for (let place = 0; place < walks.length; place++) {
    const i = place % length;
    const x = vectorAt(place);
    for (let j = Math.max(0, i - window); j <= Math.min(length - 1, i + window); j++) {
      if (j === i) continue;
      const weight = (window + 1 - Math.abs(i - j)) / window;
      total += weight;
      sum += weight * logisticLoss(dot(x, contextAt(place, walks[place - i + j])));
      for (const n of noise.slice(place * negatives, (place + 1) * negatives)) {
        sum += weight * logisticLoss(-dot(x, contextAt(place, n)));
      }
    }
  }
  return sum / total;
}

test.each([false, true])("mne, directed: %s", async (directed) => {
  const graph = someGraph(directed);
  const [dim, s, length, window, negatives] = [6, 3, 5, 3, 2];
  const sizes = { dim, extraDim: s, walkLength: length, window, negatives, batch: 11, share: 0.5 };
  const step = await runStep(mne, graph, sizes, random);
  const [everywhere, inRelations] = step.drawn("randomWalks");
  const [, noiseEverywhere] = step.drawn("sampleNodes");
  const [, noiseInRelations] = step.drawn("sampleByGroup");
  const neighbors = neighborLists(graph);
  const count = inRelations.length / length;
  const active = neighbors.map((lists) => lists.filter((list) => list.length > 0).length);
  const total = graph.numNodes;
  expect(everywhere.length).toBe(11 * length);
  expect(count).toBe(
    active.filter((n) => n > 0).reduce((sum, n) => sum + Math.max(1, Math.round((0.5 * 11 * n) / total)), 0),
  );
  const first = Math.max(1, Math.round((0.5 * 11 * active[0]) / total));
  const relationAt = (place: number) => (Math.floor(place / length) < first ? 0 : 1);
  const drawn = { length, window, negatives };
  const base = (node?: number, delta: readonly number[] = []) =>
    decreasingLoss(
      { ...drawn, walks: everywhere, noise: noiseEverywhere },
      (place) => step.row("base", everywhere[place]).map((x, k) => (everywhere[place] === node ? x + delta[k] : x)),
      (_, j) => step.row("baseContext", j),
    );
  const relations = decreasingLoss(
    { ...drawn, walks: inRelations, noise: noiseInRelations },
    (place) => {
      const [i, k] = [inRelations[place], relationAt(place)];
      const u = step.row("extra", i).slice(k * s, (k + 1) * s);
      return sumOf([step.row("base", i), product(u, (row) => step.row("transform", k * s + row))]);
    },
    (place, j) => step.row("context", j).slice(relationAt(place) * dim, (relationAt(place) + 1) * dim),
  );
  expect(Math.abs(step.loss / (base() + relations) - 1)).toBeLessThan(1e-7);
  // the common vectors learn from the graph of all relations alone
  const node = everywhere.find((i) => inRelations.includes(i))!;
  step.gradient("base", node).forEach((slope, k) => {
    const [up, down] = [1e-5, -1e-5].map((h) =>
      base(
        node,
        Array.from({ length: dim }, (_, c) => (c === k ? h : 0)),
      ),
    );
    expect(slope).toBeCloseTo((up - down) / 2e-5, 7);
  });
});

test("pmne, method r: dim columns in all, of every relation its share", async () => {
  const run = await train(someGraph(false), pmne, { method: "r", dim: 8, epochs: 2, threads: 1 });
  const { dim, vectors } = run.embedding;
  expect(dim).toBe(8);
  // columns 3 + 3 + 2; the third relation has no edges, so its columns keep their start
  for (let column = 0; column < 8; column++) {
    const largest = Math.max(...vectors.filter((_, e) => e % 8 === column).map(Math.abs));
    expect(largest > 0.0625).toBe(column < 6);
    expect(largest).toBeGreaterThan(0);
  }
  await expect(train(someGraph(false), pmne, { method: "r", dim: 2 })).rejects.toThrow(/dim is 2 for 3 relations/);
});
