import { describe, expect, test } from "vitest";
import { boundsInView, boundsOf, cameraToSee, fitCamera, panBy, toMap, toScreen, zoomAt } from "./camera.js";

const size = { width: 640, height: 400 };
const camera = { x: 3, y: -2, scale: 25 };

describe("the camera", () => {
  test("puts its centre in the middle of the view, x to the right and y up", () => {
    expect(toScreen(camera, size, 3, -2)).toEqual([320, 200]);
    expect(toScreen(camera, size, 4, 0)).toEqual([345, 150]);
  });

  test("turns pixels into the points of the map that are there", () => {
    expect(toMap(camera, size, 345, 150)).toEqual([4, 0]);
    const [x, y] = toMap(camera, size, ...toScreen(camera, size, -7.25, 11.5));
    expect(x).toBeCloseTo(-7.25, 12);
    expect(y).toBeCloseTo(11.5, 12);
  });

  test("keeps the point under the pointer when it zooms", () => {
    const before = toMap(camera, size, 90, 310);
    for (const scale of [2, 25, 400]) {
      const zoomed = zoomAt(camera, size, 90, 310, scale);
      expect(zoomed.scale).toBe(scale);
      const after = toMap(zoomed, size, 90, 310);
      expect(after[0]).toBeCloseTo(before[0], 10);
      expect(after[1]).toBeCloseTo(before[1], 10);
    }
  });

  test("moves what is in view with the pointer", () => {
    const [x, y] = toScreen(camera, size, 5, 5);
    const moved = toScreen(panBy(camera, 12, -30), size, 5, 5);
    expect(moved[0]).toBeCloseTo(x + 12, 10);
    expect(moved[1]).toBeCloseTo(y - 30, 10);
  });

  test("knows what is in view", () => {
    const { left, right, bottom, top } = boundsInView(camera, size, 25);
    expect([left, right, bottom, top].map((value) => Math.round(value * 1e9) / 1e9)).toEqual([-10.8, 16.8, -11, 7]);
  });

  test("moves to a point only if it is out of view", () => {
    const corner = toMap(camera, size, 640, 400);
    expect(cameraToSee(camera, size, corner[0] - 1e-9, corner[1] + 1e-9)).toBe(camera);
    const [x, y] = toMap(camera, size, 320, 401);
    expect(cameraToSee(camera, size, x, y)).toEqual({ x, y, scale: camera.scale });
    expect(cameraToSee(camera, size, Number.NaN, Number.NaN)).toBe(camera);
  });

  test("fits all positions that are numbers and leaves a margin of 28 pixels", () => {
    const positions = Float32Array.of(-4, 1, 8, 3, Number.NaN, 100, 2, 5, Infinity, 0);
    const bounds = boundsOf(positions);
    expect(bounds).toEqual({ left: -4, right: 8, bottom: 1, top: 5 });
    const fitted = fitCamera(bounds, size);
    expect(toScreen(fitted, size, -4, 3)[0]).toBeCloseTo(28, 9);
    expect(toScreen(fitted, size, 8, 3)[0]).toBeCloseTo(612, 9);
    expect(toScreen(fitted, size, 2, 3)[1]).toBeCloseTo(200, 9);
    const tall = fitCamera({ left: 0, right: 1, bottom: 0, top: 100 }, size);
    expect(toScreen(tall, size, 0, 100)[1]).toBeCloseTo(28, 9);
  });

  test("has a scale even if no node or only one place is on the map", () => {
    expect(fitCamera(boundsOf(Float32Array.of(Number.NaN, 1)), size)).toEqual({ x: 0, y: 0, scale: 1 });
    expect(fitCamera(boundsOf(Float32Array.of(2, 7, 2, 7)), size)).toEqual({ x: 2, y: 7, scale: 1 });
  });
});
