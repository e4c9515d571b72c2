/** Draws of edges, of nodes by relation and of pairs without an edge: equal on every engine, with the documented frequencies. */

import { describe, expect, test } from "vitest";
import { Rng } from "../../src/core/rng.js";
import { MISSING, randomKey, sampleByGroup, sampleEntries, sampleNonEdges } from "../../src/engine/ops/index.js";
import { referenceEngine } from "../../src/engine/reference.js";
import type { SparseOperator } from "../../src/engine/sparse.js";
import { aliasTables } from "../../src/nn/walks/alias-table.js";
import { engines, expectEqual, replay } from "./replay.js";

/** A random 0/1 matrix of this density; one row in four is empty, and there is no diagonal. */
function randomMatrix(purpose: string, size: number, density: number): SparseOperator {
  const rng = new Rng(6, purpose);
  const rowStart = [0];
  const columns: number[] = [];
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) if (i % 4 !== 2 && i !== j && rng.uniform() < density) columns.push(j);
    rowStart.push(columns.length);
  }
  return {
    numRows: size,
    numColumns: size,
    rowStart: Uint32Array.from(rowStart),
    columns: Uint32Array.from(columns),
    diagonal: 0,
    symmetric: false,
  };
}

/** Five standard deviations of a binomial, at least one draw. */
function expectFrequency(count: number, draws: number, probability: number) {
  const deviation = Math.sqrt(probability * (1 - probability) * draws);
  expect(Math.abs(count - probability * draws)).toBeLessThanOrEqual(Math.max(1, 5 * deviation));
}

const mixed = [randomMatrix("a", 40, 0.2), randomMatrix("none", 40, 0), randomMatrix("b", 40, 0.05)];

describe.each(engines)("$description equals the reference", (engine) => {
  test.each([1, 7, 3002])("sampleEntries: %i draws", async (draws) => {
    await expectEqual(engine, (builder) => {
      const { row, column, matrix } = sampleEntries(randomKey(builder, "draw"), mixed, draws);
      return [row, column, matrix];
    });
  });

  test("sampleEntries with copies", async () => {
    await expectEqual(engine, (builder) => {
      const { row, column, matrix } = sampleEntries(
        randomKey(builder, "draw"),
        mixed,
        3002,
        mixed.map((_, d) => d + 1),
      );
      return [row, column, matrix];
    });
  });

  test("sampleEntries of a matrix without entries", async () => {
    const [row, column, matrix] = await replay(engine, 1, (builder) => {
      const drawn = sampleEntries(randomKey(builder, "draw"), [randomMatrix("none", 9, 0)], 2);
      return [drawn.row, drawn.column, drawn.matrix];
    });
    expect([...row, ...column, ...matrix]).toEqual(new Array(6).fill(MISSING));
  });

  test.each([1, 3, 4])("sampleByGroup: %i per row", async (cols) => {
    await expectEqual(engine, (builder) => {
      const rng = new Rng(1, "groups");
      const groups = Array.from({ length: 999 }, () => [0, 1, 2, 3, MISSING][rng.below(5)]);
      const tables = aliasTables(builder, [[1, 2, 0, 5], [], [0, 0, 3], [1, 1, 1, 1, 8]]);
      const index = builder.constant(Uint32Array.from(groups), groups.length, 1, "index");
      return [sampleByGroup(randomKey(builder, "draw"), tables, index, cols)];
    });
  });

  test.each([
    [1, 0, 5],
    [2, 0, 1],
    [2, 0, 5],
    [2, 1, 3],
    [30, 0.3, 100],
    [30, 0.3, 2000],
    [30, 1, 100],
    [200, 0.02, 5003],
    [300, 0, 17],
  ])("sampleNonEdges: %i nodes, density %f, %i draws", async (size, density, draws) => {
    await expectEqual(engine, (builder) => {
      const { left, right } = sampleNonEdges(randomKey(builder, "draw"), randomMatrix("m", size, density), draws);
      return [left, right];
    });
  });
});

