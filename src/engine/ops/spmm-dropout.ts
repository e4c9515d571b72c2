/**
 * Sparse product with a constant matrix whose stored entries are dropped at random:
 * Y = diag(left)·(A ⊙ mask/(1−rate))·diag(right)·X.
 *
 * The values of A are a tensor, one per stored entry. `dropout` applied to it costs one random number per stored entry and is
 * drawn once for value and gradient.
 * Gradient: dX = the transposed matrix times G, its values read through `order` (entry e of the transposed matrix is
 * entry order_e of the matrix). The values have none: they come from constants.
 */

import { InternalError } from "../../core/errors.js";
import { multiplySparse } from "../../numeric/csr.js";
import { sparseValuesProduct } from "../partition/products/sparse-rules.js";
import { defineOp, type ProgramBuilder, requireShape, type Tensor } from "../program.js";
import { type SparseOperator, transposeOperator } from "../sparse.js";
import { dropout } from "./dropout.js";
import { spmm } from "./spmm.js";

interface Attributes {
  /** The pattern and its scales; no values. */
  readonly matrix: SparseOperator;
  /** Whether values are read through `order`. */
  readonly reordered: boolean;
}

export const spmmValuesOp = defineOp<Attributes>({
  name: "spmmValues",
  outputs([x, values, order], { matrix }) {
    const { length } = matrix.columns;
    const fits = x.rows === matrix.numColumns && values.rows === length && order.rows === length;
    requireShape(fits && matrix.values === undefined && matrix.diagonal === 0, "spmmValues", [x, values, order]);
    return [{ rows: matrix.numRows, cols: x.cols }];
  },
  reference([x, values, order], [y], { matrix, reordered }) {
    const valuesInOrder = reordered ? Float64Array.from(order.data, (entry) => values.data[entry]) : values.data;
    multiplySparse({ ...matrix, values: valuesInOrder }, x.data, x.cols, y.data);
  },
  gradient({ inputs: [, values, order], gradients: [g], attributes: { matrix, reordered } }) {
    if (reordered) throw new InternalError("spmmValues: second derivatives are not used");
    if (g === undefined) return [undefined, undefined, undefined];
    const transposed = { matrix: transposeOperator(matrix), reordered: true };
    return [spmmValues(g, values, order, transposed), undefined, undefined];
  },
  encode: ({ matrix, reordered }) => [{ sparse: matrix }, { int: reordered ? 1 : 0 }],
  partition: sparseValuesProduct(),
});

function spmmValues(x: Tensor, values: Tensor, order: Tensor, attributes: Attributes): Tensor {
  return x.builder.apply(spmmValuesOp, [x, values, order], attributes)[0];
}

interface Entries {
  readonly pattern: SparseOperator;
  readonly values: Tensor;
  readonly order: Tensor;
}

const entriesOf = new WeakMap<ProgramBuilder, Map<SparseOperator, Entries>>();

/** The stored entries of a matrix as constants of a program; made once per program and matrix. */
function entries(builder: ProgramBuilder, matrix: SparseOperator): Entries {
  const known = entriesOf.get(builder) ?? new Map<SparseOperator, Entries>();
  entriesOf.set(builder, known);
  const found = known.get(matrix);
  if (found !== undefined) return found;
  const { length } = matrix.columns;
  // the transposition moves entry numbers in the same way as values
  const numbers = Float64Array.from({ length }, (_, e) => e);
  const moved = transposeOperator({ ...matrix, values: numbers, symmetric: false }).values ?? numbers;
  const made: Entries = {
    pattern: matrix.values === undefined ? matrix : { ...matrix, values: undefined },
    values: builder.constant(matrix.values ?? new Float32Array(length).fill(1), length, 1, "float", false),
    order: builder.constant(Uint32Array.from(moved), length, 1, "index"),
  };
  known.set(matrix, made);
  return made;
}

/** M·X with the stored entries of M dropped at `rate` in [0, 1): [m, n] · [n, k] → [m, k]; M has no diagonal part. */
export function spmmDropout(matrix: SparseOperator, x: Tensor, rate: number, purpose: string): Tensor {
  if (rate === 0) return spmm(matrix, x);
  const { pattern, values, order } = entries(x.builder, matrix);
  const kept = dropout(values, rate, purpose);
  return spmmValues(x, kept, order, { matrix: pattern, reordered: false });
}
