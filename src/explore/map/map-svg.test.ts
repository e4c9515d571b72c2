import { describe, expect, test } from "vitest";
import { escapeXml, mapSvg } from "./map-svg.js";
import { EMPTY_CONTENT, type MapContent, plainColors } from "./render/renderer.js";

const content: MapContent = {
  ...EMPTY_CONTENT,
  numNodes: 5,
  // in view, in view, outside, hidden by its colour, not on the map
  positions: Float32Array.of(0, 0, 3, 1, 90, 0, 1, 1, Number.NaN, 0),
  colors: Uint8Array.of(255, 0, 0, 255, 0, 128, 0, 51, 1, 1, 1, 255, 1, 1, 1, 0, 1, 1, 1, 255),
  ends: Uint32Array.of(0, 1, 0, 3),
  edgeColors: Uint8Array.of(9, 9, 9, 255, 8, 8, 8, 255),
};
const theme = { background: [255, 255, 255], text: [0, 0, 0], focus: [213, 94, 0] } as const;
const options = { content, camera: { x: 0, y: 0, scale: 10 }, width: 200, height: 100, diameter: 6, labels: [], theme };
const linesWith = (svg: string, tag: string) => svg.split("\n").filter((line) => line.startsWith(`<${tag} `));

describe("the SVG of the map", () => {
  test("has the points in view at their pixels and in their colours", () => {
    expect(linesWith(mapSvg(options), "circle")).toEqual([
      '<circle cx="100" cy="50" r="3" fill="#ff0000"/>',
      '<circle cx="130" cy="40" r="3" fill="#008000" fill-opacity="0.2"/>',
    ]);
  });

  test("has the edges between shown nodes, below the points", () => {
    const svg = mapSvg(options);
    expect(linesWith(svg, "line")).toEqual(['<line x1="100" y1="50" x2="130" y2="40" stroke="#090909"/>']);
    expect(svg.indexOf("<line")).toBeLessThan(svg.indexOf("<circle"));
  });

  test("dims what is not selected and draws a ring around the focus", () => {
    const emphasis = { ...content, selected: Uint8Array.of(0, 1, 0, 0, 0), focus: 1 };
    expect(linesWith(mapSvg({ ...options, content: emphasis }), "circle")).toEqual([
      '<circle cx="100" cy="50" r="3" fill="#ffc7c7"/>',
      '<circle cx="130" cy="40" r="3" fill="#008000" fill-opacity="0.2"/>',
      '<circle cx="130" cy="40" r="4" fill="#008000" fill-opacity="0.2"/>',
      '<circle cx="130" cy="40" r="7" fill="none" stroke="#d55e00" stroke-width="2"/>',
    ]);
  });

  test("writes labels as text", () => {
    const label = { node: 1, text: `</text><script>"&'`, kind: "plain", dx: 7, dy: -8, width: 60 } as const;
    const svg = mapSvg({ ...options, labels: [label, { ...label, text: "left", dx: -67 }] });
    expect(linesWith(svg, "text")).toEqual([
      '<text x="137" y="44">&lt;/text&gt;&lt;script&gt;&quot;&amp;&apos;</text>',
      '<text x="123" text-anchor="end" y="44">left</text>',
    ]);
  });

  test("has at most 20,000 points and says so", () => {
    const positions = new Float32Array(60_000);
    const many = { ...EMPTY_CONTENT, numNodes: 30_000, positions, colors: plainColors(30_000) };
    const svg = mapSvg({ ...options, content: many });
    expect(linesWith(svg, "circle")).toHaveLength(20_000);
    expect(svg).toContain("<!-- The file has 20000 of the 30000 nodes in view. -->");
    expect(mapSvg(options)).not.toContain("<!--");
  });
});

test("characters that XML forbids are replaced", () => {
  expect(escapeXml("a\u0000b\u001bc\ud800d\ufffee\n😀")).toBe("a\ufffdb\ufffdc\ufffdd\ufffde\n😀");
});
