/** Tests of the degrees facet on graphs with planted high-degree nodes. */

import { expect, test } from "vitest";
import { Rng } from "../../../core/rng.js";
import { graphOf, twoGroups } from "../test-graphs.js";
import type { SimpleGraph } from "../weights/edge-copies.js";
import { degreeFacet } from "./degree-facet.js";

test("the facet has one column for each planted set of high-degree nodes, and no column for random graphs", () => {
  const numNodes = 300;
  expect(degreeFacet([twoGroups(numNodes, 0.1, 0.1, 1), twoGroups(numNodes, 0.1, 0.1, 2)], 8, 1).width).toBe(0);
  // high-degree nodes: every third node in the first two relations, every fifth node in the third relation
  const withHighDegrees = (step: number, seed: number): SimpleGraph => {
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
  const relations = [withHighDegrees(3, 1), withHighDegrees(3, 2), withHighDegrees(5, 3)];
  const { data, width } = degreeFacet(relations, 8, 1);
  expect(width).toBe(2);
  // Projected on the line between the two class means, high-degree nodes and other nodes are well separated: the means differ by
  // more than 1.5 times the standard deviation within a class.
  for (const step of [3, 5]) {
    const classes = [0, 1].map((highDegree) =>
      Array.from({ length: numNodes }, (_, i) => i).filter((i) => Number(i % step === 0) === highDegree),
    );
    const means = classes.map((nodes) =>
      [0, 1].map((k) => nodes.reduce((sum, i) => sum + data[i * width + k], 0) / nodes.length),
    );
    const difference = [0, 1].map((k) => means[1][k] - means[0][k]);
    const projection = (i: number) => difference.reduce((sum, x, k) => sum + x * data[i * width + k], 0);
    const deviations = classes.map((nodes) => {
      const mean = nodes.reduce((sum, i) => sum + projection(i), 0) / nodes.length;
      return Math.sqrt(nodes.reduce((sum, i) => sum + (projection(i) - mean) ** 2, 0) / nodes.length);
    });
    expect(difference.reduce((sum, x) => sum + x * x, 0)).toBeGreaterThan(1.5 * Math.max(...deviations));
  }
});

test("the facet keeps the significant direction, even if chance gives the degrees of a sparse relation a larger variance", () => {
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
  const hasHighDegree = (i: number) => i % 2 === 0;
  const sparse = draw(0.75 * numNodes, () => rng.below(numNodes));
  const dense = draw(30 * numNodes, () => {
    for (;;) {
      const i = rng.below(numNodes);
      if (hasHighDegree(i) || rng.uniform() < 0.7) return i;
    }
  });
  const { data, width } = degreeFacet([sparse, dense], 8, 1);
  expect(width).toBe(1);
  const accuracy =
    Array.from(data, (x, i) => Number(x > 0 === hasHighDegree(i))).reduce((sum, x) => sum + x, 0) / numNodes;
  expect(Math.max(accuracy, 1 - accuracy)).toBeGreaterThan(0.8);
});

test("the facet shows in which of many relations a node is active, although some nodes are more active in all of them", () => {
  const [numNodes, numRelations, numTypes] = [160, 120, 4];
  const rng = new Rng(1, "trade");
  const activity = Array.from({ length: numNodes }, () => Math.exp(1.5 * rng.normal()));
  const typeOf = Array.from({ length: numRelations }, () => rng.below(numTypes));
  const relations = Array.from({ length: numRelations }, (_, d): SimpleGraph => {
    const rows = Array.from({ length: numNodes }, () => new Set<number>());
    const weight = (i: number) => activity[i] * (i % numTypes === typeOf[d] ? 1.8 : 0.6);
    for (let e = 0; e < 4 * numNodes; e++) {
      const [i, j] = [rng.below(numNodes), rng.below(numNodes)];
      if (i === j || rng.uniform() > weight(i) * weight(j)) continue;
      rows[i].add(j);
      rows[j].add(i);
    }
    return graphOf(rows.map((row) => [...row].sort((a, b) => a - b)));
  });
  const { data, width } = degreeFacet(relations, 12, 1);
  const row = (i: number) => data.subarray(i * width, (i + 1) * width);
  const distance = (i: number, j: number) => row(i).reduce((sum, x, k) => sum + (x - data[j * width + k]) ** 2, 0);
  const nodes = Array.from({ length: numNodes }, (_, i) => i);
  // share of the nodes whose nearest node has the same type
  const agreeing = nodes.filter((i) => {
    const nearest = nodes.filter((j) => j !== i).reduce((best, j) => (distance(i, j) < distance(i, best) ? j : best));
    return nearest % numTypes === i % numTypes;
  });
  // if the degrees of 64 groups of relations were added: 0.63
  expect(agreeing.length / numNodes).toBeGreaterThan(0.75);

  // with more relations than columns, the standard deviation of a column is the root of that of the degrees along its direction
  const logDegrees = relations.map(({ rowStart }) => nodes.map((i) => Math.log1p(rowStart[i + 1] - rowStart[i])));
  for (let k = 0; k < width; k++) {
    const column = nodes.map((i) => data[i * width + k]);
    const length = Math.hypot(...column);
    const along = logDegrees.map((degrees) => degrees.reduce((sum, x, i) => sum + (x * column[i]) / length, 0));
    expect(length / Math.sqrt(numNodes)).toBeCloseTo(Math.sqrt(Math.hypot(...along) / Math.sqrt(numNodes)), 5);
  }
});
