/** The filter of the iteration, as a polynomial, and its cuts. */

import { describe, expect, test } from "vitest";
import { chebyshevFilter, PRODUCTS_PER_ROUND, SubspaceIteration } from "./subspace-iteration.js";

/** T(λ): what the filter of this cut makes of a direction with eigenvalue λ. */
function gain(cut: number, eigenvalue: number): number {
  const { first, next } = chebyshevFilter(cut);
  let [previous, current] = [1, first[0] * eigenvalue + first[1]];
  for (let degree = 2; degree <= PRODUCTS_PER_ROUND; degree++) {
    [previous, current] = [current, next[0] * eigenvalue * current + next[1] * current + next[2] * previous];
  }
  return current;
}

describe("the Chebyshev filter", () => {
  test.each([0, 0.3, 0.9])("is within ±1 up to the cut %f, at both ends 1, and grows beyond", (cut) => {
    const damped = Array.from({ length: 1001 }, (_, k) => gain(cut, -1 + ((1 + cut) * k) / 1000));
    expect(Math.max(...damped.map(Math.abs))).toBeLessThan(1 + 1e-9);
    expect(gain(cut, -1)).toBeCloseTo(1, 9);
    expect(gain(cut, cut)).toBeCloseTo(1, 9);
    // the Chebyshev polynomial of degree n is cosh(n·arcosh x) beyond 1
    const beyond = (2 - (cut - 1)) / (cut + 1);
    expect(gain(cut, 1)).toBeCloseTo(Math.cosh(PRODUCTS_PER_ROUND * Math.acosh(beyond)), 6);
  });

  test("is 577 at 1 if it damps all negative eigenvalues", () => {
    expect(gain(0, 1)).toBeCloseTo(577, 6);
  });
});

describe("cuts", () => {
  /** The cut after a round that found these eigenvalues, the largest first. */
  function cutAfter(values: readonly number[]): number {
    const width = values.length;
    const iteration = new SubspaceIteration(width, 1);
    expect(iteration.cuts).toEqual([0]); // before the first round nothing is known
    iteration.endRound([values.flatMap((value, i) => values.map((_, j) => (i === j ? value : 0)))]);
    return iteration.cuts[0];
  }

  test("are the smallest eigenvalue, but not negative", () => {
    expect(cutAfter([1, 0.5, 0.1])).toBeCloseTo(0.1, 12);
    expect(cutAfter([1, 0.5, -0.1])).toBe(0);
  });

  test("leave the largest eigenvalue a gain of 4 if all are close to each other", () => {
    const cut = cutAfter([0.5, 0.499, 0.498]);
    expect(cut).toBeGreaterThan(0.3);
    expect(gain(cut, 0.5)).toBeCloseTo(4, 9);
    expect(cutAfter([0.01, 0.01])).toBe(0);
  });
});
