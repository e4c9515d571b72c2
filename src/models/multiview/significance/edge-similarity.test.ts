/** The edge similarity against sums over all pairs, and on planted features. */

import { describe, expect, test } from "vitest";
import { Rng } from "../../../core/rng.js";
import { graphOf, sparseOf, twoGroups } from "../test-graphs.js";
import { edgeSimilarity } from "./edge-similarity.js";

const N = 200;
const graph = twoGroups(N, 0.05, 0.02, 1);
const similarity = (rows: readonly (readonly number[])[], relations = [graph] as readonly (typeof graph)[]) =>
  edgeSimilarity(sparseOf(rows), relations, new Rng(1, "pairs")) ?? Number.NaN;

/** Rows of a category; `chosen` gives the value of each node. */
function category(numValues: number, chosen: (i: number) => number): number[][] {
  return Array.from({ length: N }, (_, i) => Array.from({ length: numValues }, (_, c) => Number(c === chosen(i))));
}

function randomCategory(numValues: number, name: string): number[][] {
  const rng = new Rng(1, name);
  const values = Array.from({ length: N }, () => rng.below(numValues));
  return category(numValues, (i) => values[i]);
}

describe("edge similarity", () => {
  test("is the distance of the sum over the edges from that over random pairs, in standard deviations", () => {
    const rng = new Rng(2, "rows");
    const rows = graph.groups.map((group) => [0.3 * group + rng.normal(), 2 + rng.normal(), Math.max(0, rng.normal())]);
    const means = rows[0].map((_, c) => rows.reduce((sum, row) => sum + row[c], 0) / N);
    const product = (i: number, j: number) =>
      rows[i].reduce((sum, x, c) => sum + (x - means[c]) * (rows[j][c] - means[c]), 0);
    const ofPairs = rows.flatMap((_, i) => rows.flatMap((_, j) => (i < j ? [product(i, j)] : [])));
    const mean = ofPairs.reduce((sum, x) => sum + x, 0) / ofPairs.length;
    const variance = ofPairs.reduce((sum, x) => sum + (x - mean) ** 2, 0) / ofPairs.length;
    const ofEdges = rows.flatMap((_, i) =>
      [...graph.columns.subarray(graph.rowStart[i], graph.rowStart[i + 1])].flatMap((j) =>
        i < j ? [product(i, j)] : [],
      ),
    );
    const sum = ofEdges.reduce((total, x) => total + x - mean, 0);
    // 65,536 random pairs: the mean square has a standard error of about 1 %
    expect(similarity(rows) / (sum / Math.sqrt(ofEdges.length * variance))).toBeCloseTo(1, 1);
  });

  test("is large for features of the groups, in either direction, also next to an unrelated relation", () => {
    const ofGroup = category(2, (i) => Number(graph.groups[i] > 0));
    const unrelated = twoGroups(N, 0.03, 0.03, 5);
    expect(similarity(ofGroup)).toBeGreaterThan(8);
    expect(similarity(ofGroup, [unrelated, graph])).toBeGreaterThan(8);
    const opposed = Array.from({ length: N }, (_, i) =>
      [...Array(N).keys()].filter((j) => i % 2 !== j % 2 && (i + j) % 13 === 0),
    );
    expect(edgeSimilarity(sparseOf(category(2, (i) => i % 2)), [graphOf(opposed)], new Rng(1, "pairs"))).toBeLessThan(
      -8,
    );
  });

  test("of random features is below four", () => {
    const found = Array.from({ length: 40 }, (_, k) => similarity(randomCategory(2 + k, `${k}`)));
    expect(Math.max(...found.map(Math.abs))).toBeLessThan(4);
    // of one relation: 0 and 1, with standard errors of 0.16 and 0.11
    expect(Math.abs(found.reduce((a, b) => a + b, 0) / found.length)).toBeLessThan(0.5);
    expect(Math.sqrt(found.reduce((a, b) => a + b * b, 0) / found.length)).toBeCloseTo(1, 0);
  });

  test("is undefined for constant features and without edges", () => {
    expect(similarity(category(3, () => 1))).toBeNaN();
    expect(
      edgeSimilarity(
        sparseOf(randomCategory(5, "a")),
        [graphOf(Array.from({ length: N }, () => []))],
        new Rng(1, "pairs"),
      ),
    ).toBeUndefined();
  });
});
