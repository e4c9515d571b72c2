import { expect, test } from "vitest";
import { balancedRanges } from "./row-ranges.js";

test("ranges have about the same cost and end at multiples of the unit", () => {
  // the first 100 nodes cost as much as the other 900
  const cost = Float64Array.from({ length: 1000 }, (_, i) => (i < 100 ? 9 : 1));
  expect(balancedRanges(cost, 1, 2, 0).first).toEqual([0, 100, 1000]);
  expect(balancedRanges(cost, 64, 2, 0).first).toEqual([0, 128, 1000]);
  expect(balancedRanges(cost, 64, 3, 1).first).toEqual([0, 64, 384, 1000]);
});

test("a rank has no nodes if there are fewer units than ranks", () => {
  const ranges = balancedRanges(new Float64Array(300).fill(1), 256, 3, 2);
  expect(ranges.first[3]).toBe(300);
  expect(ranges.first.every((node) => node % 256 === 0 || node === 300)).toBe(true);
  expect(ranges.first.slice(1).reduce((sum, end, r) => sum + end - ranges.first[r], 0)).toBe(300);
});

test("every node belongs to the rank whose range contains it", () => {
  const ranges = balancedRanges(new Float64Array(1000).fill(1), 64, 4, 1);
  const { first } = ranges;
  for (let node = 0; node < 1000; node++) {
    const owner = ranges.ownerOf(node);
    expect(first[owner] <= node && node < first[owner + 1]).toBe(true);
  }
});
