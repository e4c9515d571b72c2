import { expect, test } from "vitest";
import type { GraphInput } from "../../nn/model.js";
import { FACETS, structureWidths, widestFacets } from "./facet-widths.js";

/** A graph of `numRelations` empty relations. */
function graphOf(numRelations: number, withFeatures: boolean): GraphInput {
  const empty = { name: "r", rowStart: Uint32Array.of(0, 0), columns: new Uint32Array(0), numEdges: 0 };
  return {
    numNodes: 1,
    relations: new Array(numRelations).fill(empty),
    directed: false,
    features: withFeatures ? { numColumns: 1, rowStart: Uint32Array.of(0, 0), columns: new Uint32Array(0) } : undefined,
  };
}

test("edges have 1/8 to 3/4 of the columns, with features at most 7/16", () => {
  expect(structureWidths(graphOf(3, false), 64, 0)).toEqual({ structure: 64, maxEdges: 48, minEdges: 8 });
  expect(structureWidths(graphOf(3, true), 64, 2)).toEqual({ structure: 28, maxEdges: 28, minEdges: 8 });
});

test("degrees have at most one column per relation and 1/8 of the columns, with features 1/16", () => {
  expect(widestFacets(graphOf(3, false), 64)).toEqual({ edges: 48, spectral: 13, degrees: 3, infomax: 0 });
  expect(widestFacets(graphOf(20, false), 64)).toEqual({ edges: 48, spectral: 8, degrees: 8, infomax: 0 });
  expect(widestFacets(graphOf(20, true), 64)).toEqual({ edges: 28, spectral: 0, degrees: 4, infomax: 32 });
});

test("the widths of all facets add up to dim, for every dim", () => {
  for (let dim = 1; dim <= 70; dim++) {
    for (const withFeatures of [false, true]) {
      const widths = widestFacets(graphOf(5, withFeatures), dim);
      expect(FACETS.reduce((sum, name) => sum + widths[name], 0)).toBe(dim);
      expect(Math.min(...FACETS.map((name) => widths[name]))).toBeGreaterThanOrEqual(0);
      expect(widths.edges).toBeGreaterThan(0);
    }
  }
});
