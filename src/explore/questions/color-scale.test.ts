import { expect, test } from "vitest";
import type { Attribute } from "../scene/scene.js";
import {
  type HiddenCategory,
  legendOf,
  NO_VALUE,
  nodeColors,
  numberScale,
  placeOnScale,
  plainColors,
} from "./color-scale.js";
import { CATEGORY_COLORS, OTHER_COLOR, PLAIN_COLOR, rampColor } from "./palette.js";

const label: Attribute = {
  name: "label",
  kind: "category",
  categories: ["rare", "common"],
  codes: Int32Array.of(1, 0, 1, -1),
};
const rows = (colors: Uint8Array) =>
  Array.from({ length: colors.length / 4 }, (_, i) => [...colors.slice(4 * i, 4 * i + 4)]);

test("the most frequent category has the first colour; hidden ones and unknown ones can vanish", () => {
  const [first, second] = CATEGORY_COLORS.light;
  const grey = OTHER_COLOR.light;
  expect(rows(nodeColors(label, new Set(), "light"))).toEqual([
    [...first, 255],
    [...second, 255],
    [...first, 255],
    [...grey, 255],
  ]);
  expect(rows(nodeColors(label, new Set(["common", NO_VALUE]), "light")).map((color) => color[3])).toEqual([
    0, 255, 0, 0,
  ]);
  expect(legendOf(label, "dark")).toEqual({
    kind: "category",
    entries: [
      { category: "common", count: 2, color: CATEGORY_COLORS.dark[0] },
      { category: "rare", count: 1, color: CATEGORY_COLORS.dark[1] },
    ],
    numColored: 2,
    numWithout: 1,
  });
});

test("an empty text is a category, not the lack of a value", () => {
  const texts: Attribute = { name: "t", kind: "category", categories: [""], codes: Int32Array.of(0, -1) };
  const opacities = (hidden: readonly HiddenCategory[]) =>
    rows(nodeColors(texts, new Set(hidden), "light")).map((color) => color[3]);
  expect([opacities([""]), opacities([NO_VALUE])]).toEqual([
    [0, 255],
    [255, 0],
  ]);
});

test("categories beyond twenty are grey", () => {
  const categories = Array.from({ length: 23 }, (_, i) => `c${i}`);
  const many: Attribute = { name: "m", kind: "category", categories, codes: Int32Array.from(categories, (_, i) => i) };
  const legend = legendOf(many, "light");
  expect(legend).toMatchObject({ numColored: 20 });
  const colors = rows(nodeColors(many, new Set(), "light"));
  expect(colors.filter((color) => color.slice(0, 3).join() === OTHER_COLOR.light.join())).toHaveLength(3);
});

test("numbers run from the first to the last colour of the ramp, on a logarithmic scale if they are skewed", () => {
  const even: Attribute = { name: "x", kind: "number", values: Float32Array.of(-1, 1, 3, Number.NaN) };
  const colors = rows(nodeColors(even, new Set([NO_VALUE]), "dark"));
  expect(colors[0]).toEqual([...rampColor(0, "dark"), 255]);
  expect(colors[1]).toEqual([...rampColor(128 / 255, "dark"), 255]);
  expect(colors[2]).toEqual([...rampColor(1, "dark"), 255]);
  expect(colors[3][3]).toBe(0);
  expect(legendOf(even, "dark")).toMatchObject({ scale: { min: -1, max: 3, log: false }, numWith: 3, numWithout: 1 });

  const skewed = { name: "degree", kind: "number" as const, values: Float32Array.of(0, 1, 1, 2, 99) };
  const scale = numberScale(skewed);
  expect(scale).toEqual({ min: 0, max: 99, log: true, hasBelow: false, hasAbove: false });
  expect(placeOnScale(scale, 9)).toBeCloseTo(Math.log(10) / Math.log(100), 12);
});

test("the scale ends at the 2nd and 98th percentile; outliers have the colours of the ends", () => {
  // 0 to 99 and the outliers −500 and 10⁶: two of 102 values are beyond each end
  const values = Float32Array.from([-500, 1e6, ...Array.from({ length: 100 }, (_, i) => i)]);
  const outliers: Attribute = { name: "x", kind: "number", values };
  const scale = numberScale(outliers);
  expect(scale).toEqual({ min: 1, max: 98, log: false, hasBelow: true, hasAbove: true });
  expect([-500, 1, 49.5, 98, 1e6].map((value) => placeOnScale(scale, value))).toEqual([0, 0, 0.5, 1, 1]);
  // one outlier does not make the scale logarithmic
  expect(numberScale({ ...outliers, values: values.slice(1) })).toMatchObject({ min: 2, max: 98, log: false });
  const same = new Float32Array(100).fill(3);
  same[7] = 5;
  expect(numberScale({ name: "x", kind: "number", values: same })).toMatchObject({ min: 3, max: 5, hasAbove: false });
});

test("one value, no value and no attribute have colours", () => {
  const one: Attribute = { name: "x", kind: "number", values: Float32Array.of(4, 4) };
  expect(rows(nodeColors(one, new Set(), "light"))[0]).toEqual([...rampColor(128 / 255, "light"), 255]);
  const none: Attribute = { name: "x", kind: "number", values: Float32Array.of(Number.NaN) };
  expect(rows(nodeColors(none, new Set(), "light"))).toEqual([[...OTHER_COLOR.light, 255]]);
  expect(rows(plainColors(1, "light"))).toEqual([[...PLAIN_COLOR.light, 255]]);
});
