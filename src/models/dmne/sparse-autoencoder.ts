/**
 * An autoencoder of the rows of a sparse n × n matrix A, without any n × n matrix:
 *
 *   H = σ(σ(A·W1 + b1)·W2 + b2),  Â = σ(σ(H·W3 + b3)·W4ᵀ + b4).
 *
 * ‖A − Â‖² = Σ_stored (a² − 2a·â) + Σ_all â². The first sum is taken in full. The second has no closed form behind the
 * sigmoid and is estimated from random columns of each row; the estimate has the right mean.
 */

import {
  add,
  addRow,
  gatherDots,
  MISSING,
  matmul,
  ones,
  randomKey,
  rowDots,
  sampleNodes,
  scale,
  sigmoid,
  spmm,
  sumRows,
} from "../../engine/ops/index.js";
import type { ProgramBuilder, Tensor } from "../../engine/program.js";
import type { SparseOperator } from "../../engine/sparse.js";
import { xavierUniform, zeros } from "../../nn/init.js";
import type { ParameterFactory } from "../../nn/model.js";
import { aliasTable } from "../../nn/walks/alias-table.js";
import type { WeightedCsr } from "../../numeric/csr.js";

export interface Layer {
  readonly weight: Tensor;
  readonly bias: Tensor;
}

/** `output.weight` has one row per column of A. */
export interface Autoencoder {
  readonly input: Layer;
  readonly code: Layer;
  readonly decode: Layer;
  readonly output: Layer;
}

/** A, and the constants that the loss reads. */
export interface SparseInput {
  readonly matrix: SparseOperator;
  /** 0, …, n − 1, [n, 1], and the table of draws among them. */
  readonly rows: Tensor;
  readonly anyRow: Tensor;
  /** Columns of the stored entries, [n, width], MISSING where a row has fewer, and the entries, 0 there. */
  readonly stored: Tensor;
  readonly entries: Tensor;
  /** Σ a². */
  readonly squares: number;
}

export function initAutoencoder(
  parameter: ParameterFactory,
  prefix: string,
  { numNodes, hidden, dim }: { readonly numNodes: number; readonly hidden: number; readonly dim: number },
): Autoencoder {
  const weight = (name: string, rows: number, cols: number) =>
    parameter(`${prefix}.${name}`, rows, cols, xavierUniform(rows, cols));
  const bias = (name: string, rows: number, cols: number) => parameter(`${prefix}.${name}`, rows, cols, zeros);
  return {
    input: { weight: weight("W1", numNodes, hidden), bias: bias("b1", 1, hidden) },
    code: { weight: weight("W2", hidden, dim), bias: bias("b2", 1, dim) },
    decode: { weight: weight("W3", dim, hidden), bias: bias("b3", 1, hidden) },
    output: { weight: weight("W4", numNodes, hidden), bias: bias("b4", numNodes, 1) },
  };
}

/** Rows with the maximum number of entries, to estimate a run. */
export function fullRows(numNodes: number, width: number): WeightedCsr {
  return {
    rowStart: Uint32Array.from({ length: numNodes + 1 }, (_, i) => i * width),
    columns: new Uint32Array(numNodes * width),
    values: new Float32Array(numNodes * width),
  };
}

export function sparseInput(builder: ProgramBuilder, numNodes: number, rows: WeightedCsr): SparseInput {
  const { rowStart, columns, values } = rows;
  let width = 1;
  for (let i = 0; i < numNodes; i++) width = Math.max(width, rowStart[i + 1] - rowStart[i]);
  const stored = new Uint32Array(numNodes * width).fill(MISSING);
  const entries = new Float32Array(numNodes * width);
  for (let i = 0; i < numNodes; i++) {
    stored.set(columns.subarray(rowStart[i], rowStart[i + 1]), i * width);
    entries.set(values.subarray(rowStart[i], rowStart[i + 1]), i * width);
  }
  return {
    matrix: { numRows: numNodes, numColumns: numNodes, ...rows, diagonal: 0, symmetric: false },
    rows: builder.constant(
      Uint32Array.from({ length: numNodes }, (_, i) => i),
      numNodes,
      1,
      "index",
    ),
    anyRow: aliasTable(builder, new Float32Array(numNodes).fill(1)),
    stored: builder.constant(stored, numNodes, width, "index"),
    entries: builder.constant(entries, numNodes, width),
    squares: values.reduce((sum, a) => sum + a * a, 0),
  };
}

/** H, [n, dim]. */
export function encode({ input, code }: Autoencoder, { matrix }: SparseInput): Tensor {
  const hidden = sigmoid(addRow(spmm(matrix, input.weight), input.bias)); // [n, hidden]
  return sigmoid(addRow(matmul(hidden, code.weight), code.bias)); // [n, dim]
}

/** Σ over entries of X ⊙ Y, [1, 1]. */
export function inner(x: Tensor, y: Tensor): Tensor {
  return sumRows(rowDots(x, y));
}

/** ‖A − Â‖²/n; the sum over all entries is estimated from `samples` random columns per row, drawn from the stream `purpose`. */
export function reconstructionLoss(
  { decode, output }: Autoencoder,
  code: Tensor,
  { stored, entries, squares, rows, anyRow }: SparseInput,
  { samples, purpose }: { readonly samples: number; readonly purpose: string },
): Tensor {
  const { builder, rows: numNodes } = code;
  const hidden = sigmoid(addRow(matmul(code, decode.weight), decode.bias)); // [n, hidden]
  const one = ones(builder, numNodes, 1);
  const at = (columns: Tensor): Tensor => {
    const products = gatherDots(hidden, output.weight, rows, columns);
    return sigmoid(add(products, gatherDots(one, output.bias, rows, columns))); // [n, columns per row]
  };
  const some = at(sampleNodes(randomKey(builder, purpose), anyRow, numNodes, samples));
  const all = scale(inner(some, some), 1 / samples); // times n/samples, divided by n
  const known = add(builder.constant([squares / numNodes], 1, 1), inner(at(stored), entries), -2 / numNodes);
  return add(known, all);
}
