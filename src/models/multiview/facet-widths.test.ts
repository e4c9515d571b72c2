import { expect, test } from "vitest";
import type { GraphInput } from "../../nn/model.js";
import { edgeLimits, FACETS, maxWidths, widestFacets } from "./facet-widths.js";

/** A graph of `numRelations` empty relations. */
function graphOf(numRelations: number, numFeatures: number): GraphInput {
  const empty = { name: "r", rowStart: Uint32Array.of(0, 0), columns: new Uint32Array(0), numEdges: 0 };
  return {
    numNodes: 100,
    relations: new Array(numRelations).fill(empty),
    directed: false,
    features:
      numFeatures === 0
        ? undefined
        : { numColumns: numFeatures, rowStart: new Uint32Array(101), columns: new Uint32Array(0) },
  };
}

test("edges have 1/8 to 3/8 of the columns", () => {
  expect(edgeLimits(64, 48)).toEqual({ min: 8, max: 24 });
  expect(edgeLimits(64, 20)).toEqual({ min: 8, max: 20 });
});

test("degrees have at most one column per relation and 3/16 of the columns, with features 1/16", () => {
  expect(maxWidths(graphOf(3, 0), 64).degrees).toBe(3);
  expect(maxWidths(graphOf(20, 0), 64).degrees).toBe(12);
  expect(maxWidths(graphOf(20, 9), 64).degrees).toBe(4);
});

test("features have at most as many columns as there are features, and 1/4 of the columns each", () => {
  expect(maxWidths(graphOf(3, 9), 64)).toMatchObject({ infomax: 8, features: 9, "smoothed features": 9 });
  expect(maxWidths(graphOf(3, 90), 64)).toMatchObject({ infomax: 8, features: 16, "smoothed features": 16 });
});

test("the widths of all facets add up to dim, for every dim", () => {
  for (let dim = 1; dim <= 70; dim++) {
    for (const numFeatures of [0, 5, 500]) {
      const widths = widestFacets(graphOf(5, numFeatures), dim);
      expect(FACETS.reduce((sum, name) => sum + widths[name], 0)).toBe(dim);
      expect(Math.min(...FACETS.map((name) => widths[name]))).toBeGreaterThanOrEqual(0);
      expect(widths.edges).toBeGreaterThan(0);
    }
  }
});
