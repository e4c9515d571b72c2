import { expect, test } from "vitest";
import type { GraphInput } from "../../nn/model.js";
import { edgeLimits, explainedWidth, FACETS, maxWidths, widestFacets } from "./facet-widths.js";

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
  expect(edgeLimits(64, 48, 8)).toEqual({ min: 8, max: 24 });
  expect(edgeLimits(64, 20, 8)).toEqual({ min: 8, max: 20 });
});

test("in vectors of less than 32 columns the diffusion gets its columns before the edges", () => {
  expect(edgeLimits(16, 5, 2)).toEqual({ min: 2, max: 3 });
  expect(edgeLimits(31, 10, 3)).toEqual({ min: 4, max: 7 });
  expect(edgeLimits(32, 10, 4)).toEqual({ min: 4, max: 10 });
});

test("narrow vectors have their coarse facets first: features, diffusion, smoothed features; the edges have one column at least", () => {
  const [structureOnly, withFeatures] = [graphOf(5, 0), graphOf(5, 500)];
  for (let dim = 1; dim <= 16; dim++) {
    const narrow = widestFacets(structureOnly, dim);
    expect(narrow.diffusion).toBe(dim < 2 ? 0 : dim < 16 ? 1 : 2);
    if (narrow.diffusion === 0) expect(narrow["fine diffusion"]).toBe(0);
    expect(narrow.edges).toBeGreaterThan(0);
    const { features, diffusion, "smoothed features": smoothed, edges } = widestFacets(withFeatures, dim);
    expect(features).toBe(dim < 2 ? 0 : Math.max(1, Math.floor(dim / 4)));
    expect(diffusion).toBe(dim < 3 ? 0 : dim < 16 ? 1 : 2);
    expect(smoothed).toBe(Math.floor(dim / 4));
    expect(edges).toBeGreaterThan(0);
  }
});

test.each([32, 64, 128])("at dim %i every facet has its share", (dim) => {
  const eighth = dim / 8;
  expect(maxWidths(graphOf(500, 0), dim)).toMatchObject({ diffusion: eighth, degrees: 1.5 * eighth });
  expect(maxWidths(graphOf(500, 500), dim)).toEqual({
    infomax: eighth,
    features: 2 * eighth,
    "smoothed features": 2 * eighth,
    diffusion: eighth,
    degrees: eighth / 2,
  });
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

test("if a relation is a union of cliques, edges have at most 3/4 of the columns; the columns of the diffusion are not taken", () => {
  expect(edgeLimits(64, 61, 8, true)).toEqual({ min: 8, max: 48 });
  expect(edgeLimits(64, 50, 8, true)).toEqual({ min: 8, max: 42 });
});

test("features that explain little leave columns to infomax", () => {
  expect([0, 0.05, 0.25, 0.5, 1].map((share) => explainedWidth(16, share))).toEqual([0, 1, 8, 16, 16]);
});
