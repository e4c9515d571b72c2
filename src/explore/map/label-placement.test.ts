import { describe, expect, test } from "vitest";
import { LABEL_HEIGHT, type LabelRequest, MAX_LABELS, placeLabels } from "./label-placement.js";

const size = { width: 800, height: 600 };

/** Many nodes in a square of 100 units, which fills the view. */
function request(numNodes: number, changes: Partial<LabelRequest> = {}): LabelRequest {
  const positions = new Float32Array(2 * numNodes);
  for (let node = 0; node < numNodes; node++) {
    positions[2 * node] = (node * 61.803) % 100;
    positions[2 * node + 1] = (node * 7.321) % 75;
  }
  return {
    nodes: Uint32Array.from({ length: numNodes }, (_, node) => node),
    content: { positions, selected: undefined, focus: -1 },
    camera: { x: 50, y: 37.5, scale: 8 },
    size,
    gap: 6,
    text: (node) => `node ${node}`,
    measure: (text) => 7 * text.length,
    ...changes,
  };
}

/** Left, right, top and bottom of each label on the screen. */
function rectangles({ content, camera }: LabelRequest, labels: ReturnType<typeof placeLabels>) {
  return labels.map(({ node, dx, dy, width }) => {
    const left = size.width / 2 + (content.positions[2 * node] - camera.x) * camera.scale + dx;
    const top = size.height / 2 - (content.positions[2 * node + 1] - camera.y) * camera.scale + dy;
    return { left, right: left + width, top, bottom: top + LABEL_HEIGHT };
  });
}

describe("labels", () => {
  test("do not overlap and are as many as there may be", () => {
    const asked = request(5000);
    const labels = placeLabels(asked);
    expect(labels).toHaveLength(MAX_LABELS);
    const places = rectangles(asked, labels);
    const overlapping = places.filter((a, i) =>
      places.some((b, j) => j > i && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom),
    );
    expect(overlapping).toEqual([]);
    expect(Math.max(...places.map(({ right }) => right))).toBeLessThanOrEqual(size.width);
    expect(Math.min(...places.map(({ left }) => left))).toBeGreaterThanOrEqual(0);
  });

  test("prefer the focus, then selected nodes, then nodes of high rank, then the first", () => {
    const positions = Float32Array.of(50, 40, 50.1, 40, 50.2, 40, 50.3, 40);
    const nodes = Uint32Array.of(0, 1, 2, 3);
    const first = (changes: Partial<LabelRequest["content"]>, rank?: Float32Array) => {
      const content = { positions, selected: undefined, focus: -1, ...changes };
      return placeLabels(request(4, { nodes, content, rank })).map(({ node, kind }) => `${kind} ${node}`);
    };
    const rank = Float32Array.of(1, 5, 9, Number.NaN);
    expect(first({})).toEqual(["plain 0"]);
    expect(first({}, rank)).toEqual(["plain 2"]);
    expect(first({ selected: Uint8Array.of(0, 1, 0, 0) }, rank)).toEqual(["selected 1"]);
    expect(first({ selected: Uint8Array.of(0, 1, 0, 0), focus: 3 }, rank)).toEqual(["focus 3"]);
  });

  test("of nodes without text, and of nodes outside the view, are left out; long texts are cut", () => {
    expect(placeLabels(request(50, { text: () => " " }))).toEqual([]);
    const outside = request(1, { content: { positions: Float32Array.of(101, 30), selected: undefined, focus: -1 } });
    expect(placeLabels(outside)).toEqual([]);
    expect(placeLabels(request(1, { text: () => "a".repeat(1e6) }))[0].text).toHaveLength(80);
  });

  test("stand on the left of a point at the right border", () => {
    const content = { positions: Float32Array.of(99, 30), selected: undefined, focus: -1 };
    expect(placeLabels(request(1, { content }))[0]).toMatchObject({ dx: -6 - 42, width: 42 });
  });

  test("keep their nodes when the map is panned", () => {
    const asked = request(40);
    const before = placeLabels(asked).map(({ node }) => node);
    const after = placeLabels({ ...asked, camera: { ...asked.camera, x: 50.5, y: 37 } }).map(({ node }) => node);
    expect(after.filter((node) => before.includes(node)).length).toBeGreaterThan(0.85 * before.length);
  });
});
