/** With fewer nodes than columns, tasks use n × n instead of dim × dim matrices: the results must be the same. */

import { describe, expect, test } from "vitest";
import type { Embedding } from "../core/embedding.js";
import { Rng } from "../core/rng.js";
import { multiplexFromEdges } from "../graph/multiplex-from-edges.js";
import { featureWeights, weighRows } from "../nn/feature-weights.js";
import { gramPreconditioner } from "../numeric/gram-preconditioner.js";
import { diagnose } from "./diagnostics/diagnostics.js";
import { explainedVariance } from "./diagnostics/explained-variance.js";
import { fitFeatureMap } from "./new-nodes/feature-map.js";
import { isHeldOut } from "./new-nodes/held-out-r2.js";
import { fitNeighborMap } from "./new-nodes/neighbor-map.js";
import { pca } from "./projection/pca.js";

const idOf = (i: number) => `n${100 + i}`;
const ids = (count: number) => Array.from({ length: count }, (_, i) => idOf(i));

function randomEmbedding(count: number, dim: number): Embedding {
  const rng = new Rng(1, "wide");
  return { ids: ids(count), dim, vectors: Float32Array.from({ length: count * dim }, () => rng.normal() + 0.5) };
}

/** The vectors repeated: more nodes, the same covariance. */
function repeated({ ids: { length }, dim, vectors }: Embedding, times: number): Embedding {
  const all = new Float32Array(times * vectors.length);
  for (let at = 0; at < times; at++) all.set(vectors, at * vectors.length);
  return { ids: ids(times * length), dim, vectors: all };
}

