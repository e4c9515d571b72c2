import { expect, test } from "vitest";
import { pointMap } from "./point-map.js";

const options = { title: "map <1>", description: "points" };

function pointPositions(svg: string): number[][] {
  return [...svg.matchAll(/M([\d.-]+),([\d.-]+)h0/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

test("both axes have the same scale, and y points up", () => {
  const svg = pointMap(
    [
      { x: 0, y: 0 },
      { x: 4, y: 0 },
      { x: 4, y: 1 },
    ],
    options,
  );
  const [a, b, c] = pointPositions(svg);
  expect(b[1]).toBe(a[1]);
  expect(c[0]).toBe(b[0]);
  // coordinates are rounded to a tenth
  expect((b[0] - a[0]) / (b[1] - c[1])).toBeCloseTo(4, 2);
  expect(b[1]).toBeGreaterThan(c[1]);
  expect(svg).toContain("<title>map &lt;1&gt;</title>");
  expect(svg).not.toContain("<circle");
});

test("a large map has one path per colour and no tooltips; a small map has a tooltip for every point", () => {
  const points = Array.from({ length: 5001 }, (_, i) => ({ x: i % 71, y: i / 71, label: `c${i % 3}`, title: `n${i}` }));
  const large = pointMap(points, options);
  expect(large.match(/<path/g)).toHaveLength(3);
  expect(large).not.toContain("n17");
  expect(pointPositions(large)).toHaveLength(5001);
  expect(large.length).toBeLessThan(100_000);
  const small = pointMap(points.slice(1), options);
  expect(small.match(/<path/g)).toHaveLength(5000);
  expect(small).toContain("<title>n17</title>");
  for (const name of ["c0", "c1", "c2"]) expect(small).toContain(`>${name}</text>`);
});

test.each([
  ["no points", []],
  ["one point", [{ x: 3, y: -1 }]],
  ["two points at the same place", new Array(2).fill({ x: 5, y: 5 })],
  [
    "a point with a coordinate that is not finite",
    [
      { x: Number.NaN, y: 0 },
      { x: 1, y: 1 },
    ],
  ],
])("the map of %s contains only finite coordinates", (_, points) => {
  expect(pointMap(points, options)).not.toMatch(/NaN|Infinity|undefined/);
});
