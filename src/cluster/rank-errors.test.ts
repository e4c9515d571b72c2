import { describe, expect, it } from "vitest";
import { InputError } from "../core/errors.js";
import { inRank, isOfRankZero, sendable, throwFirst } from "./rank-errors.js";

describe("errors of ranks", () => {
  it("name their rank once, wherever they are printed", () => {
    expect([0, 2].map((rank) => inRank(rank, "seed is 9"))).toEqual(["seed is 9", "rank 2: seed is 9"]);
    expect([0, 1, 2].map((rank) => inRank(rank, "rank 1: seed is 9"))).toEqual(Array(3).fill("rank 1: seed is 9"));
  });

  it("reach the other ranks with their class and the rank of the first one", () => {
    const own = new InputError("no such file");
    const heads = [{}, { error: sendable(own) }, { error: sendable(new Error("another")) }];
    expect(() => throwFirst(heads, own)).toThrow(own);
    expect(() => throwFirst(heads, undefined)).toThrow(new InputError("rank 1: no such file"));
    expect(() => throwFirst([{}, {}], undefined)).not.toThrow();
  });

  it("of rank 0 are known as such on the other ranks", () => {
    const thrown = (heads: Parameters<typeof throwFirst>[0]) => {
      try {
        throwFirst(heads, undefined);
      } catch (error) {
        return error;
      }
    };
    const sent = { error: sendable(new InputError("no such file")) };
    expect(thrown([sent, {}])).toEqual(new InputError("no such file"));
    expect([thrown([sent, {}]), thrown([{}, sent])].map(isOfRankZero)).toEqual([true, false]);
  });
});