describe("with fewer nodes than columns", () => {
  const few = randomEmbedding(10, 24);
  few.vectors.forEach((_, at) => {
    if (at % 24 === 5) few.vectors[at] = 2; // a constant column
  });
  const many = repeated(few, 3);

  test("diagnostics agree with those of the covariance", () => {
    const [narrow, wide] = [diagnose(many), diagnose(few)];
    expect(wide.effectiveRank).toBeCloseTo(narrow.effectiveRank, 9);
    expect(wide.deadUnits).toBe(1);
    expect(wide.meanCosineToMean).toBeCloseTo(narrow.meanCosineToMean, 12);
  });

  test("principal components agree with those of the covariance", () => {
    const [narrow, wide] = [pca(many, 3), pca(few, 3)];
    wide.variances.forEach((variance, c) => {
      expect(variance).toBeCloseTo(narrow.variances[c], 9);
    });
    wide.shares.forEach((share, c) => {
      expect(share).toBeCloseTo(narrow.shares[c], 9);
    });
    wide.vectors.forEach((x, at) => {
      expect(x).toBeCloseTo(narrow.vectors[at], 5);
    }); // float32
  });

  test("the explained variance agrees with that of the covariance", () => {
    const rng = new Rng(2, "low rank");
    const basis = Float32Array.from({ length: 2 * 24 }, () => rng.normal());
    const scores = Float32Array.from({ length: 2 * 12 }, () => rng.normal());
    const vectors = Float32Array.from({ length: 12 * 24 }, (_, at) => {
      const [i, k] = [Math.floor(at / 24), at % 24];
      return scores[2 * i] * basis[k] + scores[2 * i + 1] * basis[24 + k];
    });
    const nodes = Uint32Array.from({ length: 12 }, (_, i) => i);
    const direction = Float64Array.from({ length: 12 }, (_, i) => scores[2 * i] + rng.normal());
    const wide = explainedVariance({ ids: ids(12), dim: 24, vectors }, { nodes, direction });
    // with additional nodes that the fit does not use, there are more nodes than columns
    const narrow = explainedVariance({ ids: ids(30), dim: 24, vectors }, { nodes, direction });
    expect(narrow).toBeGreaterThan(0.1);
    expect(wide).toBeCloseTo(narrow ?? Number.NaN, 6); // the vectors have rank two only up to float32 rounding
  });

  test("the neighbour map agrees with the solution of the full normal equations", () => {
    const [count, dim] = [15, 24];
    const { vectors } = randomEmbedding(count, dim);
    const mean = Array.from({ length: dim }, (_, k) => {
      let sum = 0;
      for (let i = 0; i < count; i++) sum += vectors[i * dim + k];
      return sum / count;
    });
    const edges = Array.from({ length: 3 * count }, (_, e) => [e % count, (e * 7 + 1 + Math.floor(e / count)) % count]);
    const columns = {
      source: edges.map(([i]) => idOf(i)),
      target: edges.map(([, j]) => idOf(j)),
    };
    const fitted = (numNodes: number) => {
      const graph = multiplexFromEdges(columns, { nodes: ids(numNodes) });
      const places = new Map(ids(numNodes).map((id, i) => [id, i]));
      const all = Float32Array.from({ length: numNodes * dim }, (_, at) => {
        const place = places.get(graph.ids[Math.floor(at / dim)]) ?? 0;
        return place < count ? vectors[place * dim + (at % dim)] : mean[at % dim];
      });
      return { graph, map: fitNeighborMap(graph, { ids: graph.ids, dim, vectors: all }) };
    };
    const [wide, narrow] = [fitted(count), fitted(30)];
    expect(narrow.graph.ids.slice(0, count)).toEqual(wide.graph.ids); // so the same nodes are held out
    wide.map?.weights.forEach((weight, at) => {
      expect(weight).toBeCloseTo(narrow.map?.weights[at] ?? Number.NaN, 6);
    });
  });

  test("the feature map solves its normal equations", () => {
    const [count, dim, numColumns] = [12, 20, 6];
    const embedding = randomEmbedding(count, dim);
    const features = {
      numColumns,
      rowStart: Uint32Array.from({ length: count + 1 }, (_, i) => 2 * i),
      columns: Uint32Array.from({ length: 2 * count }, (_, e) => (e % 2 === 0 ? (e >> 1) % 3 : 3 + ((e >> 1) % 3))),
    };
    const map = fitFeatureMap(features, embedding);
    const { rowStart, columns, values } = weighRows(features, count, featureWeights(features, count));
    // for every feature c and column k: Σ_i x_ic·(x_i·W_k − y_ik) + W_ck = 0 over the nodes in the fit
    for (let k = 0; k < dim; k++) {
      const rest = new Float64Array(numColumns);
      for (let c = 0; c < numColumns; c++) rest[c] = map?.weights[c * dim + k] ?? Number.NaN;
      for (let i = 0; i < count; i++) {
        if (isHeldOut(i)) continue;
        let error = (map?.mean[k] ?? 0) - embedding.vectors[i * dim + k];
        for (let e = rowStart[i]; e < rowStart[i + 1]; e++)
          error += values![e] * (map?.weights[columns[e] * dim + k] ?? 0);
        for (let e = rowStart[i]; e < rowStart[i + 1]; e++) rest[columns[e]] += values![e] * error;
      }
      for (const x of rest) expect(x).toBeCloseTo(0, 9);
    }
  });

  test("the preconditioner is the inverse of the curvature", () => {
    const [count, width] = [7, 700];
    const rng = new Rng(3, "curvature");
    const data = Float64Array.from({ length: count * width }, () => rng.normal());
    const curvatures = Float64Array.from({ length: count }, () => rng.uniform());
    const right = Float64Array.from({ length: width + 1 }, () => rng.normal());
    const solved = right.slice();
    gramPreconditioner({ data, width }, curvatures)(solved);
    // M·solved, row by row of the data
    const product = solved.slice();
    for (let i = 0; i < count; i++) {
      let along = solved[width];
      for (let k = 0; k < width; k++) along += data[i * width + k] * solved[k];
      for (let k = 0; k < width; k++) product[k] += curvatures[i] * along * data[i * width + k];
      product[width] += curvatures[i] * along;
    }
    product.forEach((x, k) => {
      expect(x).toBeCloseTo(right[k], 9);
    });
  });
});
