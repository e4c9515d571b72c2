/** How much quantities have in common. */

import { describe, expect, test } from "vitest";
import { Rng } from "../../../core/rng.js";
import type { SparseOperator } from "../../../engine/sparse.js";
import { isQuantity, standardizedFeatures } from "../../../nn/feature-weights.js";
import type { FeatureInput } from "../../../nn/model.js";
import { symmetricEigen } from "../../../numeric/eigen/symmetric-eigen.js";
import { columnVariances } from "./feature-variance.js";
import { jointShare, unrelatedShare } from "./joint-share.js";

const NUM_ROWS = 2000;

function dense(rows: readonly (readonly number[])[]): FeatureInput & SparseOperator {
  const numColumns = rows[0].length;
  return {
    numRows: rows.length,
    numColumns,
    rowStart: Uint32Array.from({ length: rows.length + 1 }, (_, i) => i * numColumns),
    columns: Uint32Array.from({ length: rows.length * numColumns }, (_, e) => e % numColumns),
    values: Float32Array.from(rows.flat()),
    diagonal: 0,
    symmetric: false,
  };
}

function rowsOf(row: (rng: Rng) => readonly number[], numRows = NUM_ROWS): readonly (readonly number[])[] {
  const rng = new Rng(5, "rows");
  return Array.from({ length: numRows }, () => row(rng));
}

const independent = (rng: Rng) => [rng.normal(), rng.normal(), rng.normal(), rng.normal()];
/** A category of five values, one column each. */
const category = (rng: Rng) => {
  const value = rng.below(5);
  return [0, 1, 2, 3, 4].map((c) => Number(c === value));
};
const unrelated = (rows: readonly (readonly number[])[]) => {
  const features = dense(rows);
  const standardized = standardizedFeatures(features, rows.length);
  return unrelatedShare(standardized, columnVariances(standardized), isQuantity(features, rows.length));
};

describe("joint share", () => {
  test("is what directions explain beyond single columns", () => {
    // the second direction explains less than the second column
    const rows = rowsOf((rng) => {
      const shared = rng.normal();
      return [2 * shared + rng.normal(), 2 * shared + rng.normal(), rng.normal(), 100];
    }, 40);
    const mean = (c: number) => rows.reduce((sum, row) => sum + row[c], 0) / rows.length;
    const product = (a: number, b: number) =>
      rows.reduce((sum, row) => sum + (row[a] - mean(a)) * (row[b] - mean(b)), 0) / rows.length;
    const columns = [0, 1, 2];
    const { values } = symmetricEigen(Float64Array.from(columns.flatMap((a) => columns.map((b) => product(a, b)))), 3);
    const single = columns.map((c) => product(c, c)).sort((a, b) => b - a);
    expect(values[1]).toBeLessThan(single[1]);
    const expected = (values[0] - single[0]) / (single[0] + single[1] + single[2]);
    expect(jointShare(dense(rows), Uint32Array.from(columns))).toBeCloseTo(expected, 6);
  });

  test("is near 0 for independent columns, 3/4 for four copies of one, and 0 for constants", () => {
    const all = Uint32Array.of(0, 1, 2, 3);
    expect(jointShare(dense(rowsOf(independent)), all)).toBeLessThan(0.05);
    expect(jointShare(dense(rowsOf((rng) => new Array(4).fill(rng.normal()))), all)).toBeCloseTo(0.75, 6);
    expect(jointShare(dense(rowsOf(() => [1, 2, 0, 4])), all)).toBe(0);
  });

  test("many rows are sampled evenly", () => {
    const rows = rowsOf((rng) => new Array(2).fill(rng.normal()), 50_000);
    expect(jointShare(dense(rows), Uint32Array.of(0, 1))).toBeCloseTo(0.5, 6);
  });
});

describe("unrelated share", () => {
  test("is near 1 for independent quantities and 0 for related ones", () => {
    expect(unrelated(rowsOf(independent))).toBeGreaterThan(0.85);
    expect(unrelated(rowsOf((rng) => new Array(4).fill(rng.normal())))).toBe(0);
    expect(unrelated(rowsOf((rng) => [rng.normal()]))).toBe(1);
  });

  test("does not judge categories, or quantities next to as many columns of categories", () => {
    expect(unrelated(rowsOf(category))).toBe(0);
    expect(unrelated(rowsOf((rng) => [rng.normal(), ...category(rng)]))).toBe(0);
  });

  test("does not judge more quantities than it has time for, and no constants", () => {
    const many = (count: number) => (rng: Rng) => Array.from({ length: count }, () => rng.normal());
    expect(unrelated(rowsOf(many(129), 300))).toBe(0);
    expect(unrelated(rowsOf(many(20), 1000))).toBeGreaterThan(0.3);
    expect(unrelated(rowsOf(() => [3, 4]))).toBe(0);
  });
});
