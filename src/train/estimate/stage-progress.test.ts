import { expect, test } from "vitest";
import { StageProgress } from "./stage-progress.js";
import { RATES } from "./work-rates.js";

/** A stage that takes this many seconds. */
const stage = (name: string, seconds: number) => ({ name, work: { loops: seconds * RATES.loops } });

test("stages are weighted by their seconds, also stages with the same name", () => {
  const progress = new StageProgress([stage("a", 1), stage("b", 6), stage("a", 3)], 1);
  expect(progress.reach("a", 0, 4)).toBe(0);
  expect(progress.reach("a", 4, 4)).toBeCloseTo(0.1, 12);
  expect(progress.reach("b", 1, 2)).toBeCloseTo(0.4, 12);
  expect(progress.reach("b", 2, 2)).toBeCloseTo(0.7, 12);
  expect(progress.reach("a", 0, 4)).toBeCloseTo(0.7, 12);
  expect(progress.reach("a", 4, 4)).toBe(1);
});

test("a stage that begins again is the next stage with its name", () => {
  const progress = new StageProgress([stage("a", 1), stage("a", 1)], 1);
  progress.reach("a", 8, 8);
  expect(progress.reach("a", 1, 8)).toBeCloseTo(9 / 16, 12);
});

test("skipped stages count as done; unknown and past stages change nothing", () => {
  const progress = new StageProgress([stage("a", 1), stage("b", 1), stage("c", 2)], 1);
  expect(progress.reach("c", 0, 1)).toBe(0.5);
  expect(progress.reach("a", 1, 1)).toBe(0.5);
  expect(progress.reach("something else", 1, 1)).toBe(0.5);
  expect(progress.reach("c", 1, 1)).toBe(1);
});
