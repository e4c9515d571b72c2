import { expect, test } from "vitest";
import { countText, labelOf, numberText, percentText, perHundredText, shownText, valueText } from "./node-facts.js";
import { testScene } from "./test-scene.js";

test("numbers, shares and counts are short texts", () => {
  expect([12345, 0.123456, 1230.4, 0, 1.5e-7, 3e12, Number.NaN, Number.POSITIVE_INFINITY].map(numberText)).toEqual([
    "12,345",
    "0.1235",
    "1230",
    "0",
    "1.50e-7",
    "3.00e+12",
    "–",
    "∞",
  ]);
  expect([0, 0.0001, 0.004, 0.0512, 0.5, 1, Number.NaN].map(percentText)).toEqual([
    "0 %",
    "< 0.1 %",
    "0.4 %",
    "5.1 %",
    "50 %",
    "100 %",
    "–",
  ]);
  expect([0, 0.0000123, 0.00273, 0.0101, 1, Number.NaN].map(perHundredText)).toEqual([
    "0",
    "0.0012",
    "0.27",
    "1",
    "100",
    "–",
  ]);
  expect([countText(1, "node"), countText(2000, "node")]).toEqual(["1 node", "2,000 nodes"]);
});

test("the label is the value of the attribute of that name", () => {
  const codes = Int32Array.of(1, -1);
  const scene = testScene({
    ids: ["a", "b"],
    attributes: [
      { name: "cluster", kind: "category", categories: ["0", "1"], codes },
      { name: "label", kind: "category", categories: ["x", "y"], codes },
    ],
  });
  expect([labelOf(scene, 0), labelOf(scene, 1)]).toEqual(["y", undefined]);
  expect(labelOf(testScene({ ids: ["a"] }), 0)).toBeUndefined();
  expect(valueText({ name: "n", kind: "number", values: Float32Array.of(0.5, Number.NaN) }, 1)).toBeUndefined();
});

test("long texts are cut, and characters that would turn or hide others are replaced", () => {
  expect(shownText("x".repeat(121))).toBe(`${"x".repeat(120)}…`);
  expect(shownText("\u202egnp.exe\n<b>é")).toBe("\ufffdgnp.exe\ufffd<b>é");
});
