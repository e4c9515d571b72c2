import { expect, test } from "vitest";
import { type LegendLine, legendShapes, pictureSize } from "./picture-legend.js";

const red = [255, 0, 0] as const;
const blue = [0, 0, 255] as const;

test("a legend widens the picture, and a long one makes it taller", () => {
  const lines = (count: number) => Array.from({ length: count }, (): LegendLine => ({ kind: "heading", text: "x" }));
  const size = { width: 500, height: 300 };
  expect(pictureSize(size, [])).toEqual(size);
  expect(pictureSize(size, lines(2))).toEqual({ width: 720, height: 300 });
  expect(pictureSize(size, lines(20))).toEqual({ width: 720, height: 424 });
});

test("lines are below each other; nodes are dots, edges lines, numbers a ramp between their ends", () => {
  const { boxes, texts } = legendShapes([
    { kind: "heading", text: "team" },
    { kind: "dot", text: "x".repeat(40), color: red },
    { kind: "line", text: "calls", color: blue },
    { kind: "ramp", stops: [red, blue], min: "1", max: "9" },
  ]);
  expect(texts.map(({ text, y, isBold }) => [text, y, isBold])).toEqual([
    ["team", 22, true],
    [`${"x".repeat(27)}…`, 42, false],
    ["calls", 62, false],
    ["1", 82, false],
    ["9", 82, false],
  ]);
  expect(boxes.map(({ color, width, height }) => [color, width, height])).toEqual([
    [red, 10, 10],
    [blue, 16, 4],
    [red, 48, 10],
    [blue, 48, 10],
  ]);
});
