import { describe, expect, test } from "vitest";
import { Rng } from "../core/rng.js";
import { LargestEntries, TopEntries } from "./top-entries.js";

/** Positive values over several powers of two; every value occurs about four times. */
function manyTies(size: number, seed: number): Float64Array {
  const rng = new Rng(seed, "values");
  return Float64Array.from(
    { length: size },
    () => 2 ** -Math.floor(12 * rng.uniform()) * (1 + Math.floor(5 * rng.uniform()) / 5),
  );
}

function selected(values: Float64Array, count: number): [index: number, value: number][] {
  const indices = Uint32Array.from(values, (_, t) => t);
  const moved = values.slice();
  const kept = new LargestEntries(values.length).select(indices, moved, values.length, count);
  return Array.from({ length: kept }, (_, t) => [indices[t], moved[t]]);
}

describe("LargestEntries", () => {
  test.each([1, 7, 100, 239])("selects the %i entries that rank first if equal entries rank by place", (count) => {
    const values = manyTies(240, 3);
    const order = [...values.keys()].sort((a, b) => values[b] - values[a] || a - b);
    const expected = order.slice(0, count).sort((a, b) => a - b);
    expect(selected(values, count)).toEqual(expected.map((t) => [t, values[t]]));
  });

  test("selects the same entries as the stream", () => {
    const rng = new Rng(1, "values");
    const values = Float64Array.from({ length: 500 }, () => rng.uniform());
    const top = new TopEntries(60);
    values.forEach((value, t) => {
      top.offer(t, value);
    });
    expect(selected(values, 60).map(([t]) => t)).toEqual([...top.indices].sort((a, b) => a - b));
  });

  test("compares entries after rounding to 16 bits", () => {
    expect(selected(Float64Array.of(0.5, 1, 1 + 2 ** -20), 1)).toEqual([[1, 1]]);
    expect(selected(Float64Array.of(0.5, 1, 1 + 2 ** -14), 1)).toEqual([[2, 1 + 2 ** -14]]);
  });

  test("keeps all entries if there are no more than asked for", () => {
    expect(selected(Float64Array.of(3, 1, 2), 3)).toEqual([
      [0, 3],
      [1, 1],
      [2, 2],
    ]);
  });
});
