import { transposeRows } from "../numeric/csr.js";

/**
 * A constant sparse matrix M = diag(left) · (A + diagonal·I) · diag(right), A in CSR form.
 *
 * The scales are separate so that a 0/1 adjacency matrix needs no stored values: rows are scaled, neighbours added, rows scaled
 * again. Only weighted matrices have `values`.
 */
export interface SparseOperator {
  readonly numRows: number;
  readonly numColumns: number;
  /** numRows + 1 offsets. */
  readonly rowStart: Uint32Array;
  /** Column indices, ascending within a row. */
  readonly columns: Uint32Array;
  readonly values?: Float32Array | Float64Array;
  readonly left?: Float64Array;
  readonly right?: Float64Array;
  readonly diagonal: number;
  /** Whether A equals its transpose; then the transpose needs no copy. */
  readonly symmetric: boolean;
}

const transposes = new WeakMap<SparseOperator, SparseOperator>();

/** Mᵀ, made once per operator. A symmetric A is shared, not copied. */
export function transposeOperator(matrix: SparseOperator): SparseOperator {
  const known = transposes.get(matrix);
  if (known !== undefined) return known;
  const transposed = makeTranspose(matrix);
  transposes.set(matrix, transposed);
  transposes.set(transposed, matrix);
  return transposed;
}

function makeTranspose(matrix: SparseOperator): SparseOperator {
  if (matrix.symmetric) {
    if (matrix.left === matrix.right) return matrix;
    return { ...matrix, left: matrix.right, right: matrix.left };
  }
  return {
    numRows: matrix.numColumns,
    numColumns: matrix.numRows,
    ...transposeRows(matrix, matrix.numColumns),
    left: matrix.right,
    right: matrix.left,
    diagonal: matrix.diagonal,
    symmetric: false,
  };
}

/** y = M·x for x of `width` columns, in float64: the definition of a SparseOperator. */
export function multiplySparse(matrix: SparseOperator, x: Float64Array, width: number, y: Float64Array): void {
  const { rowStart, columns, values, left, right, diagonal } = matrix;
  for (let i = 0; i < matrix.numRows; i++) {
    const scale = left === undefined ? 1 : left[i];
    for (let k = 0; k < width; k++) {
      let sum = diagonal === 0 ? 0 : diagonal * (right === undefined ? 1 : right[i]) * x[i * width + k];
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
        const j = columns[e];
        const weight = (values === undefined ? 1 : values[e]) * (right === undefined ? 1 : right[j]);
        sum += weight * x[j * width + k];
      }
      y[i * width + k] = scale * sum;
    }
  }
}
