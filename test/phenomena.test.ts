/** In each planted graph the intended information predicts the labels, and other information does not. */

import { describe, expect, it, test } from "vitest";
import type { Embedding } from "../src/core/embedding.js";
import { Rng } from "../src/core/rng.js";
import { contentHash } from "../src/graph/content-hash.js";
import type { Multiplex } from "../src/graph/multiplex.js";
import { regularizedOperator, regularizedScales } from "../src/graph/normalize.js";
import { cliques } from "../src/graph/synthetic/phenomena/cliques.js";
import { degreesOnly } from "../src/graph/synthetic/phenomena/degrees-only.js";
import { featuresOnly } from "../src/graph/synthetic/phenomena/features-only.js";
import { fewLabels } from "../src/graph/synthetic/phenomena/few-labels.js";
import { phenomena } from "../src/graph/synthetic/phenomena/index.js";
import { manyRelations } from "../src/graph/synthetic/phenomena/many-relations.js";
import { noiseRelations } from "../src/graph/synthetic/phenomena/noise-relations.js";
import { opposedGroups } from "../src/graph/synthetic/phenomena/opposed-groups.js";
import type { Planted } from "../src/graph/synthetic/phenomena/phenomenon.js";
import { unionAdjacency } from "../src/graph/union.js";
import { type CsrPattern, rowLengths } from "../src/numeric/csr.js";
import { leadingEigenvectors } from "../src/numeric/eigen/leading-eigenvectors.js";
import { standardizedRows } from "../src/tasks/classification/standardize.js";

/** Every fifth node trains the probe below. */
const TRAINING_STEP = 5;

/** Accuracy of predicting for each node the class with the nearest mean, in standardised columns. */
function accuracy(embedding: Embedding, { labels }: Planted): number {
  const { data, width } = standardizedRows(embedding);
  const means = new Map<string, Float64Array>();
  const sizes = new Map<string, number>();
  labels.forEach((label, i) => {
    if (i % TRAINING_STEP > 0) return;
    const sum = means.get(label) ?? new Float64Array(width);
    means.set(
      label,
      sum.map((value, k) => value + data[i * width + k]),
    );
    sizes.set(label, (sizes.get(label) ?? 0) + 1);
  });
  let tested = 0;
  let correct = 0;
  labels.forEach((label, i) => {
    if (i % TRAINING_STEP === 0) return;
    let nearest = "";
    let smallest = Infinity;
    for (const [name, sum] of means) {
      const distance = sum.reduce(
        (total, value, k) => total + (value / sizes.get(name)! - data[i * width + k]) ** 2,
        0,
      );
      if (distance < smallest) [nearest, smallest] = [name, distance];
    }
    tested++;
    correct += Number(nearest === label);
  });
  return correct / tested;
}

function rowsOf({ ids }: Multiplex, dim: number, fill: (row: Float32Array, node: number) => void): Embedding {
  const vectors = new Float32Array(ids.length * dim);
  for (let i = 0; i < ids.length; i++) fill(vectors.subarray(i * dim, (i + 1) * dim), i);
  return { ids, dim, vectors };
}

function features(graph: Multiplex): Embedding {
  const { rowStart, columns, values, numColumns } = graph.features!;
  return rowsOf(graph, numColumns, (row, i) => {
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) row[columns[k]] = Math.log1p(values![k]);
  });
}

function averagedOverNeighbours(graph: Multiplex): Embedding {
  const { dim, vectors } = features(graph);
  const { rowStart, columns } = unionAdjacency(graph);
  return rowsOf(graph, dim, (row, i) => {
    for (const j of columns.subarray(rowStart[i], rowStart[i + 1])) {
      for (let f = 0; f < dim; f++) row[f] += vectors[j * dim + f];
    }
  });
}

function logDegrees(graph: Multiplex): Embedding {
  return rowsOf(graph, graph.relations.length, (row, i) => {
    graph.relations.forEach(({ rowStart }, r) => {
      row[r] = Math.log1p(rowStart[i + 1] - rowStart[i]);
    });
  });
}

