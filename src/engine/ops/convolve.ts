/**
 * A graph convolution in one pass: Y = s·max(M·X + 1·b, 0) with a constant sparse M and a row b; and a mask with one bit per
 * entry, set where M·X + 1·b > 0, whose rows are padded to a multiple of 32 bits.
 *
 * Gradients, with V = s·G where the bit is set, otherwise 0: dX = Mᵀ·V and db = Σ_i V[i] (`convolveGradient`, one pass for both).
 * A sum over relations is a separate `add`: adding tile by tile inside this op would take longer.
 */

import { multiplySparse } from "../../numeric/csr.js";
import { convolutionGradient, sparseProduct } from "../partition/products/sparse-rules.js";
import { defineOp, type HostTensor, requireShape, type Tensor } from "../program.js";
import { type SparseOperator, transposeOperator } from "../sparse.js";
import { spmmOp } from "./spmm.js";

interface Attributes {
  readonly matrix: SparseOperator;
  readonly factor: number;
}

/** Bits of a row of the mask for `cols` entries: kernels work on tiles of 32 columns. */
function maskColumns(cols: number): number {
  return 32 * Math.ceil(cols / 32);
}

export const convolveOp = defineOp<Attributes>({
  name: "convolve",
  outputs([x, bias], { matrix }) {
    requireShape(x.rows === matrix.numColumns && bias.rows === 1 && bias.cols === x.cols, "convolve", [x, bias]);
    return [
      { rows: matrix.numRows, cols: x.cols },
      { rows: matrix.numRows, cols: maskColumns(x.cols), dtype: "mask" },
    ];
  },
  reference([x, bias], [y, mask], { matrix, factor }) {
    multiplySparse(matrix, x.data, x.cols, y.data);
    forEachEntry(y, mask, (at, bit, column) => {
      const value = y.data[at] + bias.data[column];
      mask.data[bit] = value > 0 ? 1 : 0;
      // NaN passes through: hiding it would hide a diverged run
      y.data[at] = factor * Math.max(value, 0);
    });
  },
  gradient({ outputs: [, mask], gradients: [g], attributes: { matrix, factor } }) {
    if (g === undefined) return [undefined, undefined];
    return g.builder.apply(convolveGradientOp, [g, mask], { matrix: transposeOperator(matrix), factor });
  },
  encode: ({ matrix, factor }) => [{ sparse: matrix }, { float: factor }],
  partition: sparseProduct(),
});

interface SourceAttributes {
  readonly factor: number;
  /** Whether there is a column of right scales. */
  readonly scaled: boolean;
}

/** The first half of `convolveGradient`, for partitioned programs: outputs (right ⊙ V, db) from (G, mask, right). */
export const convolveSourceOp = defineOp<SourceAttributes>({
  name: "convolveSource",
  inPlace: 0,
  outputs([g, mask]) {
    requireShape(mask.rows === g.rows && mask.cols === maskColumns(g.cols), "convolveSource", [g, mask]);
    return [
      { rows: g.rows, cols: g.cols },
      { rows: 1, cols: g.cols },
    ];
  },
  reference([g, mask, right], [y, dBias], { factor }) {
    dBias.data.fill(0);
    forEachEntry(g, mask, (at, bit, column) => {
      const kept = mask.data[bit] === 0 ? 0 : factor * g.data[at];
      dBias.data[column] += kept;
      y.data[at] = right === undefined ? kept : right.data[Math.floor(at / g.cols)] * kept;
    });
  },
  gradient: "second derivatives are not used",
  encode: ({ factor, scaled }) => [{ float: factor }, { int: scaled ? 1 : 0 }],
});

/** Outputs (dX, db) from (G, mask) and the transposed matrix. */
export const convolveGradientOp = defineOp<Attributes>({
  name: "convolveGradient",
  outputs([g, mask], { matrix }) {
    const fits = g.rows === matrix.numColumns && mask.rows === g.rows && mask.cols === maskColumns(g.cols);
    requireShape(fits, "convolveGradient", [g, mask]);
    return [
      { rows: matrix.numRows, cols: g.cols },
      { rows: 1, cols: g.cols },
    ];
  },
  reference([g, mask], [dx, dBias], { matrix, factor }) {
    const kept = new Float64Array(g.data.length);
    dBias.data.fill(0);
    forEachEntry(g, mask, (at, bit, column) => {
      kept[at] = mask.data[bit] === 0 ? 0 : factor * g.data[at];
      dBias.data[column] += kept[at];
    });
    multiplySparse(matrix, kept, g.cols, dx.data);
  },
  gradient: "second derivatives are not used",
  encode: ({ matrix, factor }) => [{ sparse: matrix }, { float: factor }],
  partition: convolutionGradient(convolveSourceOp, spmmOp),
});

function forEachEntry(
  { rows, cols }: HostTensor,
  mask: HostTensor,
  visit: (at: number, bit: number, column: number) => void,
): void {
  for (let i = 0; i < rows; i++) {
    for (let column = 0; column < cols; column++) visit(i * cols + column, i * mask.cols + column, column);
  }
}

/** factor·max(M·X + 1·b, 0): [m, n] · [n, k] + [1, k] → [m, k]. */
export function convolve(matrix: SparseOperator, x: Tensor, bias: Tensor, factor = 1): Tensor {
  return x.builder.apply(convolveOp, [x, bias], { matrix, factor })[0];
}
