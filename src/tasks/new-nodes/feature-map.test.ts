/** Predicts vectors whose columns depend on the features fully, in part and not at all. */

import { expect, test } from "vitest";
import { Rng } from "../../core/rng.js";
import { weightedFeatures } from "../../nn/feature-weights.js";
import { applyFeatureMap, fitFeatureMap } from "./feature-map.js";

test("reports a held-out R² near 1 for a column that features determine, and near 0 for noise", () => {
  const [numNodes, numColumns, dim] = [400, 30, 3];
  const rng = new Rng(4, "features");
  const rows = Array.from({ length: numNodes }, () =>
    [...new Set(Array.from({ length: 5 }, () => rng.below(numColumns)))].sort((a, b) => a - b),
  );
  const rowStart = new Uint32Array(numNodes + 1);
  rows.forEach((row, i) => {
    rowStart[i + 1] = rowStart[i] + row.length;
  });
  const features = { numColumns, rowStart, columns: Uint32Array.from(rows.flat()) };
  const weighted = weightedFeatures(features, numNodes);
  const truth = Float64Array.from({ length: numColumns }, () => 3 * rng.normal());
  const vectors = new Float32Array(numNodes * dim);
  for (let i = 0; i < numNodes; i++) {
    let linear = 0;
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) linear += weighted.values![e] * truth[features.columns[e]];
    vectors.set([7 + linear, linear + 2 * rng.normal(), rng.normal()], i * dim);
  }
  const map = fitFeatureMap(features, { ids: rows.map((_, i) => `v${i}`), dim, vectors })!;
  // linear in the features, linear with noise, noise
  expect(map.fit[0]).toBeGreaterThan(0.97);
  expect(map.fit[1]).toBeGreaterThan(0.2);
  expect(map.fit[1]).toBeLessThan(0.9);
  expect(map.fit[2]).toBeLessThan(0.15);
  const own = applyFeatureMap(map, weighted, 3);
  expect(Math.abs(own[0] - vectors[3 * dim])).toBeLessThan(0.5);
});

test("is undefined if there are too many features", () => {
  const features = { numColumns: 10_000_000, rowStart: Uint32Array.of(0, 1), columns: Uint32Array.of(5) };
  expect(fitFeatureMap(features, { ids: ["a"], dim: 4, vectors: new Float32Array(4) })).toBeUndefined();
});
