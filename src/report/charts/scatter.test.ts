import { expect, it } from "vitest";
import { chartStyle } from "./palette.js";
import { colorPoints } from "./scatter.js";

it("shows points without a label in grey, on light and on dark pages, and labelled ones in colours", () => {
  const saturations = (color: string) => {
    const name = /^var\((.*)\)$/.exec(color)?.[1] ?? "";
    return [...chartStyle().matchAll(new RegExp(`${name}:#(..)(..)(..)`, "g"))].map(([, ...parts]) => {
      const values = parts.map((part) => Number.parseInt(part, 16));
      return 1 - Math.min(...values) / Math.max(...values);
    });
  };
  const names = ["a", "b", "c", "d", "e", "f", "g"];
  const { color, legend } = colorPoints([...names, undefined].map((label) => ({ x: 0, y: 0, label })));
  expect(saturations(color(undefined))).toHaveLength(2);
  for (const saturation of saturations(color(undefined))) expect(saturation).toBeLessThan(0.2);
  for (const name of names) for (const saturation of saturations(color(name))) expect(saturation).toBeGreaterThan(0.3);
  expect(legend.at(-1)).toMatchObject({ label: "no label", color: color(undefined) });
});

it("gives 20 labels distinct colours, and explains the greys in the legend", () => {
  const labels = Array.from({ length: 33 }, (_, i) => `label ${i}`);
  const { color, legend, order } = colorPoints([...labels, undefined].map((label) => ({ x: 0, y: 0, label })));
  expect(new Set(labels.map(color)).size).toBe(21);
  expect(legend).toHaveLength(22);
  expect(legend.slice(-2).map(({ label }) => label)).toEqual(["13 more labels", "no label"]);
  for (const label of [...labels, undefined]) expect(order).toContain(color(label));
  expect(color(undefined)).not.toBe(legend.at(-2)?.color);
});