/** Leading eigenvectors of the normalised adjacency, or of its negative: those with the smallest eigenvalues. */
function spectral(graph: Multiplex, matrix: CsrPattern, dim: number, sign: 1 | -1 = 1): Embedding {
  const operator = regularizedOperator(matrix, regularizedScales(rowLengths(matrix)));
  const signed = { ...operator, left: operator.left!.map((scale) => sign * scale) };
  const { data, width } = leadingEigenvectors(signed, dim, new Rng(1, "test"));
  return rowsOf(graph, dim, (row, i) => row.set(data.subarray(i * width, (i + 1) * width)));
}

const union = (graph: Multiplex, dim: number) => spectral(graph, unionAdjacency(graph), dim);

/** Products of the power iteration below. Planted eigenvalues are well above the others, so it has converged by then. */
const PRODUCTS = 30;

/** The signs of the second eigenvector of each relation, by power iteration; the first is nearly constant. */
function secondDirections(graph: Multiplex): Embedding {
  const directions = graph.relations.map(({ rowStart, columns }, r) => {
    const rng = new Rng(1, "test", r);
    const meanDegree = columns.length / graph.numNodes;
    let x = Float64Array.from(graph.ids, () => rng.normal());
    for (let step = 0; step < PRODUCTS; step++) {
      const mean = columns.reduce((sum, j) => sum + x[j], 0) / columns.length;
      x = x.map((_, i) => {
        let sum = 0;
        for (let k = rowStart[i]; k < rowStart[i + 1]; k++) sum += x[columns[k]] - mean;
        return sum / (rowStart[i + 1] - rowStart[i] + meanDegree); // regularised as in regularizedScales
      });
    }
    return x;
  });
  return rowsOf(graph, directions.length, (row, i) => row.set(directions.map((x) => Math.sign(x[i]))));
}

/** Share of the edges of a relation whose endpoints satisfy the condition. */
function shareOfEdges({ rowStart, columns }: CsrPattern, isCounted: (a: number, b: number) => boolean): number {
  let count = 0;
  for (let i = 0; i + 1 < rowStart.length; i++) {
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) count += Number(isCounted(i, columns[k]));
  }
  return count / columns.length;
}

