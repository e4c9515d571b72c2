/**
 * Whether a direction of a graph is more than noise, told without labels: directions are found on one half of the edges,
 * and tested on the other half.
 *
 * With q = D_τ^(-1/2)·v the edges (i, j) of the second half sum to R = Σ 2·q_i·q_j. Edges rewired at random, degrees kept,
 * would give (Σ_i d_i·q_i)²/2m; the difference is measured in its deviation, about √Σ (2·q_i·q_j)². A direction that only
 * fits the noise of the first half has a score near zero there, whatever its eigenvalue.
 *
 * Opposed directions, along which neighbours differ, must have edges that sum to less than nothing: −R in the same deviation.
 *
 * Whether there is more than the directions that pass, such as cliques or neighbours in space, which no few directions hold, is
 * told by paths: with Â the first half and λ, v its directions, edges (i, j) of the second half sum
 * (Â² − Σ λ²·v·vᵀ)_ij, which is about nothing where they close no more paths of two edges than the directions let expect.
 */

import { Rng } from "../../../core/rng.js";
import type { SparseOperator } from "../../../engine/sparse.js";
import { collapsed, endOfCopies, type SimpleGraph } from "../weights/edge-copies.js";
import type { Directions } from "./leading-directions.js";

/** Deviations above noise: with some hundred directions tried, chance reaches 4 less than once in a hundred graphs. */
export const MIN_DEVIATIONS = 4;

/** Â = D_τ^(-1/2)·A·D_τ^(-1/2), D_τ = D + τI, τ the mean degree: without τ tiny components take the leading places. */
export function regularizedAdjacency(graph: SimpleGraph, degreesOf: SimpleGraph = graph): SparseOperator {
  const scales = regularizedScales(degreesOf);
  const { numRows } = graph;
  return {
    numRows,
    numColumns: numRows,
    ...collapsed(graph),
    left: scales,
    right: scales,
    diagonal: 0,
    symmetric: true,
  };
}

function regularizedScales({ numRows, rowStart, columns }: SimpleGraph): Float64Array {
  const tau = columns.length / numRows;
  return Float64Array.from({ length: numRows }, (_, i) => {
    const degree = rowStart[i + 1] - rowStart[i] + tau;
    return degree > 0 ? 1 / Math.sqrt(degree) : 0;
  });
}

/** Every edge, with all its copies, in one of two graphs, drawn by a coin. */
export function splitInHalves(graph: SimpleGraph, seed: number, purpose: string): [SimpleGraph, SimpleGraph] {
  const { numRows, rowStart, columns, ordinary } = graph;
  const rng = new Rng(seed, purpose);
  // of an edge the coin is tossed at its smaller end and found again at the larger one, whose entries come in that order
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
  return [0, 1].map((side) => {
    const start = new Uint32Array(numRows + 1);
    const kept = new Uint32Array(half.reduce((sum, coin) => sum + (coin === side ? 1 : 0), 0));
    let at = 0;
    for (let i = 0; i < numRows; i++) {
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) if (half[e] === side) kept[at++] = columns[e];
      start[i + 1] = at;
    }
    return { numRows, rowStart: start, columns: kept, ordinary };
  }) as [SimpleGraph, SimpleGraph];
}

/** How far above noise each direction, found on other edges, stands on these, in deviations. */
export function directionScores(
  { vectors, count }: Directions,
  edges: SimpleGraph,
  degreesOf: SimpleGraph,
  opposed = false,
): Float64Array {
  const scales = regularizedScales(degreesOf);
  const { numRows, rowStart, columns } = edges;
  const sum = new Float64Array(count);
  const squares = new Float64Array(count);
  const byDegree = new Float64Array(count);
  for (let i = 0; i < numRows; i++) {
    for (let k = 0; k < count; k++) {
      byDegree[k] += (rowStart[i + 1] - rowStart[i]) * scales[i] * vectors[i * count + k];
    }
    for (let e = rowStart[i], end: number; e < rowStart[i + 1]; e = end) {
      end = endOfCopies(columns, e, rowStart[i + 1]);
      const j = columns[e];
      if (j < i) continue;
      const factor = 2 * (end - e) * scales[i] * scales[j];
      for (let k = 0; k < count; k++) {
        const product = factor * vectors[i * count + k] * vectors[j * count + k];
        sum[k] += product;
        squares[k] += product * product;
      }
    }
  }
  const twice = columns.length; // 2m
  const above = (k: number) => (opposed ? -sum[k] : sum[k] - (twice > 0 ? byDegree[k] ** 2 / twice : 0));
  return squares.map((square, k) => (square > 0 ? above(k) / Math.sqrt(square) : 0));
}

/** Edges of the second half that are looked at for paths. */
const MAX_CLOSED = 5000;

/** How far above noise paths of two edges of one half are closed by edges of the other, beyond what the first `count` directions tell. */
export function closureScore(
  { values, vectors, count: width }: Directions,
  count: number,
  [first, second]: readonly [SimpleGraph, SimpleGraph],
  degreesOf: SimpleGraph,
): number {
  const { rowStart, columns, values: entries } = collapsed(first);
  const scales = regularizedScales(degreesOf);
  const entry = (e: number, i: number) => (entries?.[e] ?? 1) * scales[i] * scales[columns[e]];
  const beyond = (i: number, j: number): number => {
    let sum = 0;
    for (let a = rowStart[i], b = rowStart[j]; a < rowStart[i + 1] && b < rowStart[j + 1]; ) {
      if (columns[a] === columns[b]) sum += entry(a++, i) * entry(b++, j);
      else if (columns[a] < columns[b]) a++;
      else b++;
    }
    for (let k = 0; k < count; k++) sum -= values[k] ** 2 * vectors[i * width + k] * vectors[j * width + k];
    return sum;
  };
  const stride = Math.max(1, Math.floor(second.columns.length / 2 / MAX_CLOSED));
  let [sum, squares, met] = [0, 0, 0];
  for (let i = 0; i < second.numRows; i++) {
    for (let e = second.rowStart[i], end: number; e < second.rowStart[i + 1]; e = end) {
      end = endOfCopies(second.columns, e, second.rowStart[i + 1]);
      const j = second.columns[e];
      if (j <= i || met++ % stride !== 0) continue;
      const found = beyond(i, j);
      sum += found;
      squares += found ** 2;
    }
  }
  return squares > 0 ? sum / Math.sqrt(squares) : 0;
}
