/**
 * Normalisation of adjacency matrices with self-loops of any weight c: M = L·(A + c·I)·R, where L = diag(row sums)^(-1/2)
 * and R = L for undirected graphs, R = diag(column sums)^(-1/2) for directed ones (Kipf, Welling, ICLR 2017, with c = 1).
 */

import type { CsrMatrix, ScaledCsr } from "../numeric/csr.js";
import { mean } from "../numeric/rows.js";

/** diag(left)·(A + selfLoop·I)·diag(right); a scale is zero where the row or column sum is zero. */
export type NormalizedOperator = ScaledCsr;

/** How a relation becomes an operator. */
export interface NormalizeOptions {
  /** Weight of the self-loop added to every node; 0 adds none. */
  readonly selfLoop: number;
  readonly directed: boolean;
}

/** Sum of each row, in double precision. */
export function rowSums({ rowStart, values }: CsrMatrix, numNodes: number): Float64Array {
  const sums = new Float64Array(numNodes);
  for (let row = 0; row < numNodes; row++) {
    if (values === undefined) {
      sums[row] = rowStart[row + 1] - rowStart[row];
    } else {
      let sum = 0;
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++) sum += values[k];
      sums[row] = sum;
    }
  }
  return sums;
}

/** Sum of each column, in double precision. */
export function columnSums({ columns, values }: CsrMatrix, numNodes: number): Float64Array {
  const sums = new Float64Array(numNodes);
  for (let k = 0; k < columns.length; k++) sums[columns[k]] += values === undefined ? 1 : values[k];
  return sums;
}

/** The normalised adjacency of a relation with self-loops of weight `selfLoop`. */
export function normalizedOperator(
  relation: CsrMatrix,
  numNodes: number,
  options: NormalizeOptions,
): NormalizedOperator {
  const { selfLoop, directed } = options;
  const left = inverseRoots(rowSums(relation, numNodes), selfLoop);
  const right = directed ? inverseRoots(columnSums(relation, numNodes), selfLoop) : left;
  return {
    numRows: numNodes,
    numColumns: numNodes,
    rowStart: relation.rowStart,
    columns: relation.columns,
    values: relation.values,
    left,
    right,
    diagonal: selfLoop,
    symmetric: !directed,
  };
}

/** (sum + added)^(-1/2); 0 where sum + added is 0. */
function inverseRoots(sums: Float64Array, added: number): Float64Array {
  return sums.map((sum) => (sum + added > 0 ? 1 / Math.sqrt(sum + added) : 0));
}

/**
 * (degree + τ)^(-1/2) of each node: the scales of `regularizedOperator`. τ is the mean degree. Without τ the leading
 * eigenvectors would belong to small components (Chaudhuri, Chung, Tsiatas, COLT 2012).
 */
export function regularizedScales(degrees: Float64Array, tau: number = mean(degrees)): Float64Array {
  return inverseRoots(degrees, tau);
}

/** The degree-regularised adjacency D_τ^(-1/2)·A·D_τ^(-1/2) of a symmetric A, where D_τ^(-1/2) are the scales. */
export function regularizedOperator(matrix: CsrMatrix, scales: Float64Array): NormalizedOperator {
  return { ...rawOperator(matrix, scales.length, false), left: scales, right: scales };
}

/** The adjacency matrix itself, without self-loops or scales. */
export function rawOperator(matrix: CsrMatrix, numNodes: number, directed: boolean): NormalizedOperator {
  const { rowStart, columns, values } = matrix;
  return { numRows: numNodes, numColumns: numNodes, rowStart, columns, values, diagonal: 0, symmetric: !directed };
}
