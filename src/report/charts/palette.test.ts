import { expect, test } from "vitest";
import { chartStyle } from "./palette.js";

/**
 * Matrices, by rows, that turn linear RGB into the linear RGB that a dichromat (severity 1) sees: Machado, Oliveira and Fernandes
 * (2009), "A physiologically-based model".
 */
const VISION = {
  normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

/**
 * Coordinates in OKLab (Björn Ottosson), a colour space in which distance approximates visible difference. A distance of 0.02 is
 * just visible.
 */
function oklab(color: string, vision: readonly number[]): number[] {
  const rgb = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const multiply = (matrix: readonly number[], [x, y, z]: readonly number[]) =>
    [0, 3, 6].map((row) => matrix[row] * x + matrix[row + 1] * y + matrix[row + 2] * z);
  const perceived = multiply(vision, rgb).map((value) => Math.min(1, Math.max(0, value)));
  const cones = multiply(
    [
      0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566, 0.0883024619, 0.2817188376,
      0.6299787005,
    ],
    perceived,
  ).map(Math.cbrt);
  return multiply(
    [
      0.2104542553, 0.793617785, -0.0040720468, 1.9779984951, -2.428592205, 0.4505937099, 0.0259040371, 0.7827717662,
      -0.808675766,
    ],
    cones,
  );
}

function smallestDistance(colors: readonly string[], vision: readonly number[]): number {
  const coordinates = colors.map((color) => oklab(color, vision));
  let smallest = Infinity;
  coordinates.forEach((a, i) => {
    for (const b of coordinates.slice(0, i))
      smallest = Math.min(smallest, Math.hypot(...a.map((value, k) => value - b[k])));
  });
  return smallest;
}

test.each([
  ["light", 0],
  ["dark", 1],
])("on %s pages 20 colours and two greys can be distinguished, also with colour blindness", (_, theme) => {
  const values = (name: string) => [...chartStyle().matchAll(new RegExp(`--hmge-${name}:(#.{6})`, "g"))];
  const colors = Array.from({ length: 20 }, (__, i) => values(`c${i}`)[theme][1]);
  const all = [...colors, values("other")[theme][1], values("none")[theme][1]];
  expect(new Set(all).size).toBe(22);
  // Measured for normal vision: light 0.115, dark 0.107. For protanopia, deuteranopia, tritanopia: light 0.067, 0.063, 0.049;
  // dark 0.036, 0.055, 0.049.
  expect(smallestDistance(all, VISION.normal)).toBeGreaterThan(0.1);
  for (const vision of [VISION.protanopia, VISION.deuteranopia, VISION.tritanopia]) {
    expect(smallestDistance(all, vision)).toBeGreaterThan(0.035);
  }
});
