import { expect, test } from "vitest";
import type { Attribute } from "../scene/scene.js";
import { loadRelations } from "./relation-rows.js";
import { categoryShares, meanValues, nodeMask, relationDensities } from "./selection-summary.js";
import { testScene } from "./test-scene.js";

const attributes: Attribute[] = [
  { name: "label", kind: "category", categories: ["p", "q", "r"], codes: Int32Array.of(0, 0, 1, 1, 1, -1) },
  { name: "age", kind: "number", values: Float32Array.of(10, 20, Number.NaN, 4, 5, 6) },
];
const scene = testScene({
  ids: ["a", "b", "c", "d", "e", "f"],
  attributes,
  relations: {
    loose: [
      [0, 3],
      [1, 4],
      [2, 5],
      [0, 1],
    ],
    dense: [
      [0, 1],
      [1, 2],
      [0, 2],
      [3, 4],
      [0, 0],
    ],
    only: [[0, 1]],
    none: [],
  },
});
const selected = nodeMask(6, [0, 1, 2]);
/** Two proportions of three nodes each, with the pooled share `p`. */
const zOf = (inside: number, outside: number, p: number) => (inside - outside) / Math.sqrt((p * (1 - p) * 2) / 3);

test("categories have their shares inside and outside, largest surplus first", () => {
  expect(categoryShares(attributes, selected)).toEqual([
    {
      attribute: "label",
      category: "p",
      count: 2,
      inside: 2 / 3,
      outside: 0,
      zScore: expect.closeTo(zOf(2 / 3, 0, 2 / 6), 12),
    },
    {
      attribute: "label",
      category: "q",
      count: 1,
      inside: 1 / 3,
      outside: 2 / 3,
      zScore: expect.closeTo(zOf(1 / 3, 2 / 3, 3 / 6), 12),
    },
  ]);
});

test("means count known values only", () => {
  expect(meanValues(attributes, selected)).toEqual([{ attribute: "age", inside: 15, outside: 5 }]);
});

test("densities compare pairs inside with all other pairs, loops left out", async () => {
  const densities = relationDensities(await loadRelations(scene, [0, 1, 2, 3]), selected);
  // 3 pairs inside, 15 − 3 = 12 others
  expect(densities.map(({ name, edges, ratio }) => [name, edges, ratio])).toEqual([
    ["only", 1, Number.POSITIVE_INFINITY],
    ["dense", 3, 1 / (1 / 12)],
    ["loose", 1, expect.closeTo(1 / 3 / (3 / 12), 12)],
    ["none", 0, Number.NaN],
  ]);
  expect(densities[2]).toMatchObject({ inside: 1 / 3, outside: 3 / 12 });
});

test("one node, or all nodes, leave no pairs to compare", async () => {
  const rows = await loadRelations(scene, [1]);
  expect(relationDensities(rows, nodeMask(6, [0]))[0].inside).toBeNaN();
  expect(relationDensities(rows, nodeMask(6, [0, 1, 2, 3, 4, 5]))[0].outside).toBeNaN();
  expect(categoryShares(attributes, nodeMask(6, [0, 1, 2, 3, 4, 5]))[0]).toMatchObject({ category: "q", inside: 0.5 });
  expect(categoryShares(attributes, nodeMask(6, [0, 1, 2, 3, 4, 5]))[0].zScore).toBeNaN();
  const same: Attribute = { name: "same", kind: "category", categories: ["x"], codes: new Int32Array(6) };
  expect(categoryShares([same], selected)[0].zScore).toBe(0);
});
