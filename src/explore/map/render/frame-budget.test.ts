import { describe, expect, test } from "vitest";
import { FrameBudget } from "./frame-budget.js";

/** Steps of one movement whose frames take these milliseconds. */
function move(budget: FrameBudget, durations: readonly number[], numPoints = 1_000_000): number[] {
  let now = 5000;
  const steps = [budget.steps(now, numPoints, 0).points];
  for (const duration of durations) steps.push(budget.steps((now += duration), numPoints, 0).points);
  budget.rest();
  return steps;
}

describe("the number of points drawn while the map moves", () => {
  test("stays complete while frames are fast, and after one slow frame", () => {
    expect(move(new FrameBudget(), [16, 16, 60, 16, 60, 16])).toEqual([1, 1, 1, 1, 1, 1, 1]);
  });

  test("falls as far as frames are too long: after two slow frames or one very slow one", () => {
    expect(move(new FrameBudget(), [100, 100, 30, 30])).toEqual([1, 1, 4, 4, 4]);
    expect(move(new FrameBudget(), [300, 30])).toEqual([1, 12, 12]);
    expect(move(new FrameBudget(), [3000, 3000])).toEqual([1, 31, 31]);
  });

  test("never falls below 20,000 points and 2,000 edges", () => {
    expect(move(new FrameBudget(), [300], 100_000)).toEqual([1, 5]);
    expect(move(new FrameBudget(), [300], 30_000)).toEqual([1, 1]);
    const budget = new FrameBudget();
    budget.steps(0, 1000, 9000);
    expect(budget.steps(300, 1000, 9000)).toEqual({ points: 1, edges: 4 });
    expect(budget.steps(320, 1000, 65_000)).toEqual({ points: 1, edges: 12 });
  });

  test("is remembered by the next movement and doubles after a movement of fast frames", () => {
    const budget = new FrameBudget();
    move(budget, [300, 30]);
    expect(move(budget, [30, 30])).toEqual([12, 12, 12]);
    expect(move(budget, [20, 20])).toEqual([12, 12, 12]);
    expect(move(budget, [20])).toEqual([6, 6]);
    expect(move(budget, [])).toEqual([3]);
    expect(move(budget, [])).toEqual([3]);
  });
});
