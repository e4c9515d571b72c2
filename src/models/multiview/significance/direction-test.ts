/**
 * The significance test of directions, without labels: directions are computed from one half of the edges and tested on the
 * other half.
 *
 * Score of a direction v: with q = D_τ^(-1/2)·v, the edges (i, j) of the second half have the sum R = Σ 2·q_i·q_j. The expected
 * sum of randomly rewired edges with the same degrees is (Σ_i d_i·q_i)²/2m. The score is the difference of both, divided by
 * its standard deviation, about √Σ (2·q_i·q_j)². A direction that only fits the noise of the first half has a score near
 * zero, whatever its eigenvalue.
 *
 * Score of an opposed direction, along which neighbours have opposite signs: −R divided by the same standard deviation.
 *
 * Closure score: whether there is structure that a few directions cannot explain, such as cliques or neighbours in space.
 * With Â of the first half and its directions (λ, v), the score sums (Â² − Σ λ²·v·vᵀ)_ij over the edges (i, j) of the second
 * half, divided by its standard deviation. It is near zero if these edges close as many paths of two edges as the
 * directions predict.
 */

import { Rng } from "../../../core/rng.js";
import type { SparseOperator } from "../../../engine/sparse.js";
import { regularizedOperator, regularizedScales } from "../../../graph/normalize.js";
import { type CsrMatrix, rowLengths } from "../../../numeric/csr.js";
import type { Eigenvectors } from "../../../numeric/eigen/subspace-iteration.js";
import { SIGNIFICANCE } from "../constants.js";
import { collapsed, type DegreeGraph, endOfCopies, type SimpleGraph } from "../weights/edge-copies.js";

/**
 * The degree-regularised adjacency of a graph (graph/normalize.ts), with the degrees of `degreesOf`. `edges`: the edges without
 * copies, if they are known.
 */
export function regularizedAdjacency(
  graph: SimpleGraph,
  degreesOf: SimpleGraph = graph,
  edges: CsrMatrix = collapsed(graph),
): SparseOperator {
  return regularizedOperator(edges, regularizedScales(rowLengths(degreesOf)));
}

/** Two graphs; each edge is in one of them, with all its copies, chosen at random. */
export function splitInHalves(graph: SimpleGraph, seed: number, purpose: string): [SimpleGraph, SimpleGraph] {
  const { numRows, columns, ordinary } = graph;
  const half = chooseHalves(graph, seed, purpose);
  const starts = halfRowStarts(graph, half);
  const kept = starts.map((rowStart) => new Uint32Array(rowStart[numRows]));
  const at = [0, 0];
  for (let e = 0; e < columns.length; e++) kept[half[e]][at[half[e]]++] = columns[e];
  return [0, 1].map((side) => ({ numRows, rowStart: starts[side], columns: kept[side], ordinary })) as [
    SimpleGraph,
    SimpleGraph,
  ];
}

/** The rows of the two graphs of `splitInHalves` without their columns: enough to know the degrees. */
export function splitDegrees(graph: SimpleGraph, seed: number, purpose: string): [DegreeGraph, DegreeGraph] {
  const { numRows, ordinary } = graph;
  const [first, second] = halfRowStarts(graph, chooseHalves(graph, seed, purpose));
  return [
    { numRows, rowStart: first, ordinary },
    { numRows, rowStart: second, ordinary },
  ];
}

/** 0 or 1 for each entry: the half of its edge. */
function chooseHalves({ numRows, rowStart, columns }: SimpleGraph, seed: number, purpose: string): Uint8Array {
  const rng = new Rng(seed, purpose);
  // an edge is assigned at its smaller endpoint; `cursor` finds its entry at the larger endpoint, where entries have the same order
  const half = new Uint8Array(columns.length);
  const cursor = rowStart.slice(0, numRows);
  for (let i = 0; i < numRows; i++) {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
      const j = columns[e];
      if (j <= i) continue;
      const isCopy = e > rowStart[i] && columns[e - 1] === j;
      const coin = isCopy ? half[e - 1] : rng.uniform() < 0.5 ? 1 : 0;
      half[e] = coin;
      half[cursor[j]++] = coin;
    }
  }
  return half;
}

