/** The share of features that are values of categories. */

import { expect, test } from "vitest";
import { Rng } from "../../../core/rng.js";
import type { FeatureInput } from "../../../nn/model.js";
import { CATEGORIES } from "../constants.js";
import { categoryShare } from "./category-share.js";

const N = 2000;
const rng = new Rng(1, "features");
const { minShare } = CATEGORIES;

function featuresOf(numColumns: number, rows: readonly (readonly number[])[]): FeatureInput {
  const rowStart = new Uint32Array(rows.length + 1);
  rows.forEach((row, i) => {
    rowStart[i + 1] = rowStart[i] + row.length;
  });
  return { numColumns, rowStart, columns: Uint32Array.from(rows.flat()) };
}

/** The category share if node i has the features `row(i)`. */
function shareOf(numColumns: number, row: (i: number) => number[], quantities: readonly number[] = []): number {
  const isQuantity = Uint8Array.from({ length: numColumns }, (_, c) => Number(quantities.includes(c)));
  const rows = Array.from({ length: N }, (_, i) => row(i));
  return categoryShare(featuresOf(numColumns, rows), isQuantity);
}

/** So many different features of the first `count`. */
function someOf(count: number, number: number): number[] {
  const chosen = new Set<number>();
  while (chosen.size < number) chosen.add(rng.below(count));
  return [...chosen];
}

test("one or several categories have 1, also next to quantities and nodes without features", () => {
  expect(shareOf(40, () => [rng.below(40)])).toBe(1);
  expect(shareOf(37, () => [rng.below(12), 12 + rng.below(25)])).toBe(1);
  expect(shareOf(60, () => [rng.below(20), 20 + rng.below(20), 40 + rng.below(20)])).toBe(1);
  expect(shareOf(22, () => [rng.below(20), 20, 21].slice(0, 2 + rng.below(2)), [20, 21])).toBe(1);
  expect(shareOf(40, (i) => (i % 2 === 0 ? [] : [rng.below(40)]))).toBe(1);
});

test("categories stay categories if some nodes lack one, or a few have two values of one", () => {
  expect(shareOf(45, (i) => [rng.below(20), ...(i % 10 === 0 ? [] : [20 + rng.below(25)])])).toBe(1);
  expect(shareOf(40, (i) => (i % 50 === 0 ? someOf(40, 2) : [rng.below(40)]))).toBeGreaterThan(minShare);
});

test("a fixed number of words is no category, although all nodes have as many", () => {
  expect(shareOf(60, () => someOf(60, 5))).toBeLessThan(0.7);
  expect(shareOf(60, (i) => someOf(20, 3).map((word) => 20 * (i % 3) + word))).toBeLessThan(0.7);
  expect(shareOf(200, () => someOf(200, 2))).toBeLessThan(0.7);
});

test("answers are no categories, whether a node has a feature for yes only or one for no, too", () => {
  const answers = () => Array.from({ length: 30 }, (_, c) => c).filter(() => rng.uniform() < 0.2);
  expect(shareOf(30, answers)).toBeLessThan(0.7);
  expect(shareOf(16, () => Array.from({ length: 8 }, (_, c) => 2 * c + rng.below(2)))).toBe(0);
  expect(shareOf(100, () => Array.from({ length: 20 }, (_, c) => 5 * c + rng.below(5)))).toBe(0);
});

test("quantities alone, and features that no node has, have 0", () => {
  expect(shareOf(2, () => [0, 1], [0, 1])).toBe(0);
  expect(shareOf(20, () => [])).toBe(0);
});

test("names, which hardly any other node has, are no category", () => {
  expect(shareOf(N, (i) => [i])).toBe(0);
  expect(shareOf(700, (i) => [i % 700])).toBe(0);
  expect(shareOf(600, (i) => [i % 600])).toBe(1);
});
