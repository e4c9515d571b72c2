/** Random walks and their pairs: equal on every engine, along edges, with the documented probabilities. */

import { describe, expect, test } from "vitest";
import { Rng } from "../../src/core/rng.js";
import {
  interleaveIndex,
  MISSING,
  randomKey,
  randomWalks,
  type WalkAttributes,
  windowPairs,
} from "../../src/engine/ops/index.js";
import type { ProgramBuilder } from "../../src/engine/program.js";
import type { SparseOperator } from "../../src/engine/sparse.js";
import { randomIndex } from "./gather-cases.js";
import { engines, expectEqual, replay } from "./replay.js";
import { randomSparse } from "./sparse-cases.js";

const directed = { rows: 60, cols: 60, density: 0.08 };
const relations = {
  one: [randomSparse({ ...directed, symmetric: true })],
  weighted: [randomSparse({ ...directed, weighted: true })],
  three: [
    randomSparse({ ...directed, symmetric: true, seed: 2 }),
    randomSparse({ ...directed, weighted: true, seed: 3 }),
    randomSparse({ ...directed, density: 0, seed: 4 }),
  ],
};

/** Starts of `count` walks: the nodes of `starts` in turn. */
function walksFrom(starts: readonly number[], count: number, graph: readonly SparseOperator[], how: WalkAttributes) {
  return (builder: ProgramBuilder) => {
    const data = Uint32Array.from({ length: count }, (_, i) => starts[i % starts.length]);
    const begins = builder.constant(data, count, 1, "index");
    return [randomWalks({ key: randomKey(builder, "walk"), starts: begins }, graph, how)];
  };
}

const everyNode = Array.from({ length: 60 }, (_, i) => i);

describe.each(engines)("$description equals the reference", (engine) => {
  test.each([
    [1, 1, 1],
    [70, 10, 3],
    [200, 1, 7],
  ])("interleaveIndex: %i × %i, %i groups", async (rows, cols, count) => {
    await expectEqual(engine, (builder) => {
      const index = randomIndex(builder, "index", { rows, cols, bound: 90, missing: 0.1 });
      const group = randomIndex(builder, "group", { rows, cols: 1, bound: count, missing: 0.1 });
      return [interleaveIndex(index, group, count)];
    });
  });

  test.each([
    ["one", { length: 12 }],
    ["one", { length: 1 }],
    ["one", { length: 20, p: 0.25, q: 4 }],
    ["weighted", { length: 12 }],
    ["weighted", { length: 30, p: 4, q: 0.5 }],
    ["three", { length: 25, stay: 0.5 }],
    ["three", { length: 25, stay: 0, p: 2, q: 2 }],
    ["three", { length: 9, stay: 1, q: 1e9 }],
  ] as const)("randomWalks over %s, %o", async (name, how) => {
    await expectEqual(engine, walksFrom([...everyNode, MISSING], 333, relations[name], how));
    await expectEqual(engine, (builder) => {
      const starts = randomIndex(builder, "starts", { rows: 50, cols: 1, bound: 60, missing: 0.1 });
      const relation = randomIndex(builder, "relation", {
        rows: 50,
        cols: 1,
        bound: relations[name].length,
        missing: 0.2,
      });
      return [randomWalks({ key: randomKey(builder, "walk"), starts, relation }, relations[name], how)];
    });
  });

  test.each([
    [1, 1, 1],
    [70, 2, 3],
    [100, 10, 4],
    [3, 7, 20],
  ])("windowPairs of %i walks of %i, window %i", async (rows, cols, window) => {
    await expectEqual(engine, (builder) => {
      const walks = randomIndex(builder, "walks", { rows, cols, bound: 50, missing: 0.1 });
      const all = windowPairs(walks, window);
      const near = windowPairs(walks, window, randomKey(builder, "window"));
      return [all.left, all.right, near.left, near.right];
    });
  });
});

function neighbors({ rowStart, columns }: SparseOperator, node: number): number[] {
  return [...columns.subarray(rowStart[node], rowStart[node + 1])];
}

test("walks follow edges and end only at nodes without out-neighbours", async () => {
  for (const graph of Object.values(relations)) {
    const length = 15;
    const [walks] = await replay(engines[1], 1, walksFrom(everyNode, 600, graph, { length, stay: 0.7, p: 0.5, q: 2 }));
    for (let e = 0; e < walks.length; e++) {
      if (e % length === 0) continue;
      const ways = walks[e - 1] === MISSING ? [] : graph.flatMap((matrix) => neighbors(matrix, walks[e - 1]));
      if (walks[e] === MISSING) expect(ways).toEqual([]);
      else expect(ways).toContain(walks[e]);
    }
  }
});

/** Expects every observed number within five standard deviations of its probability. */
function expectFrequencies(counts: ReadonlyMap<number, number>, weights: ReadonlyMap<number, number>): void {
  const total = [...counts.values()].reduce((a, b) => a + b, 0);
  const whole = [...weights.values()].reduce((a, b) => a + b, 0);
  expect(total).toBeGreaterThan(2000);
  for (const key of new Set([...counts.keys(), ...weights.keys()])) {
    const p = (weights.get(key) ?? 0) / whole;
    const deviation = Math.sqrt(p * (1 - p) * total);
    expect(Math.abs((counts.get(key) ?? 0) - p * total), `${key}`).toBeLessThanOrEqual(5 * deviation);
  }
}

