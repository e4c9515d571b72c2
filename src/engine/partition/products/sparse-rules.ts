/**
 * Rules of sparse products. A matrix with one or more rows per node is cut by rows; the rows of other ranks that it reads (its halo) are
 * fetched first, for a large product in slices of columns. A product that has no row per node, such as the gradient of a weight of features, is whole on every rank: each
 * rank computes some of its rows, and all rows are gathered.
 */

import { sliceColumns } from "../../ops/columns.js";
import type { KernelTensor, Op, Tensor } from "../../program.js";
import type { SparseOperator } from "../../sparse.js";
import { chunkRows } from "../chunks.js";
import { partOp } from "../local-ops.js";
import { gatherParts, reduceRows } from "../reduce-rule.js";
import { applyLocally, isWhole } from "../row-rules.js";
import type { LocalProduct, LocalTensor, PartitionCall, PartitionContext, PartitionRule } from "../rule.js";
import { bySlices } from "./column-slices.js";

export const isByRows = ({ ranges }: PartitionContext, matrix: SparseOperator) => matrix.numRows === ranges.numNodes;

/**
 * Throws unless the source has a row for each column of the matrix, or is whole. A whole source cannot be multiplied by a diagonal on
 * rows of one rank: the kernel would read its row i for row i of the rank.
 */
export function requireSource(call: PartitionContext, matrix: SparseOperator, x: LocalTensor): void {
  const isWholeSource = x.rowsPerNode === 0 && !(isByRows(call, matrix) && matrix.diagonal !== 0);
  call.require(isWholeSource || matrix.numColumns === x.rowsPerNode * call.ranges.numNodes);
}

/** Y = M·X by an op whose other inputs are whole and have a column for each column of X; input 0 is X. */
export function sparseProduct<A extends { readonly matrix: SparseOperator }>(): PartitionRule<A> {
  return {
    lower(call) {
      const { inputs, attributes, builder, op } = call;
      const [x, ...others] = inputs;
      if (isWhole(call) && attributes.matrix.numRows % call.ranges.numNodes !== 0) return applyLocally(call);
      requireSource(call, attributes.matrix, x);
      call.require(others.every(({ rowsPerNode }) => rowsPerNode === 0));
      const product = call.product([attributes.matrix], x);
      const local = { ...attributes, matrix: product.matrices[0] };
      const { rowsPerNode } = product;
      return bySlices(builder, product.slices, (source, { first, cols }) => {
        const sources = [source, ...others.map(({ tensor }) => sliceColumns(tensor, first, cols))];
        if (rowsPerNode > 0) return builder.apply(op, sources, local);
        return [someRows(call, product, cols, sources, sources.map(wholeView), local)];
      }).map((tensor) => ({ tensor, rowsPerNode }));
    },
  };
}

export const wholeView = (tensor: Tensor): KernelTensor => ({
  tensor,
  rows: tensor.rows,
  cols: tensor.cols,
  firstRow: 0,
});

/** Computes the rows of this rank of `cols` columns of a product that is whole on every rank, and gathers the others. */
function someRows<A>(
  call: PartitionCall<A>,
  { firstRows }: LocalProduct,
  cols: number,
  inputs: readonly Tensor[],
  views: readonly KernelTensor[],
  attributes: A,
): Tensor {
  const { builder, op, outputs, ranks } = call;
  const [{ rows }] = outputs;
  const first = firstRows[ranks.rank];
  const end = firstRows[ranks.rank + 1];
  const run = partOp(op, [{ rows, cols }], (_, [y]) => ({
    phase: "run",
    outputs: [{ tensor: y, rows: end - first, cols, firstRow: -first }],
    inputs: views,
  }));
  const [part] = builder.apply(run, inputs, attributes);
  return gatherParts(call, part, firstRows, cols * 4);
}

/** As `sparseProduct`, with inputs (X, values, order): the values of all stored entries are whole on every rank. */
export function sparseValuesProduct<
  A extends { readonly matrix: SparseOperator; readonly reordered: boolean },
>(): PartitionRule<A> {
  return {
    lower(call) {
      const { inputs, attributes, builder, op } = call;
      const [x, values, order] = inputs;
      if (isWhole(call) && attributes.matrix.numRows % call.ranges.numNodes !== 0) return applyLocally(call);
      requireSource(call, attributes.matrix, x);
      call.require(values.rowsPerNode === 0 && order.rowsPerNode === 0);
      const product = call.product([attributes.matrix], x);
      const [matrix] = product.matrices;
      const local = { ...attributes, matrix };
      const { rowsPerNode } = product;
      const entries = (tensor: Tensor, firstRow: number) => ({
        tensor,
        rows: matrix.columns.length,
        cols: 1,
        firstRow,
      });
      return bySlices(builder, product.slices, (source, { cols }) => {
        const tensors = [source, values.tensor, order.tensor];
        const views = [
          wholeView(source),
          entries(values.tensor, attributes.reordered ? 0 : -product.firstEntry),
          entries(order.tensor, -product.firstEntry),
        ];
        if (rowsPerNode === 0) return [someRows(call, product, cols, tensors, views, local)];
        const run = partOp(op, [{ rows: matrix.numRows, cols }], (_, [y]) => ({
          phase: "run",
          outputs: [wholeView(y)],
          inputs: views,
        }));
        return builder.apply(run, tensors, local);
      }).map((tensor) => ({ tensor, rowsPerNode }));
    },
  };
}

const withoutRight = new WeakMap<SparseOperator, SparseOperator>();

/** M without its right scales, made once per matrix. */
function unscaled(matrix: SparseOperator): SparseOperator {
  const known = withoutRight.get(matrix) ?? (matrix.right === undefined ? matrix : { ...matrix, right: undefined });
  withoutRight.set(matrix, known);
  return known;
}

interface GradientAttributes {
  readonly matrix: SparseOperator;
  readonly factor: number;
}

/**
 * dX = M·V and db = Σ_i V[i] in two steps, with the fused kernel's arithmetic: `source` computes right ⊙ V and db, `product`
 * multiplies it by M without its right scales.
 */
export function convolutionGradient(
  source: Op<{ readonly factor: number; readonly scaled: boolean }>,
  product: Op<{ readonly matrix: SparseOperator }>,
): PartitionRule<GradientAttributes> {
  return {
    chunkRows: ([g]) => chunkRows(g.rows),
    lower(call) {
      if (isWhole(call)) return applyLocally(call);
      const { matrix, factor } = call.attributes;
      const { ranges, builder } = call;
      const [g, mask] = call.inputs;
      requireSource(call, matrix, g);
      call.require(mask.rowsPerNode === 1 && isByRows(call, matrix));
      const { cols } = g.tensor;
      const { right } = matrix;
      const scales = right && builder.constant(right.subarray(ranges.begin, ranges.end), ranges.count, 1);
      const [kept, dBias] = reduceRows(call, {
        op: source,
        attributes: { factor, scaled: scales !== undefined },
        inputs: scales === undefined ? [g, mask] : [g, mask, { tensor: scales, rowsPerNode: 1 }],
        outputs: [
          { rows: ranges.numNodes, cols, rowsPerNode: 1 },
          { rows: 1, cols, rowsPerNode: 0 },
        ],
        chunkRows: chunkRows(ranges.numNodes),
        partBytes: cols * 4,
      });
      const { matrices, slices } = call.product([unscaled(matrix)], kept);
      const [dx] = bySlices(builder, slices, (part) => builder.apply(product, [part], { matrix: matrices[0] }));
      return [{ tensor: dx, rowsPerNode: 1 }, dBias];
    },
  };
}
