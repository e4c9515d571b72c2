/** The degrees facet on planted degrees. */

import { expect, test } from "vitest";
import { Rng } from "../../../core/rng.js";
import { graphOf, twoGroups } from "../test-graphs.js";
import type { SimpleGraph } from "../weights/edge-copies.js";
import { degreeFacet } from "./degree-facet.js";

test("the facet has a column for each planted kind of busy node, and none for random graphs", () => {
  const numNodes = 300;
  expect(degreeFacet([twoGroups(numNodes, 0.1, 0.1, 1), twoGroups(numNodes, 0.1, 0.1, 2)], 8, 1).width).toBe(0);
  // busy nodes: every third in the first two relations, every fifth in the third relation
  const busy = (step: number, seed: number): SimpleGraph => {
    const rng = new Rng(seed, "busy");
    const rows: number[][] = Array.from({ length: numNodes }, () => []);
    for (let i = 0; i < numNodes; i++) {
      for (let j = i + 1; j < numNodes; j++) {
        if (rng.uniform() >= (i % step === 0 || j % step === 0 ? 0.3 : 0.03)) continue;
        rows[i].push(j);
        rows[j].push(i);
      }
    }
    return graphOf(rows);
  };
  const relations = [busy(3, 1), busy(3, 2), busy(5, 3)];
  const { data, width } = degreeFacet(relations, 8, 1);
  expect(width).toBe(2);
  // a combination of the two columns separates each kind of busy node: its distance to the other nodes exceeds their deviation
  for (const step of [3, 5]) {
    const kinds = [0, 1].map((kind) =>
      Array.from({ length: numNodes }, (_, i) => i).filter((i) => Number(i % step === 0) === kind),
    );
    const means = kinds.map((nodes) =>
      [0, 1].map((k) => nodes.reduce((sum, i) => sum + data[i * width + k], 0) / nodes.length),
    );
    const apart = [0, 1].map((k) => means[1][k] - means[0][k]);
    const along = (i: number) => apart.reduce((sum, x, k) => sum + x * data[i * width + k], 0);
    const deviations = kinds.map((nodes) => {
      const mean = nodes.reduce((sum, i) => sum + along(i), 0) / nodes.length;
      return Math.sqrt(nodes.reduce((sum, i) => sum + (along(i) - mean) ** 2, 0) / nodes.length);
    });
    expect(apart.reduce((sum, x) => sum + x * x, 0)).toBeGreaterThan(1.5 * Math.max(...deviations));
  }
});

test("the facet takes the significant direction, although random degrees of a sparse relation have a larger variance", () => {
  const numNodes = 1000;
  const rng = new Rng(1, "chance");
  const draw = (numEdges: number, node: () => number): SimpleGraph => {
    const rows = Array.from({ length: numNodes }, () => new Set<number>());
    for (let e = 0; e < numEdges; e++) {
      const [i, j] = [node(), node()];
      if (i === j) continue;
      rows[i].add(j);
      rows[j].add(i);
    }
    return graphOf(rows.map((row) => [...row].sort((a, b) => a - b)));
  };
  const busy = (i: number) => i % 2 === 0;
  const sparse = draw(0.75 * numNodes, () => rng.below(numNodes));
  const dense = draw(30 * numNodes, () => {
    for (;;) {
      const i = rng.below(numNodes);
      if (busy(i) || rng.uniform() < 0.7) return i;
    }
  });
  const { data, width } = degreeFacet([sparse, dense], 8, 1);
  expect(width).toBe(1);
  const right = Array.from(data, (x, i) => Number(x > 0 === busy(i))).reduce((sum, x) => sum + x, 0) / numNodes;
  expect(Math.max(right, 1 - right)).toBeGreaterThan(0.8);
});
