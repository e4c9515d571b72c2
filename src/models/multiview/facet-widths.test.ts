import { expect, test } from "vitest";
import type { GraphInput } from "../../nn/model.js";
import { structureWidths, VIEWS, widestViews } from "./facet-widths.js";

/** Of `numRelations` empty relations. */
function graphOf(numRelations: number, withFeatures: boolean): GraphInput {
  const empty = { name: "r", rowStart: Uint32Array.of(0, 0), columns: new Uint32Array(0), numEdges: 0 };
  return {
    numNodes: 1,
    relations: new Array(numRelations).fill(empty),
    directed: false,
    features: withFeatures ? { numColumns: 1, rowStart: Uint32Array.of(0, 0), columns: new Uint32Array(0) } : undefined,
  };
}

test("edges have an eighth to three quarters of the columns, with features at most 7/16", () => {
  expect(structureWidths(graphOf(3, false), 64, 0)).toEqual({ structure: 64, mostEdges: 48, fewestEdges: 8 });
  expect(structureWidths(graphOf(3, true), 64, 2)).toEqual({ structure: 28, mostEdges: 28, fewestEdges: 8 });
});

test("degrees have a column for each relation, at most an eighth, with features a sixteenth", () => {
  expect(widestViews(graphOf(3, false), 64)).toEqual({ edges: 48, spectral: 13, degrees: 3, infomax: 0 });
  expect(widestViews(graphOf(20, false), 64)).toEqual({ edges: 48, spectral: 8, degrees: 8, infomax: 0 });
  expect(widestViews(graphOf(20, true), 64)).toEqual({ edges: 28, spectral: 0, degrees: 4, infomax: 32 });
});

test("the widths of all views add up to the width of the vectors, whatever it is", () => {
  for (let dim = 1; dim <= 70; dim++) {
    for (const withFeatures of [false, true]) {
      const widths = widestViews(graphOf(5, withFeatures), dim);
      expect(VIEWS.reduce((sum, name) => sum + widths[name], 0)).toBe(dim);
      expect(Math.min(...VIEWS.map((name) => widths[name]))).toBeGreaterThanOrEqual(0);
      expect(widths.edges).toBeGreaterThan(0);
    }
  }
});
