/** Categories: which features count as such, how many columns they get, and what these columns keep. */

import { expect, test } from "vitest";
import { Rng } from "../../../core/rng.js";
import { referenceEngine } from "../../../engine/reference.js";
import type { FeatureInput, GraphInput } from "../../../nn/model.js";
import { CATEGORIES } from "../constants.js";
import { categoryFacet, categoryWidths, findCategories } from "./category-facet.js";

const N = 600;
const DIM = 64;
const rng = new Rng(1, "categories");
const tools = { engine: referenceEngine, seed: 1 };

/** Features by node; a number is a value of a category, a pair a feature and its value. */
function graphOf(numColumns: number, row: (i: number) => readonly (number | readonly [number, number])[]): GraphInput {
  const rows = Array.from({ length: N }, (_, i) =>
    row(i).map((entry) => (typeof entry === "number" ? [entry, 1] : entry)),
  );
  const rowStart = new Uint32Array(N + 1);
  rows.forEach((entries, i) => {
    rowStart[i + 1] = rowStart[i] + entries.length;
  });
  const features: FeatureInput = {
    numColumns,
    rowStart,
    columns: Uint32Array.from(rows.flat(), ([column]) => column),
    values: Float32Array.from(rows.flat(), ([, value]) => value),
  };
  return { numNodes: N, relations: [], directed: false, features };
}

/** Rows of the facet. */
async function rowsOf(graph: GraphInput, values: number) {
  const categories = findCategories(graph, DIM)!;
  const { data, width } = await categoryFacet(categories, { quantities: categories.numQuantities, values }, tools);
  return Array.from({ length: N }, (_, i) => Array.from(data.subarray(i * width, (i + 1) * width)));
}

const squaredDistance = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, x, k) => sum + (x - b[k]) ** 2, 0);
const squaredLength = (rows: readonly (readonly number[])[]) => rows.flat().reduce((sum, x) => sum + x * x, 0) / N;
const variances = (rows: readonly (readonly number[])[]) =>
  rows[0].map((_, k) => rows.reduce((sum, row) => sum + row[k] ** 2, 0) / N);

test("as many columns as values: any two values are equally far apart, nodes with the same one have the same row", async () => {
  const rows = await rowsOf(
    graphOf(30, (i) => [i % 30]),
    30,
  );
  expect(squaredLength(rows)).toBeCloseTo(CATEGORIES.length ** 2, 4);
  const distances = rows.slice(1, 30).map((row) => squaredDistance(row, rows[0]));
  // rows of length one have the mean square 1 − 1/30 after centring
  const expected = (2 * CATEGORIES.length ** 2) / (1 - 1 / 30);
  for (const distance of distances) expect(distance).toBeCloseTo(expected, 3);
  expect(squaredDistance(rows[30], rows[0])).toBeCloseTo(0, 8);
});

test("fewer columns than values: no two values look alike, and rare ones differ as much as frequent ones", async () => {
  const values = Array.from({ length: N }, (_, i) => (i < 100 ? i : rng.below(5)));
  const rows = await rowsOf(
    graphOf(100, (i) => [values[i]]),
    40,
  );
  const distances = rows.slice(0, 100).flatMap((a, i) => rows.slice(0, i).map((b) => squaredDistance(a, b)));
  const mean = distances.reduce((sum, x) => sum + x, 0) / distances.length;
  expect(Math.min(...distances)).toBeGreaterThan(0.3 * mean);
  expect(Math.max(...distances)).toBeLessThan(2.2 * mean);
});

test("a quantity has a column of its own, and a category counts as much", async () => {
  const ages = Array.from({ length: N }, () => rng.normal());
  const graph = graphOf(26, (i) => [i % 25, [25, 40 + 12 * ages[i]]]);
  const rows = await rowsOf(graph, 25);
  const [age, ...category] = variances(rows);
  expect(category.reduce((sum, x) => sum + x, 0) / age).toBeCloseTo(1 - 1 / 25, 3);
  const order = [...ages.keys()].sort((i, j) => ages[i] - ages[j]);
  const sorted = order.map((i) => rows[i][0]);
  expect(sorted).toEqual([...sorted].sort((a, b) => a - b));
});

test("nodes without features have the mean of the values that they lack, zero", async () => {
  const rows = await rowsOf(
    graphOf(20, (i) => (i % 3 === 0 ? [] : [i % 20])),
    20,
  );
  expect(squaredDistance(rows[0], rows[3])).toBe(0);
});

test("answers, words, few values, many quantities and narrow vectors are no categories", () => {
  const one = graphOf(20, (i) => [i % 20]);
  expect(findCategories(one, DIM)).toMatchObject({ numQuantities: 0, numValues: 20 });
  expect(findCategories(one, 2)).toBeUndefined();
  expect(
    findCategories(
      graphOf(16, (i) => [i % 16]),
      DIM,
    ),
  ).toBeUndefined();
  const answers = () => Array.from({ length: 30 }, (_, c) => c).filter(() => rng.uniform() < 0.5);
  expect(findCategories(graphOf(30, answers), DIM)).toBeUndefined();
  const measured = (count: number) =>
    graphOf(20 + count, (i) => [i % 20, ...Array.from({ length: count }, (_, k) => [20 + k, rng.normal()] as const)]);
  expect(findCategories(measured(8), DIM)).toMatchObject({ numQuantities: 8, numValues: 20 });
  expect(findCategories(measured(9), DIM)).toBeUndefined();
  expect(findCategories({ ...one, features: undefined }, DIM)).toBeUndefined();
});

test("values have 3/8 to 5/8 of the columns; the graph has one for each direction and a quarter more", () => {
  const values = (numValues: number, numDirections: number) =>
    categoryWidths({ numQuantities: 0, numValues }, DIM, numDirections, false).values;
  expect([values(100, 3), values(100, 12), values(100, 24), values(100, 60)]).toEqual([40, 36, 24, 24]);
  expect([values(20, 3), values(30, 12), values(30, 20)]).toEqual([20, 30, 28]);
  expect(categoryWidths({ numQuantities: 4, numValues: 100 }, DIM, 0, false)).toEqual({
    quantities: 4,
    values: 40,
    smoothed: 0,
  });
});

test("if neighbours share categories, an eighth of the columns is for those in the surroundings", () => {
  const widths = (numDirections: number) =>
    categoryWidths({ numQuantities: 0, numValues: 100 }, DIM, numDirections, true);
  expect(widths(3)).toEqual({ quantities: 0, values: 37, smoothed: 8 });
  expect(widths(60)).toEqual({ quantities: 0, values: 24, smoothed: 8 });
  // something is left to the graph in any vector
  for (let dim = 3; dim < 100; dim++) {
    const { quantities, values, smoothed } = categoryWidths(
      { numQuantities: Math.floor(dim / 8), numValues: 999 },
      dim,
      0,
      true,
    );
    expect(quantities + values + smoothed).toBeLessThan(dim);
  }
});
