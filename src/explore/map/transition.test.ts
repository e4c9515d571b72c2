import { describe, expect, test } from "vitest";
import { toScreen } from "./camera.js";
import { EMPTY_CONTENT } from "./render/renderer.js";
import { checkLength, easedProgress, transitionStart } from "./transition.js";

describe("the transition to new positions", () => {
  const old = Float32Array.of(0, 0, 10, 4, Number.NaN, 1);
  const content = { ...EMPTY_CONTENT, numNodes: 3, positions: old };
  const camera = { x: 5, y: 2, scale: 20 };
  const next = { x: -1, y: 3, scale: 500 };
  const size = { width: 300, height: 200 };

  test("begins where the points are on the screen", () => {
    const start = transitionStart({ content, camera, progress: 1 }, Float32Array.of(1, 1, 2, 2, 3, 3), next)!;
    for (const node of [0, 1]) {
      const shown = toScreen(camera, size, old[2 * node], old[2 * node + 1]);
      const begins = toScreen(next, size, start[2 * node], start[2 * node + 1]);
      expect(begins[0]).toBeCloseTo(shown[0], 3);
      expect(begins[1]).toBeCloseTo(shown[1], 3);
    }
    expect(start[4]).toBe(3);
  });

  test("begins in the middle of a transition that is still going on", () => {
    const moving = { ...content, start: Float32Array.of(8, 8, 0, 0, 0, 0) };
    const start = transitionStart({ content: moving, camera, progress: 0.25 }, old, camera)!;
    expect([...start.subarray(0, 4)]).toEqual([6, 6, 2.5, 1]);
  });

  test("is left out if the number of nodes changed", () => {
    expect(transitionStart({ content, camera, progress: 1 }, Float32Array.of(1, 1), next)).toBeUndefined();
  });

  test("is slow at both ends and takes 600 ms", () => {
    expect([-5, 0, 300, 600, 9000].map(easedProgress)).toEqual([0, 0, 0.5, 1, 1]);
    expect(easedProgress(60)).toBeCloseTo(0.028, 10);
  });
});

test("arrays of the wrong length are refused", () => {
  expect(() => checkLength("colours", 7, 8)).toThrow("map: colours have 7 values; expected 8. Set positions first.");
  checkLength("colours", 8, 8);
});
