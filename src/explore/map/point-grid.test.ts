import { describe, expect, test } from "vitest";
import { isInPolygon, PointGrid } from "./point-grid.js";

/** Positions in clusters and one far outlier; every 17th node is not on the map. */
function somePositions(numNodes: number): Float32Array {
  let state = 12345;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const positions = new Float32Array(2 * numNodes);
  for (let node = 0; node < numNodes; node++) {
    const cluster = node % 5;
    positions[2 * node] = node % 17 === 3 ? Number.NaN : 10 * cluster + random() * 6;
    positions[2 * node + 1] = -5 * (cluster % 3) + random() * 4;
  }
  positions.set([400, -300], 0);
  // two nodes at the same place
  positions.set(positions.subarray(20, 22), 22);
  return positions;
}

const positions = somePositions(3000);
const grid = new PointGrid(positions);
const nodes = Array.from({ length: 3000 }, (_, node) => node).filter((node) => !Number.isNaN(positions[2 * node]));
const isVisible = (node: number) => node % 3 !== 1;

function nearestByLoop(x: number, y: number, radius: number, visible: (node: number) => boolean): number {
  let best = -1;
  let least = radius;
  for (const node of nodes) {
    const distance = Math.hypot(positions[2 * node] - x, positions[2 * node + 1] - y);
    if (visible(node) && distance <= least) {
      best = node;
      least = distance;
    }
  }
  return best;
}

describe("the grid of points", () => {
  test("finds the nearest visible node within a radius, as a loop over all nodes does", () => {
    let found = 0;
    for (let trial = 0; trial < 400; trial++) {
      const x = -3 + (trial % 20) * 2.7;
      const y = -12 + Math.floor(trial / 20) * 0.9;
      const radius = [0.05, 0.4, 3][trial % 3];
      const expected = nearestByLoop(x, y, radius, isVisible);
      expect(grid.nearest(x, y, radius, isVisible)).toBe(expected);
      if (expected >= 0) found++;
    }
    expect(found).toBeGreaterThan(60);
    expect(found).toBeLessThan(390);
  });

  test("finds the upper of two nodes at one place, and the far outlier", () => {
    expect(grid.nearest(positions[20], positions[21], 0.001)).toBe(11);
    expect(grid.nearest(positions[20], positions[21], 0.001, (node) => node !== 11)).toBe(10);
    expect(grid.nearest(401, -300, 2)).toBe(0);
    expect(grid.nearest(401, -300, 0.9)).toBe(-1);
  });

  test("finds the visible nodes of a rectangle, as a loop over all nodes does", () => {
    for (const [left, right, bottom, top] of [
      [0, 13, -6, 2],
      [20.5, 20.9, -20, 20],
      [-1000, 1000, -1000, 1000],
      [50, 60, 0, 1],
    ]) {
      const expected = nodes.filter((node) => {
        const [x, y] = positions.subarray(2 * node);
        return isVisible(node) && x >= left && x <= right && y >= bottom && y <= top;
      });
      expect([...grid.inRectangle({ left, right, bottom, top }, isVisible)]).toEqual(expected);
    }
  });

  test("finds the visible nodes of a polygon that is not convex and crosses itself", () => {
    const star = [0, -8, 30, 3, 12, -12, 14, 5, 40, -6];
    const expected = nodes.filter(
      (node) => isVisible(node) && isInPolygon(positions[2 * node], positions[2 * node + 1], star),
    );
    expect(expected.length).toBeGreaterThan(100);
    expect([...grid.inPolygon(star, isVisible)]).toEqual(expected);
    expect([...grid.inPolygon([], isVisible)]).toEqual([]);
  });

  test("works with one node, with no node, and with nodes on a line", () => {
    expect(new PointGrid(Float32Array.of(2, 3)).nearest(2, 3.5, 1)).toBe(0);
    expect(new PointGrid(new Float32Array()).nearest(0, 0, 1)).toBe(-1);
    expect(new PointGrid(Float32Array.of(Number.NaN, 0)).nearest(0, 0, 1)).toBe(-1);
    const line = Float32Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? i / 2 : 7));
    expect([...new PointGrid(line).inRectangle({ left: 3, right: 5, bottom: 0, top: 9 })]).toEqual([3, 4, 5]);
  });
});

test("a point is inside a polygon if a ray from it crosses an odd number of sides", () => {
  const arrow = [0, 0, 4, 4, 0, 8, 2, 4];
  expect(isInPolygon(3, 4, arrow)).toBe(true);
  expect(isInPolygon(1, 4, arrow)).toBe(false);
  expect(isInPolygon(1.5, 2.5, arrow)).toBe(true);
  expect(isInPolygon(5, 4, arrow)).toBe(false);
});
