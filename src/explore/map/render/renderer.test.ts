import { expect, test } from "vitest";
import { EMPTY_CONTENT, isShown, pointLook, shownEdges } from "./renderer.js";

const size = { width: 1000, height: 640 };

test("points are smaller the more there are, and larger with zoom, within limits", () => {
  // 80 pixels apart, 8 pixels apart, 0.8 pixels apart
  expect(pointLook(100, size, 1)).toEqual({ diameter: 8, opacity: 1 });
  expect(pointLook(10_000, size, 1).diameter).toBeCloseTo(4, 10);
  expect(pointLook(1_000_000, size, 1)).toEqual({ diameter: 1.7, opacity: 0.45 });
  expect(pointLook(10_000, size, 32).diameter).toBeCloseTo(16, 10);
  expect(pointLook(10_000, size, 4).diameter).toBeCloseTo(4 * 4 ** 0.4, 10);
});

test("points that cannot become smaller become transparent", () => {
  const { diameter, opacity } = pointLook(100_000, size, 1);
  expect(diameter).toBe(1.7);
  expect(opacity).toBeCloseTo((0.5 * 2.5298221) / 1.7, 6);
  expect(pointLook(100_000, size, 3).opacity).toBe(1);
});

test("a node is shown if it has a place and its colour is not transparent; an edge, if both its ends are", () => {
  const content = {
    ...EMPTY_CONTENT,
    numNodes: 4,
    positions: Float32Array.of(0, 0, Number.NaN, 0, 2, 2, 3, 3),
    colors: Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 255, 9, 9, 9, 0, 0, 0, 0, 255),
    ends: Uint32Array.of(0, 1, 0, 3, 2, 3, 3, 0),
  };
  expect([0, 1, 2, 3].map((node) => isShown(content, node))).toEqual([true, false, false, true]);
  expect([...shownEdges(content)]).toEqual([1, 3]);
});
