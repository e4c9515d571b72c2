/** Slices of rows that need no copy. */

import { expect, test } from "vitest";
import { reshape, scale, sliceColumns } from "../../ops/index.js";
import { ProgramBuilder, type Tensor } from "../../program.js";
import { findStarts, viewRows } from "./row-views.js";

/** Where the parts of x and of a computed row begin in its storage; 0: no view, or one that begins with it. */
function startsOf(rows: number, take: (computed: Tensor, x: Tensor) => readonly Tensor[]): readonly number[] {
  const builder = new ProgramBuilder();
  const x = builder.parameter("x", rows, 24);
  builder.segment("run", () => take(scale(x, 2), x));
  const { segments, results } = builder.finish();
  const starts = findStarts(viewRows(segments.get("run")!));
  return results.get("run")!.map((tensor) => starts.get(tensor) ?? 0);
}

test("a slice of a computed row is an alias that begins at a multiple of four entries", () => {
  expect(startsOf(1, (row) => [0, 4, 20, 5].map((start) => sliceColumns(row, start, 4)))).toEqual([0, 4, 20, 0]);
});

test("an alias of a view begins where the view does, and a view of a view after it", () => {
  const starts = startsOf(1, (row) => {
    const view = sliceColumns(row, 8, 16);
    const square = reshape(view, 4, 4);
    return [square, sliceColumns(reshape(square, 1, 16), 4, 5)];
  });
  expect(starts).toEqual([8, 12]);
});

test("slices of several rows and of parameters are copies", () => {
  expect(startsOf(2, (matrix) => [sliceColumns(matrix, 4, 4)])).toEqual([0]);
  expect(startsOf(1, (_, parameter) => [sliceColumns(parameter, 4, 4)])).toEqual([0]);
});
