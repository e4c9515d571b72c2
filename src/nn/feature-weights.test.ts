/** Weights of features: words by rarity, quantities by their distance from the median. */

import { describe, expect, test } from "vitest";
import { Rng } from "../core/rng.js";
import type { SparseOperator } from "../engine/sparse.js";
import { featureWeights, standardizedFeatures, weighRows, weightedFeatures } from "./feature-weights.js";
import type { FeatureInput } from "./model.js";

/** A matrix of these rows; zeros are not stored. */
function matrix(rows: readonly (readonly number[])[]): FeatureInput {
  const entries = rows.map((row) => row.flatMap((value, c) => (value === 0 ? [] : [{ c, value }])));
  const rowStart = new Uint32Array(rows.length + 1);
  entries.forEach((row, i) => {
    rowStart[i + 1] = rowStart[i] + row.length;
  });
  return {
    numColumns: rows[0].length,
    rowStart,
    columns: Uint32Array.from(entries.flat(), ({ c }) => c),
    values: Float32Array.from(entries.flat(), ({ value }) => value),
  };
}

/** Dense rows of the weighted matrix. */
function rowsOf(features: FeatureInput, numNodes: number): number[][] {
  return denseRows(weightedFeatures(features, numNodes));
}

function denseRows({ numRows, rowStart, columns, values, numColumns }: SparseOperator): number[][] {
  return Array.from({ length: numRows }, (_, i) => {
    const row = new Array<number>(numColumns).fill(0);
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) row[columns[e]] = values![e];
    return row;
  });
}

test("rare features weigh more, in any unit, and rows have length one", () => {
  const features = matrix([
    [2, 5, 0],
    [0, 5, 0],
    [0, 0, 0],
    [0, 0, -4],
  ]);
  const [rare, common] = [Math.log(1 + 4 / 1), Math.log(1 + 4 / 2)];
  const length = Math.hypot(rare, common);
  expect([...weightedFeatures(features, 4).values!]).toEqual(
    [rare / length, common / length, 1, -1].map((x) => expect.closeTo(x, 12)),
  );
});

describe("a quantity", () => {
  const rng = new Rng(5, "quantities");
  const people = Array.from({ length: 301 }, () => [rng.normal(), rng.normal()]);

  test("gives the same values in any unit and with any offset", () => {
    const plain = rowsOf(matrix(people), people.length);
    const moved = rowsOf(matrix(people.map(([a, b]) => [1990 + 8 * a, 40 - 3 * b])), people.length);
    moved.forEach((row, i) => {
      expect(row[0]).toBeCloseTo(plain[i][0], 3);
      expect(row[1]).toBeCloseTo(-plain[i][1], 3);
    });
    // the median becomes zero
    const first = plain.map(([a]) => a).sort((a, b) => a - b);
    expect(first[150]).toBeCloseTo(0, 6);
  });

  test("keeps the order of its values, and a single huge value does not hide the differences of the others", () => {
    const rows = rowsOf(matrix([...people.map(([a]) => [100 + a]), [1e7]]), people.length + 1);
    const order = people.map((_, i) => i).sort((i, j) => people[i][0] - people[j][0]);
    order.slice(1).forEach((i, at) => {
      expect(rows[i][0]).toBeGreaterThan(rows[order[at]][0]);
    });
    expect(rows[order[280]][0] - rows[order[20]][0]).toBeGreaterThan(0.8);
    expect(rows[301][0]).toBeLessThan(1);
  });

  test("is 0 for nodes with other features, and absent for nodes without features", () => {
    const features = matrix([
      [5, 1],
      [7, 0],
      [0, 1],
      [9, 1],
      [6, 0],
      [0, 0],
    ]);
    const { center, deviation } = featureWeights(features, 6);
    expect([...center]).toEqual([6, 0]); // median of 0, 5, 6, 7, 9
    expect(deviation[0]).toBeGreaterThan(0);
    expect(deviation[1]).toBe(0);
    const rows = rowsOf(features, 6);
    expect(rows[4][0]).toBe(0);
    expect(rows[2][0]).toBeLessThan(rows[0][0]);
    expect(rows[5]).toEqual([0, 0]);
    // one stored zero makes the last row a row of zeros, which is below the median
    const { rowStart, columns, values } = features;
    const zeros = {
      ...features,
      rowStart: Uint32Array.of(...rowStart.subarray(0, 6), rowStart[6] + 1),
      columns: Uint32Array.of(...columns, 1),
      values: Float32Array.of(...values!, 0),
    };
    expect(rowsOf(zeros, 6)[5][0]).toBeLessThan(0);
  });

  test("is stored in ascending column order among words, also for new nodes", () => {
    const features = matrix([
      [1, 3, 0, 2.5],
      [0, 4, 1, 2],
      [0, 6, 0, 7],
      [1, 0, 0, 1],
    ]);
    const weights = featureWeights(features, 4);
    expect([...weights.deviation].map((x) => x > 0)).toEqual([false, true, false, true]);
    const added = weighRows(
      matrix([
        [1, 0, 1, 0],
        [0, 5, 0, 0],
      ]),
      2,
      weights,
    );
    expect([...added.rowStart]).toEqual([0, 4, 6]);
    expect([...added.columns]).toEqual([0, 1, 2, 3, 1, 3]);
  });

  test("that is the same for most nodes still distinguishes the others", () => {
    const rows = rowsOf(matrix(Array.from({ length: 40 }, (_, i) => [i < 30 ? 1 : 1 + (i % 3)])), 40);
    expect(new Set(rows.map(([x]) => x)).size).toBe(3);
  });
});

