/**
 * Normalisation of adjacency matrices with self-loops of any weight c: M = L·(A + c·I)·R, where L = diag(row sums)^(-1/2)
 * and R = L for undirected graphs, diag(column sums)^(-1/2) for directed ones (Kipf, Welling, ICLR 2017, at c = 1).
 * The scales stay beside the pattern, so that a 0/1 adjacency needs no value per entry.
 */

import type { Relation } from "./multiplex.js";

/** A sparse matrix in compressed rows; without `values` every entry is 1. */
export interface CsrMatrix {
  readonly rowStart: Uint32Array;
  readonly columns: Uint32Array;
  readonly values?: Float32Array;
}

export type WeightedMatrix = CsrMatrix & Required<Pick<CsrMatrix, "values">>;

/** diag(left)·(A + diagonal·I)·diag(right), A given by rows. */
export interface NormalizedOperator extends CsrMatrix {
  readonly numRows: number;
  readonly numColumns: number;
  /** One scale per row; absent means 1. Zero where the row sum is zero. */
  readonly left?: Float64Array;
  /** One scale per column; absent means 1. */
  readonly right?: Float64Array;
  /** The weight c of the self-loops. */
  readonly diagonal: number;
  /** Whether the operator equals its transpose. */
  readonly symmetric: boolean;
}

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
  relation: Relation,
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

function inverseRoots(sums: Float64Array, selfLoop: number): Float64Array {
  return sums.map((sum) => (sum + selfLoop > 0 ? 1 / Math.sqrt(sum + selfLoop) : 0));
}

/** The adjacency itself, without self-loops or scales. */
export function rawOperator(matrix: CsrMatrix, numNodes: number, directed: boolean): NormalizedOperator {
  const { rowStart, columns, values } = matrix;
  return { numRows: numNodes, numColumns: numNodes, rowStart, columns, values, diagonal: 0, symmetric: !directed };
}
