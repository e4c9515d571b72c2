import { expect, test } from "vitest";
import { samplePoints } from "./sample-points.js";

const nodes = Uint32Array.from({ length: 1000 }, (_, i) => 2 * i);
const selectedOf = (...chosen: readonly number[]) => {
  const selected = new Uint8Array(2000);
  for (const node of chosen) selected[node] = 1;
  return selected;
};

test("all points are kept if there are few", () => {
  expect(samplePoints(nodes, { selected: undefined, focus: -1 }, 1000)).toEqual(nodes);
});

test("every k-th point is kept, and the focus and selected points always", () => {
  expect([...samplePoints(nodes, { selected: undefined, focus: -1 }, 4)]).toEqual([0, 500, 1000, 1500]);
  const sample = samplePoints(nodes, { selected: selectedOf(2, 4, 1998), focus: 1000 }, 10);
  expect(sample).toHaveLength(10);
  expect([...sample]).toEqual(expect.arrayContaining([2, 4, 1000, 1998]));
  expect([...sample]).toEqual([...sample].sort((a, b) => a - b));
});

test("of too many selected points every k-th is kept, and the focus", () => {
  const sample = samplePoints(nodes, { selected: selectedOf(...nodes.subarray(0, 500)), focus: 1998 }, 11);
  expect([...sample]).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1998]);
});

test("a focus outside the list is not added", () => {
  expect([...samplePoints(nodes, { selected: undefined, focus: 3 }, 2)]).toEqual([0, 1000]);
});