/** `rowStart` of each half. */
function halfRowStarts({ numRows, rowStart }: SimpleGraph, half: Uint8Array): [Uint32Array, Uint32Array] {
  const [first, second] = [new Uint32Array(numRows + 1), new Uint32Array(numRows + 1)];
  for (let i = 0; i < numRows; i++) {
    let ones = 0;
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) ones += half[e];
    first[i + 1] = first[i] + (rowStart[i + 1] - rowStart[i] - ones);
    second[i + 1] = second[i] + ones;
  }
  return [first, second];
}

/** The score of each direction on `edges`, which were not used to compute it, in standard deviations. `degreesOf`: the whole graph. */
export function directionScores(
  { data, width }: Eigenvectors<Float32Array>,
  edges: SimpleGraph,
  degreesOf: SimpleGraph,
  opposed = false,
): Float64Array {
  const scales = regularizedScales(rowLengths(degreesOf));
  const { numRows, rowStart, columns } = edges;
  const sum = new Float64Array(width);
  const squares = new Float64Array(width);
  const byDegree = new Float64Array(width);
  for (let i = 0; i < numRows; i++) {
    for (let k = 0; k < width; k++) {
      byDegree[k] += (rowStart[i + 1] - rowStart[i]) * scales[i] * data[i * width + k];
    }
    for (let e = rowStart[i], end: number; e < rowStart[i + 1]; e = end) {
      end = endOfCopies(columns, e, rowStart[i + 1]);
      const j = columns[e];
      if (j < i) continue;
      const factor = 2 * (end - e) * scales[i] * scales[j];
      for (let k = 0; k < width; k++) {
        const product = factor * data[i * width + k] * data[j * width + k];
        sum[k] += product;
        squares[k] += product * product;
      }
    }
  }
  const twice = columns.length; // 2m
  const excess = (k: number) => (opposed ? -sum[k] : sum[k] - (twice > 0 ? byDegree[k] ** 2 / twice : 0));
  return squares.map((square, k) => (square > 0 ? excess(k) / Math.sqrt(square) : 0));
}

/** The closure score with the first `count` directions, in standard deviations. */
export function closureScore(
  { values, data, width }: Eigenvectors<Float32Array>,
  count: number,
  [first, second]: readonly [SimpleGraph, SimpleGraph],
  degreesOf: SimpleGraph,
): number {
  const { rowStart, columns, values: entries } = collapsed(first);
  const scales = regularizedScales(rowLengths(degreesOf));
  const entry = (e: number, i: number) => (entries?.[e] ?? 1) * scales[i] * scales[columns[e]];
  /** (Â² − Σ λ²·v·vᵀ)_ij */
  const unexplained = (i: number, j: number): number => {
    let sum = 0;
    for (let a = rowStart[i], b = rowStart[j]; a < rowStart[i + 1] && b < rowStart[j + 1]; ) {
      if (columns[a] === columns[b]) sum += entry(a++, i) * entry(b++, j);
      else if (columns[a] < columns[b]) a++;
      else b++;
    }
    for (let k = 0; k < count; k++) sum -= values[k] ** 2 * data[i * width + k] * data[j * width + k];
    return sum;
  };
  const stride = Math.max(1, Math.floor(second.columns.length / 2 / SIGNIFICANCE.maxClosedEdges));
  let [sum, squares, edge] = [0, 0, 0];
  for (let i = 0; i < second.numRows; i++) {
    for (let e = second.rowStart[i], end: number; e < second.rowStart[i + 1]; e = end) {
      end = endOfCopies(second.columns, e, second.rowStart[i + 1]);
      const j = second.columns[e];
      if (j <= i || edge++ % stride !== 0) continue;
      const value = unexplained(i, j);
      sum += value;
      squares += value ** 2;
    }
  }
  return squares > 0 ? sum / Math.sqrt(squares) : 0;
}