// Measured values are at least five points inside the bounds. Graphs with strength 0 must be near chance.
describe("labels are predicted by the intended information only", () => {
  it("features-only: by the features, not by their average over neighbours, the degrees or the edges", () => {
    const planted = featuresOnly.generate();
    expect(accuracy(features(planted.graph), planted)).toBeGreaterThan(0.9);
    expect(accuracy(averagedOverNeighbours(planted.graph), planted)).toBeLessThan(0.35);
    expect(accuracy(logDegrees(planted.graph), planted)).toBeLessThan(0.35);
    expect(accuracy(union(planted.graph, 8), planted)).toBeLessThan(0.35);
    const unplanted = featuresOnly.generate({ strength: 0 });
    expect(accuracy(features(unplanted.graph), unplanted)).toBeLessThan(0.35);
  });

  it("degrees-only: by the degrees, not by the normalised edges", () => {
    const planted = degreesOnly.generate();
    expect(accuracy(logDegrees(planted.graph), planted)).toBeGreaterThan(0.9);
    expect(accuracy(union(planted.graph, 8), planted)).toBeLessThan(0.45);
    const unplanted = degreesOnly.generate({ strength: 0 });
    expect(accuracy(logDegrees(unplanted.graph), unplanted)).toBeLessThan(0.35);
  });

  it("few-labels: communities are nested in classes, and 20 nodes per class are training nodes", () => {
    const planted = fewLabels.generate();
    const { graph, labels, split } = planted;
    const count = (part: string) => labels.filter((label, i) => label === "c2" && split![i] === part).length;
    expect([count("train"), count("val"), count("test")]).toEqual([20, 20, 440]);
    // half of the edges within a community; of the others 0.4 + 0.6/4 within the class
    const same = (a: number, b: number) => labels[a] === labels[b];
    expect(shareOfEdges(graph.relations[0], same)).toBeCloseTo(0.5 + 0.5 * (0.4 + 0.6 / 4), 1);
    expect(accuracy(union(graph, 8), planted)).toBeGreaterThan(0.85);
    expect(accuracy(logDegrees(graph), planted)).toBeLessThan(0.35);
    const unplanted = fewLabels.generate({ strength: 0 });
    expect(accuracy(union(unplanted.graph, 8), unplanted)).toBeLessThan(0.45);
  });

  it("cliques: by the first relation only; neighbours of a node are neighbours of each other", () => {
    const { graph, labels } = cliques.generate();
    for (const { rowStart, columns } of graph.relations) {
      const clique = (i: number) => [...columns.subarray(rowStart[i], rowStart[i + 1]), i].sort((a, b) => a - b);
      for (const start of [0, 100, 200]) {
        for (const other of clique(start)) expect(clique(other)).toEqual(clique(start));
      }
    }
    const same = (a: number, b: number) => labels[a] === labels[b];
    expect(shareOfEdges(graph.relations[0], same)).toBe(1);
    expect(Math.abs(shareOfEdges(graph.relations[1], same) - 0.25)).toBeLessThan(0.03);
    const unplanted = cliques.generate({ strength: 0 });
    const equal = (a: number, b: number) => unplanted.labels[a] === unplanted.labels[b];
    expect(Math.abs(shareOfEdges(unplanted.graph.relations[0], equal) - 0.25)).toBeLessThan(0.03);
  });

  it("many-relations: by one direction of each relation, not by one relation or the union", () => {
    const planted = manyRelations.generate();
    const { graph } = planted;
    expect(accuracy(secondDirections(graph), planted)).toBeGreaterThan(0.85);
    expect(accuracy(spectral(graph, graph.relations[0], 8), planted)).toBeLessThan(0.3);
    expect(accuracy(union(graph, 8), planted)).toBeLessThan(0.5);
    const unplanted = manyRelations.generate({ strength: 0 });
    expect(accuracy(secondDirections(unplanted.graph), unplanted)).toBeLessThan(0.25);
  });

  it("opposed-groups: by the directions with negative eigenvalues", () => {
    const planted = opposedGroups.generate();
    const { graph, labels } = planted;
    const same = (a: number, b: number) => labels[a] === labels[b];
    expect(shareOfEdges(graph.relations[0], same)).toBeCloseTo(0.1 / 3, 1);
    expect(accuracy(spectral(graph, unionAdjacency(graph), 4, -1), planted)).toBeGreaterThan(0.9);
    expect(accuracy(union(graph, 8), planted)).toBeLessThan(0.5);
    const unplanted = opposedGroups.generate({ strength: 0 });
    const opposed = spectral(unplanted.graph, unionAdjacency(unplanted.graph), 4, -1);
    expect(accuracy(opposed, unplanted)).toBeLessThan(0.45);
  });

  it("noise-relations: by the first two relations, not by the others or the union", () => {
    const planted = noiseRelations.generate();
    const { graph } = planted;
    expect(accuracy(spectral(graph, graph.relations[1], 8), planted)).toBeGreaterThan(0.85);
    expect(accuracy(spectral(graph, graph.relations[2], 8), planted)).toBeLessThan(0.35);
    expect(accuracy(union(graph, 8), planted)).toBeLessThan(0.45);
    const unplanted = noiseRelations.generate({ strength: 0 });
    expect(accuracy(spectral(unplanted.graph, unplanted.graph.relations[1], 8), unplanted)).toBeLessThan(0.35);
  });
});

test.each(phenomena)(
  "$name: equal seeds give equal graphs, other seeds other graphs; impossible sizes are refused",
  ({ name, options, generate }) => {
    const sizes = { nodes: 300, classes: 3, degree: 5 };
    const hash = (seed: number) => {
      const { graph, labels, split } = generate({ ...sizes, seed });
      expect(graph.numNodes).toBe(300);
      expect(graph.relations).toHaveLength(options.relations.default);
      expect(new Set(labels)).toEqual(new Set(["c1", "c2", "c3"]));
      const degrees = graph.relations.map(({ columns }) => columns.length / 300);
      expect(Math.max(...degrees)).toBeGreaterThan(4);
      expect(Math.max(...degrees)).toBeLessThan(6);
      return [contentHash(graph), labels.join(), split?.join()];
    };
    const first = hash(1);
    expect(hash(1)).toEqual(first);
    const second = hash(2);
    expect(second[0]).not.toBe(first[0]);
    expect(second[1]).not.toBe(first[1]);
    expect(() => generate({ nodes: 25, classes: 3 })).toThrow(`${name}: 25 nodes in 3 classes; expected at least 10`);
    expect(() => generate({ ...sizes, degree: 51 })).toThrow("expected at most half of the 100 nodes of a class");
    expect(() => generate({ strength: 2 })).toThrow("option strength is 2; expected number from 0 to 1");
  },
);
