import { expect, test } from "vitest";
import { columnSlices } from "./column-slices.js";

test("a source that fits is one slice", () => {
  expect(columnSlices(100, 10, 4000)).toEqual([{ first: 0, cols: 100 }]);
});

test("slices have whole tiles of 32 columns, except the last, and equal widths", () => {
  expect(columnSlices(100, 10, 3999)).toEqual([
    { first: 0, cols: 64 },
    { first: 64, cols: 36 },
  ]);
  // three tiles would fit, but two slices of two tiles need less memory
  expect(columnSlices(128, 10, 4 * 32 * 10 * 3)).toEqual([
    { first: 0, cols: 64 },
    { first: 64, cols: 64 },
  ]);
});

test("a slice has at least one tile", () => {
  expect(columnSlices(40, 10, 1)).toEqual([
    { first: 0, cols: 32 },
    { first: 32, cols: 8 },
  ]);
  expect(columnSlices(7, 10, 1)).toEqual([{ first: 0, cols: 7 }]);
});
