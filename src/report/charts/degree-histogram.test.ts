import { expect, test } from "vitest";
import { degreeHistogram } from "./degree-histogram.js";
import { textWidth } from "./draw.js";

/** Angle of long labels, and space for the name of the axis below them: SLANT and most of LABEL in degree-histogram.ts. */
const SLANT = (40 * Math.PI) / 180;
const AXIS_NAME_HEIGHT = 15;

test("long labels of both axes stay inside the chart", async () => {
  const degrees = Int32Array.from({ length: 300_000 }, (_, i) => (i < 250_000 ? 3 : 2 ** (i % 21)));
  const svg = await degreeHistogram(degrees);
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg)?.map(Number) ?? [];
  const labels = [
    ...svg.matchAll(/<text[^>]*transform="translate\(([\d.]+),([\d.]+)\)( rotate\(-[\d.]+\))?"[^>]*>([^<]+)/g),
  ];
  const slanted = labels.filter(([, , , rotated]) => rotated !== undefined);
  const counts = labels.filter(([, , , , text]) => /^\d+,000$/.test(text));
  expect(slanted.map(([, , , , text]) => text)).toContain("524288–1048575");
  expect(counts.length).toBeGreaterThan(1);
  for (const [, x, y, , text] of slanted) {
    expect(Number(y) + textWidth(text) * Math.sin(SLANT), text).toBeLessThan(height - AXIS_NAME_HEIGHT);
    expect(Number(x), text).toBeLessThan(width);
  }
  for (const [, x, , , text] of counts) expect(Number(x) - textWidth(text), text).toBeGreaterThan(0);
});
