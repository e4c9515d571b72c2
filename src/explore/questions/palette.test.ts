import { describe, expect, test } from "vitest";
import {
  BACKGROUNDS,
  CATEGORY_COLORS,
  contrast,
  decode,
  luminance,
  OTHER_COLOR,
  PLAIN_COLOR,
  type Rgb,
  rampColor,
} from "./palette.js";

/** Linear red, green and blue as eyes without one kind of cone see them (Machado et al. 2009, severity 1). */
const EYES: readonly (readonly (readonly number[])[])[] = [
  [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
];

function seenBy(eye: (typeof EYES)[number], color: Rgb): number[] {
  const linear = color.map((value) => decode(value / 255));
  const [r, g, b] = eye.map((row) =>
    Math.max(
      0,
      Math.min(
        1,
        row.reduce((sum, x, i) => sum + x * linear[i], 0),
      ),
    ),
  );
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

test("contrast is that of WCAG", () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 10);
  expect(contrast([119, 119, 119], [255, 255, 255])).toBeCloseTo(4.48, 2);
});

for (const theme of ["light", "dark"] as const) {
  describe(`on the ${theme} page`, () => {
    const ramp = Array.from({ length: 33 }, (_, i) => rampColor(i / 32, theme));

    test("every colour has a contrast of at least 3", () => {
      for (const color of [...CATEGORY_COLORS[theme], OTHER_COLOR[theme], PLAIN_COLOR[theme], ...ramp]) {
        for (const background of BACKGROUNDS[theme]) expect(contrast(color, background)).toBeGreaterThanOrEqual(3);
      }
    });

    test("no two categories look alike to any kind of eye", () => {
      const colors = CATEGORY_COLORS[theme];
      expect(colors).toHaveLength(20);
      for (const eye of EYES) {
        for (let a = 0; a < colors.length; a++) {
          for (let b = 0; b < a; b++) {
            const [p, q] = [seenBy(eye, colors[a]), seenBy(eye, colors[b])];
            // a difference of 0.02 in OKLab is just noticeable; the first eight are farther apart
            const least = a < 8 ? 0.069 : 0.051;
            expect(Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])).toBeGreaterThan(least);
          }
        }
      }
    });

    test("the ramp leads steadily away from the background", () => {
      const sign = theme === "light" ? -1 : 1;
      for (let i = 1; i < ramp.length; i++) {
        expect(sign * (luminance(ramp[i]) - luminance(ramp[i - 1]))).toBeGreaterThan(0);
      }
    });
  });
}
