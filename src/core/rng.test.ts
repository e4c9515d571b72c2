import { expect, test } from "vitest";
import { philox, Rng } from "./rng.js";

// Known-answer vectors of the Random123 distribution (kat_vectors, philox4x32 10 rounds).
test.each([
  [
    [0, 0, 0, 0],
    [0, 0],
    [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
  ],
  [
    [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
    [0xffffffff, 0xffffffff],
    [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
  ],
  [
    [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
    [0xa4093822, 0x299f31d0],
    [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
  ],
])("philox known answers %#", (counter, key, expected) => {
  const block = Uint32Array.from(counter);
  philox(block, key[0], key[1]);
  expect([...block]).toEqual(expected);
});

test("streams of other purposes, seeds and epochs differ; equal names agree", () => {
  const first = (rng: Rng) => [rng.uint32(), rng.uint32()];
  const base = first(new Rng(1, "a"));
  expect(first(new Rng(1, "a"))).toEqual(base);
  expect(first(new Rng(2, "a"))).not.toEqual(base);
  expect(first(new Rng(1, "b"))).not.toEqual(base);
  expect(first(new Rng(1, "a", 1))).not.toEqual(base);
  expect(first(new Rng(1 + 2 ** 40, "a"))).not.toEqual(base);
});

test("uniform, normal and below have the moments they should", () => {
  const rng = new Rng(7, "moments");
  const n = 40_000;
  let uniform = 0;
  let normal = 0;
  let normalSquare = 0;
  const counts = new Array(7).fill(0);
  for (let i = 0; i < n; i++) {
    uniform += rng.uniform();
    const z = rng.normal();
    normal += z;
    normalSquare += z * z;
    counts[rng.below(7)]++;
  }
  // five standard errors of each mean
  expect(Math.abs(uniform / n - 0.5)).toBeLessThan((5 * Math.sqrt(1 / 12)) / Math.sqrt(n));
  expect(Math.abs(normal / n)).toBeLessThan(5 / Math.sqrt(n));
  expect(Math.abs(normalSquare / n - 1)).toBeLessThan((5 * Math.SQRT2) / Math.sqrt(n));
  for (const count of counts) expect(Math.abs(count - n / 7)).toBeLessThan(5 * Math.sqrt(n / 7));
});

test("permutation holds each index once and moves the first element uniformly", () => {
  const out = new Uint32Array(5);
  const places = new Array(5).fill(0);
  for (let epoch = 0; epoch < 5000; epoch++) {
    new Rng(3, "permutation", epoch).permutation(out);
    expect([...out].sort()).toEqual([0, 1, 2, 3, 4]);
    places[out.indexOf(0)]++;
  }
  for (const count of places) expect(Math.abs(count - 1000)).toBeLessThan(5 * Math.sqrt(800));
});

test("forks of different epochs differ, those of the same one do not", () => {
  const first = (epoch: number) => new Rng(3, "repeat", epoch).fork("start", 2).uint32();
  expect(new Set([0, 1, 2, 3].map(first)).size).toBe(4);
  expect(first(1)).toBe(first(1));
});
