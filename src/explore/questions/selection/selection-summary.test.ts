import { expect, test } from "vitest";
import type { Attribute } from "../../scene/scene.js";
import { loadRelations } from "../relation-rows.js";
import { testScene } from "../test-scene.js";
import { edgesInside, normalTail, tailOfCount } from "./chance.js";
import {
  categoryShares,
  countTested,
  isSignificant,
  meanValues,
  nodeMask,
  relationDensities,
  testedAttributes,
} from "./selection-summary.js";

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
/** All sets of three of the six nodes, as masks. */
const triples = Array.from({ length: 64 }, (_, bits) =>
  Uint8Array.from({ length: 6 }, (_, i) => (bits >> i) & 1),
).filter((mask) => mask.reduce((sum, bit) => sum + bit, 0) === 3);

test("categories have their shares inside and outside, largest surplus first", () => {
  expect(categoryShares(attributes, selected)).toEqual([
    {
      attribute: "label",
      category: "p",
      count: 2,
      inside: 2 / 3,
      outside: 0,
      // both nodes of p are in 4 of the 20 sets of three nodes
      chance: expect.closeTo(4 / 20, 8),
    },
    {
      attribute: "label",
      category: "q",
      count: 1,
      inside: 1 / 3,
      outside: 2 / 3,
      // only one of the 20 sets holds no node of q
      chance: expect.closeTo(19 / 20, 8),
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
  expect(categoryShares(attributes, nodeMask(6, [0, 1, 2, 3, 4, 5]))[0].chance).toBeNaN();
  expect(relationDensities(rows, nodeMask(6, [0, 1, 2, 3, 4, 5]))[0].chance).toBeNaN();
  const same: Attribute = { name: "same", kind: "category", categories: ["x"], codes: new Int32Array(6) };
  expect(categoryShares([same], selected)[0].chance).toBeCloseTo(1, 8);
});

test("the chance of a dense selection comes from the mean and variance of all selections of its size", async () => {
  const [dense] = await loadRelations(scene, [1]);
  const counts = triples.map((mask) => relationDensities([dense], mask)[0].edges);
  const mean = counts.reduce((sum, count) => sum + count, 0) / 20;
  const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / 20;
  // a triangle has three pairs of edges that share a node
  const moments = edgesInside(6, 3, { count: 4, adjacentPairs: 3 });
  expect(moments).toEqual({ mean: expect.closeTo(mean, 12), variance: expect.closeTo(variance, 12) });
  expect(relationDensities([dense], selected)[0].chance).toBeCloseTo(tailOfCount(moments, 3), 12);
});

test("counts with the variance of Poisson's and of the geometric distribution have their tails; large ones are normal", () => {
  expect(tailOfCount({ mean: 0.5, variance: 0.5 }, 1)).toBeCloseTo(1 - Math.exp(-0.5), 12);
  expect(tailOfCount({ mean: 0.5, variance: 0.1 }, 2)).toBeCloseTo(1 - 1.5 * Math.exp(-0.5), 12);
  for (const k of [1, 5, 20]) expect(tailOfCount({ mean: 1, variance: 2 }, k)).toBeCloseTo(2 ** -k, 12);
  expect(tailOfCount({ mean: 9900, variance: 10_000 }, 10_101)).toBeCloseTo(normalTail(2.01), 12);
  // skewed by 0.02 standard deviations at most
  expect(tailOfCount({ mean: 9800, variance: 10_000 }, 10_000)).toBeCloseTo(normalTail(2), 2);
  expect([tailOfCount({ mean: 3, variance: 3 }, 0), tailOfCount({ mean: 0, variance: 0 }, 0)]).toEqual([1, 1]);
});

test("the tail of the normal distribution", () => {
  const known: readonly (readonly [number, number])[] = [
    [0, 0.5],
    [1, 0.158655254],
    [-1, 0.841344746],
    [6, 9.8658765e-10],
  ];
  for (const [z, tail] of known) expect(normalTail(z) / tail).toBeCloseTo(1, 6);
});

test("large counts: the probability of a category is that of the binomial distribution if few nodes are drawn", () => {
  const codes = Int32Array.from({ length: 100_000 }, (_, i) => i % 2);
  const half: Attribute = { name: "half", kind: "category", categories: ["x", "y"], codes };
  const ten = nodeMask(
    100_000,
    Array.from({ length: 10 }, (_, i) => 2 * i),
  );
  // drawing without replacement changes 2^-10 by 0.05 %
  expect(categoryShares([half], ten)[0].chance * 2 ** 10).toBeCloseTo(1, 2);
});

test("the more categories and relations are tested, the rarer one must be", () => {
  expect(countTested(attributes)).toBe(2);
  const clusters: Attribute = { ...attributes[0], name: "cluster", fromVectors: true };
  expect(countTested([...attributes, clusters])).toBe(2);
  expect(testedAttributes([clusters, ...attributes])).toEqual(attributes);
  expect([isSignificant(0.02, 2), isSignificant(0.03, 2), isSignificant(Number.NaN, 2)]).toEqual([true, false, false]);
});