describe("standardised features", () => {
  test("words become ln(1 + |x|/m) per standard deviation, rows have length one", () => {
    const counts = [
      [2, 0, 7],
      [6, 3, 7],
      [0, -9, 7],
      [0, 0, 7],
      [0, 0, 7],
    ];
    const logs = counts.map(([a, b]) => [Math.log(1 + a / 4), Math.sign(b) * Math.log(1 + Math.abs(b) / 6)]);
    const deviations = [0, 1].map((c) => {
      const mean = logs.reduce((sum, row) => sum + row[c], 0) / 5;
      return Math.sqrt(logs.reduce((sum, row) => sum + (row[c] - mean) ** 2, 0) / 5);
    });
    // the third feature is equal everywhere, so it becomes zero
    const expected = logs.map(([a, b]) => {
      const [x, y] = [a / deviations[0], b / deviations[1]];
      const length = Math.hypot(x, y) || 1;
      return [x / length, y / length, 0].map((value) => expect.closeTo(value, 6));
    });
    expect(denseRows(standardizedFeatures(matrix(counts), 5))).toEqual(expected);
  });

  test("a quantity is asinh of its distance from the median; one is added to the squared length of every row", () => {
    const years = [1, 2, 3, 4, 5].map((year) => [2000 + year]);
    const distances = [-2, -1, 0, 1, 2].map((x) => Math.asinh((x * 1.349) / 2));
    const deviation = Math.sqrt(distances.reduce((sum, x) => sum + x * x, 0) / 5);
    const expected = distances.map((x) => [expect.closeTo(x / deviation / Math.hypot(1, x / deviation), 6)]);
    expect(denseRows(standardizedFeatures(matrix(years), 5))).toEqual(expected);
  });

  test("a feature of less than one node in a hundred is weighed as if its standard deviation were that of one in a hundred", () => {
    const rows = Array.from({ length: 400 }, (_, i) => [Number(i % 2 === 0), Number(i === 0)]);
    const [[common, rare]] = denseRows(standardizedFeatures(matrix(rows), 400));
    // 1/√0.01 = 10 times its size, and 1/√(1/4) = 2 times; without the bound 1/√(1/400) = 20 times
    expect(rare / common).toBeCloseTo(5, 6);
  });
});
