import { expect, test } from "vitest";
import { Rng } from "../../../core/rng.js";
import type { FeatureInput } from "../../../nn/model.js";
import { exclusiveShare } from "./exclusive-share.js";

const N = 2000;
const rng = new Rng(1, "features");

function featuresOf(numColumns: number, rows: readonly (readonly number[])[]): FeatureInput {
  return {
    numColumns,
    rowStart: Uint32Array.from([
      0,
      ...rows.map((_, i) => rows.slice(0, i + 1).reduce((sum, row) => sum + row.length, 0)),
    ]),
    columns: Uint32Array.from(rows.flat()),
  };
}

/** The exclusive share if node i has the features `row(i)`. */
function shareOf(numColumns: number, row: (i: number) => number[], quantities: readonly number[] = []): number {
  const isQuantity = Uint8Array.from({ length: numColumns }, (_, c) => Number(quantities.includes(c)));
  return exclusiveShare(
    featuresOf(
      numColumns,
      Array.from({ length: N }, (_, i) => row(i)),
    ),
    isQuantity,
  );
}

const answers = (count: number) => Array.from({ length: count }, (_, c) => c).filter(() => rng.uniform() < 0.4);

test("one or several categories have 1, also next to quantities and nodes without features", () => {
  expect(shareOf(40, () => [rng.below(40)])).toBeCloseTo(1, 12);
  expect(shareOf(37, () => [rng.below(12), 12 + rng.below(25)])).toBeCloseTo(1, 12);
  expect(shareOf(22, () => [rng.below(20), 20, 21].slice(0, 2 + rng.below(2)), [20, 21])).toBeCloseTo(1, 12);
  expect(shareOf(40, (i) => (i % 2 === 0 ? [] : [rng.below(40)]))).toBeCloseTo(1, 12);
});

test("a category that a tenth of the nodes lack next to another one: 1 − 0.09 over the sum of the variances", () => {
  const share = shareOf(20, (i) => [
    i % 10,
    ...(Math.floor(i / 10) % 10 === 0 ? [] : [10 + (Math.floor(i / 100) % 10)]),
  ]);
  expect(share).toBeCloseTo(1 - (0.9 * 0.1) / (10 * 0.1 * 0.9 + 10 * 0.09 * 0.91), 10);
});

test("independent answers have about 0, and words of long and short texts 0", () => {
  // standard error of the variance of 2,000 counts: √(2/2000)
  expect(shareOf(30, () => answers(30))).toBeLessThan(0.1);
  expect(shareOf(50, (i) => answers(i % 2 === 0 ? 10 : 50))).toBe(0);
});

test("quantities alone have 0", () => {
  expect(shareOf(2, () => [0, 1], [0, 1])).toBe(0);
});
