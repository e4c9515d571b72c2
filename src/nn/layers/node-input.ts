/**
 * The input of the first layer: features or, without any, trainable rows.
 *
 * A layer only needs X·W. Without features X is the identity or a trainable table T, so the product is a parameter or T·W: no n × n
 * matrix is stored. The shuffled rows X[π]·W are (X·W)[π], the same product read in another order. With dropout that does not
 * hold: each use draws its own mask, with one random number per stored entry.
 */

import {
  concatColumns,
  dropout,
  matmul,
  ones,
  type Permutation,
  permuteRows,
  reshape,
  scaleRows,
  shufflePair,
  spmm,
  spmmDropout,
} from "../../engine/ops/index.js";
import type { Tensor } from "../../engine/program.js";
import type { SparseOperator } from "../../engine/sparse.js";
import type { FeatureInput } from "../model.js";

/** Source of the rows X. `oneHot`: X is the identity, and the weight of the first layer has one row per node. */
export type NodeInput =
  | { readonly kind: "features"; readonly matrix: SparseOperator }
  | { readonly kind: "table"; readonly table: Tensor }
  | { readonly kind: "oneHot" };

/** How rows are read: the original ones only, or original and shuffled rows side by side, with dropout while training. */
export interface Pass {
  readonly permutation?: Permutation;
  readonly dropout: number;
}

/**
 * Features as a sparse matrix. With `normalize` rows are divided by the sum of their absolute values. The plain sum would not do:
 * with signed values it may be near zero, or negative. A row of zeros stays zero.
 */
export function featureMatrix(features: FeatureInput, numNodes: number, normalize: boolean): SparseOperator {
  const { rowStart, columns, values, numColumns } = features;
  let left: Float64Array | undefined;
  if (normalize) {
    left = new Float64Array(numNodes);
    for (let i = 0; i < numNodes; i++) {
      let sum = 0;
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) sum += values === undefined ? 1 : Math.abs(values[e]);
      left[i] = sum === 0 ? 0 : 1 / sum;
    }
  }
  return { numRows: numNodes, numColumns, rowStart, columns, values, left, diagonal: 0, symmetric: false };
}

/** Numbers stored per entry of the table while it is trained: itself, two moments, the best, the gradient. */
const TABLE_COPIES = 5;
/** The width of a narrowed table is a multiple of this: whole vectors. */
const WIDTH_STEP = 16;

/** Columns of a shared table: `tableWidth`, or as many as fit `tableMemory` MiB while it is trained. */
export function fittingTableWidth(
  numNodes: number,
  { tableWidth, tableMemory }: { readonly tableWidth: number; readonly tableMemory: number },
): number {
  const affordable = (tableMemory * 2 ** 20) / (4 * TABLE_COPIES * numNodes);
  if (tableWidth <= affordable) return tableWidth;
  return Math.min(tableWidth, Math.max(WIDTH_STEP, Math.floor(affordable / WIDTH_STEP) * WIDTH_STEP));
}

/** X·W for the pass: [n, m], or [n, 2m] (original and shuffled side by side) when training. */
export function projectInput(input: NodeInput, weight: Tensor, pass: Pass, purpose: string): Tensor {
  const { permutation, dropout: rate } = pass;
  if (permutation === undefined || rate === 0) {
    const product = cleanProduct(input, weight);
    return permutation === undefined ? product : sideBySide(shufflePair(product, permutation));
  }
  if (input.kind === "oneHot") {
    // a row of the identity has one entry: dropping it drops the node's whole row of W
    const rows = shufflePair(weight, permutation);
    return sideBySide(scaleRows(rows, dropout(ones(weight.builder, rows.rows, 1), rate, purpose)));
  }
  if (input.kind === "features") {
    // entries are dropped independently, so dropping before or after the shuffle has the same distribution
    const [clean, other] = ["", ".shuffled"].map((side) => spmmDropout(input.matrix, weight, rate, purpose + side));
    return concatColumns([clean, permuteRows(other, permutation)]);
  }
  return sideBySide(matmul(dropout(shufflePair(input.table, permutation), rate, purpose), weight));
}

function cleanProduct(input: NodeInput, weight: Tensor): Tensor {
  if (input.kind === "features") return spmm(input.matrix, weight);
  return input.kind === "table" ? matmul(input.table, weight) : weight;
}

/** H·W for vectors of the pass, which share the weight: [n, k·s] → [n, m·s], s = 2 when training, otherwise 1. */
export function projectVectors(h: Tensor, weight: Tensor, pass: Pass, purpose: string): Tensor {
  const sides = pass.permutation === undefined ? 1 : 2;
  const rows = reshape(h, h.rows * sides, h.cols / sides);
  const kept = pass.permutation === undefined ? rows : dropout(rows, pass.dropout, purpose);
  return reshape(matmul(kept, weight), h.rows, weight.cols * sides);
}

/** [2n, m] → [n, 2m]. */
function sideBySide(pair: Tensor): Tensor {
  return reshape(pair, pair.rows / 2, 2 * pair.cols);
}