const DRAWS = 200_000;

test.each([
  [1, 1, 1],
  [1, 7, 3],
])("entries are drawn by the copies of their matrix: %i, %i, %i", async (...copies) => {
  const [rows, columns, matrices] = await replay(engines[1], 9, (builder) => {
    const { row, column, matrix } = sampleEntries(randomKey(builder, "draw"), mixed, DRAWS, copies);
    return [row, column, matrix];
  });
  const total = mixed.reduce((sum, { columns }, d) => sum + copies[d] * columns.length, 0);
  const counts = new Map<string, number>();
  rows.forEach((row, e) => {
    const name = `${matrices[e]} ${row} ${columns[e]}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  });
  mixed.forEach(({ numRows, rowStart, columns }, d) => {
    for (let i = 0; i < numRows; i++) {
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
        const name = `${d} ${i} ${columns[e]}`;
        expectFrequency(counts.get(name) ?? 0, DRAWS, copies[d] / total);
        counts.delete(name);
      }
    }
  });
  expect(counts.size).toBe(0);
});

test("each group draws from its own table", async () => {
  const groupWeights = [
    [1, 2, 0, 5],
    [0, 0, 3],
  ];
  const [drawn] = await replay(engines[1], 9, (builder) => {
    const groups = builder.constant(
      Uint32Array.from({ length: DRAWS }, (_, b) => b % 2),
      DRAWS,
      1,
      "index",
    );
    return [sampleByGroup(randomKey(builder, "draw"), aliasTables(builder, groupWeights), groups, 1)];
  });
  groupWeights.forEach((weights, group) => {
    const own = drawn.filter((_, b) => b % 2 === group);
    const sum = weights.reduce((a, b) => a + b);
    weights.forEach((weight, node) => {
      expectFrequency(own.filter((n) => n === node).length, own.length, weight / sum);
    });
  });
});

/** The pairs of `draws` draws from a matrix, as numbers i·n + j, without MISSING. */
async function freePairs(matrix: SparseOperator, draws: number, seed: number): Promise<number[]> {
  const [lefts, rights] = await replay(referenceEngine, seed, (builder) => {
    const { left, right } = sampleNonEdges(randomKey(builder, "draw"), matrix, draws);
    return [left, right];
  });
  return lefts.flatMap((i, e) => (i === MISSING ? [] : [i * matrix.numRows + rights[e]]));
}

function expectedPairs({ numRows, rowStart, columns }: SparseOperator): number[] {
  const found: number[] = [];
  for (let i = 0; i < numRows; i++) {
    const neighbours = columns.subarray(rowStart[i], rowStart[i + 1]);
    for (let j = 0; j < numRows; j++) if (i !== j && !neighbours.includes(j)) found.push(i * numRows + j);
  }
  return found;
}

test("every pair without an edge has the same probability, edges and the diagonal are never drawn, and no pair is drawn twice", async () => {
  const matrix = randomMatrix("m", 16, 0.5);
  const free = expectedPairs(matrix);
  // strata of one and of two pairs, where a mistake in the shift would show
  const [draws, rounds] = [Math.round(free.length / 1.5), 3000];
  const counts = new Map(free.map((pair) => [pair, 0]));
  for (let seed = 0; seed < rounds; seed++) {
    const pairs = await freePairs(matrix, draws, seed);
    expect(new Set(pairs).size).toBe(draws);
    for (const pair of pairs) counts.set(pair, (counts.get(pair) ?? Number.NaN) + 1);
  }
  expect(counts.size).toBe(free.length);
  for (const count of counts.values()) expectFrequency(count, rounds, draws / free.length);
});

test("more draws than pairs without an edge give each pair once", async () => {
  const matrix = randomMatrix("m", 16, 0.5);
  const free = expectedPairs(matrix);
  for (const draws of [free.length, free.length + 1, 3 * free.length]) {
    expect((await freePairs(matrix, draws, 2)).sort((a, b) => a - b)).toEqual(free);
  }
});