function tally(values: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

test("steps follow the weights", async () => {
  const [matrix] = relations.weighted;
  for (const node of [0, 7]) {
    const [walks] = await replay(engines[2], 5, walksFrom([node], 20_000, [matrix], { length: 2 }));
    const [begin, end] = [matrix.rowStart[node], matrix.rowStart[node + 1]];
    const weights = new Map<number, number>();
    for (let e = begin; e < end; e++) weights.set(matrix.columns[e], matrix.values![e]);
    expectFrequencies(tally(walks.filter((_, i) => i % 2 === 1)), weights);
  }
});

test.each([
  [0.25, 4],
  [4, 0.25],
  [2, 3],
])("second steps have node2vec's bias, p = %f, q = %f", async (p, q) => {
  const [matrix] = relations.one;
  const [walks] = await replay(engines[1], 6, walksFrom([0], 60_000, [matrix], { length: 3, p, q }));
  const near = neighbors(matrix, 0);
  for (const middle of near) {
    const thirds: number[] = [];
    for (let e = 0; e < walks.length; e += 3) if (walks[e + 1] === middle) thirds.push(walks[e + 2]);
    const bias = (node: number) => (node === 0 ? 1 / p : near.includes(node) ? 1 : 1 / q);
    expectFrequencies(tally(thirds), new Map(neighbors(matrix, middle).map((node) => [node, bias(node)])));
  }
});

test("the relation changes with probability 1 − stay, to relations with edges at the node", async () => {
  // one node per relation and step: from 0 relation d leads to d + 1, which leads back
  const star = (d: number): SparseOperator => {
    const rowStart = Uint32Array.from({ length: 6 }, (_, i) => (i === 0 ? 0 : i <= d + 1 ? 1 : 2));
    const columns = Uint32Array.from([d + 1, 0]);
    return { numRows: 5, numColumns: 5, rowStart, columns, diagonal: 0, symmetric: true };
  };
  const graph = [star(0), star(1), star(2), star(3)];
  const [walks] = await replay(engines[1], 8, walksFrom([0], 30_000, graph, { length: 4, stay: 0.4 }));
  const seconds: number[] = [];
  const fourths: number[] = [];
  for (let e = 0; e < walks.length; e += 4) {
    expect(walks[e + 2]).toBe(0);
    seconds.push(walks[e + 1]);
    if (walks[e + 1] === 2) fourths.push(walks[e + 3]);
  }
  const even = [1, 2, 3, 4].map((node): [number, number] => [node, 1]);
  expectFrequencies(tally(seconds), new Map(even));
  // at node 2 only relation 1 has edges; back at node 0 the walk stays with probability 0.4 or takes one of three relations
  expectFrequencies(tally(fourths), new Map(even.map(([node]) => [node, node === 2 ? 0.4 : 0.2])));
});

test("pairs lie within the window; a random window makes near pairs more frequent", async () => {
  const length = 9;
  const window = 4;
  const count = 3000;
  const rng = new Rng(1, "walks");
  const data = Uint32Array.from({ length: length * count }, (_, e) => (rng.uniform() < 0.02 ? MISSING : e));
  const [left, right, nearLeft] = await replay(engines[1], 2, (builder) => {
    const walks = builder.constant(data, count, length, "index");
    const all = windowPairs(walks, window);
    const near = windowPairs(walks, window, randomKey(builder, "window"));
    return [all.left, all.right, near.left, near.right];
  });
  const expected: string[] = [];
  for (let e = 0; e < data.length; e++) {
    for (let j = 0; j < length; j++) {
      const other = e - (e % length) + j;
      if (other === e || Math.abs(other - e) > window) continue;
      const missing = data[e] === MISSING || data[other] === MISSING;
      expected.push(missing ? "none" : `${data[e]} ${data[other]}`);
    }
  }
  expect(left.map((a, i) => (a === MISSING && right[i] === MISSING ? "none" : `${a} ${right[i]}`))).toEqual(expected);
  const share = (distance: number): number => {
    const at = left.flatMap((a, i) => (a !== MISSING && Math.abs(a - right[i]) === distance ? [i] : []));
    return at.filter((i) => nearLeft[i] !== MISSING).length / at.length;
  };
  // a window that is uniform from 1 to 4 reaches distance j with probability (5 − j)/4; tens of thousands of pairs
  for (const distance of [1, 2, 3, 4]) expect(Math.abs(share(distance) - (5 - distance) / 4)).toBeLessThan(0.02);
});

test("interleaved indices are the rows of a table with one row per index and group", async () => {
  const [rows] = await replay(engines[0], 1, (builder) => {
    const index = builder.constant([0, 4, MISSING, 2, 1, 0], 3, 2, "index");
    return [interleaveIndex(index, builder.constant([2, 0, MISSING], 3, 1, "index"), 3)];
  });
  expect(rows).toEqual([2, 14, MISSING, 6, MISSING, MISSING]);
});
