/**
 * Rules of sparse products. A matrix with one or more rows per node is cut by rows; the rows of other ranks that it reads (its halo) are
 * fetched first. A product that has no row per node, such as the gradient of a weight of features, is whole on every rank: each
 * rank computes some of its rows, and all rows are gathered.
 */

import type { KernelTensor, Op, Tensor } from "../program.js";
import { FAR_ROWS, type SparseOperator } from "../sparse.js";
import { chunkRows } from "./chunks.js";
import { partOp } from "./local-ops.js";
import { gatherParts, reduceRows } from "./reduce-rule.js";
import { applyLocally, isWhole } from "./row-rules.js";
import type { LocalProduct, LocalTensor, PartitionCall, PartitionContext, PartitionRule } from "./rule.js";

/** Rows of a block and floats of a tile in the kernels of sparse products (../wasm/assembly/sparse.ts). */
const BLOCK_ROWS = 64;
const TILE = 32;

const isByRows = ({ ranges }: PartitionContext, matrix: SparseOperator) => matrix.numRows === ranges.numNodes;

/**
 * Throws unless the source has a row for each column of the matrix, or is whole. A whole source cannot be multiplied by a diagonal on
 * rows of one rank: the kernel would read its row i for row i of the rank.
 */
function requireSource(call: PartitionContext, matrix: SparseOperator, x: LocalTensor): void {
  const isWholeSource = x.rowsPerNode === 0 && !(isByRows(call, matrix) && matrix.diagonal !== 0);
  call.require(isWholeSource || matrix.numColumns === x.rowsPerNode * call.ranges.numNodes);
}

/** Y = M·X by an op whose other inputs are whole; input 0 is X. */
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
      if (product.rowsPerNode === 0) {
        const sources = [product.source, ...others.map(({ tensor }) => tensor)];
        return someRows(call, product, sources, sources.map(wholeView), local);
      }
      const { rowsPerNode } = product;
      return builder
        .apply(op, [product.source, ...others.map(({ tensor }) => tensor)], local)
        .map((tensor) => ({ tensor, rowsPerNode }));
    },
  };
}

const wholeView = (tensor: Tensor): KernelTensor => ({ tensor, rows: tensor.rows, cols: tensor.cols, firstRow: 0 });

/** Computes the rows of this rank of a product that is whole on every rank, and gathers the others. */
function someRows<A>(
  call: PartitionCall<A>,
  { firstRows }: LocalProduct,
  inputs: readonly Tensor[],
  views: readonly KernelTensor[],
  attributes: A,
): LocalTensor[] {
  const { builder, op, outputs, ranks } = call;
  const [{ rows, cols }] = outputs;
  const first = firstRows[ranks.rank];
  const end = firstRows[ranks.rank + 1];
  const run = partOp(op, [{ rows, cols }], (_, [y]) => ({
    phase: "run",
    outputs: [{ tensor: y, rows: end - first, cols, firstRow: -first }],
    inputs: views,
  }));
  const [part] = builder.apply(run, inputs, attributes);
  return [{ tensor: gatherParts(call, part, firstRows, cols * 4), rowsPerNode: 0 }];
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
      const tensors = [product.source, values.tensor, order.tensor];
      const entries = (tensor: Tensor, firstRow: number) => ({
        tensor,
        rows: matrix.columns.length,
        cols: 1,
        firstRow,
      });
      const views = [
        wholeView(product.source),
        entries(values.tensor, attributes.reordered ? 0 : -product.firstEntry),
        entries(order.tensor, -product.firstEntry),
      ];
      if (product.rowsPerNode === 0) return someRows(call, product, tensors, views, local);
      const run = partOp(op, [{ rows: matrix.numRows, cols: product.source.cols }], (_, [y]) => ({
        phase: "run",
        outputs: [wholeView(y)],
        inputs: views,
      }));
      const { rowsPerNode } = product;
      return builder.apply(run, tensors, local).map((tensor) => ({ tensor, rowsPerNode }));
    },
  };
}

/** Y = Σ_d w_d·M_d·X, inputs (w, X). */
export function sparseSum<A extends { readonly matrices: readonly SparseOperator[] }>(): PartitionRule<A> {
  return {
    lower(call) {
      const { inputs, attributes, builder, op } = call;
      const [weights, x] = inputs;
      if (isWhole(call) && !isByRows(call, attributes.matrices[0])) return applyLocally(call);
      for (const matrix of attributes.matrices) requireSource(call, matrix, x);
      call.require(weights.rowsPerNode === 0 && isByRows(call, attributes.matrices[0]));
      const { matrices, source } = call.product(attributes.matrices, x);
      return builder
        .apply(op, [weights.tensor, source], { ...attributes, matrices })
        .map((tensor) => ({ tensor, rowsPerNode: 1 }));
    },
  };
}

/**
 * dX = Σ_d w_d·Q_d and dw_d = ⟨Q_d, X⟩ with Q_d = M_d·G, inputs (w, X, G). The kernel has a partial dot product for each block of
 * rows and tile; those of all ranks are gathered before they are added.
 */
export function sparseSumGradient<A extends { readonly matrices: readonly SparseOperator[] }>(): PartitionRule<A> {
  return {
    lower(call) {
      if (isWhole(call)) return applyLocally(call);
      const { inputs, attributes, builder, op, ranges } = call;
      const [weights, x, g] = inputs;
      for (const matrix of attributes.matrices) requireSource(call, matrix, g);
      call.require(weights.rowsPerNode === 0 && x.rowsPerNode === 1 && isByRows(call, attributes.matrices[0]));
      const { matrices, source } = call.product(attributes.matrices, g);
      const { cols } = x.tensor;
      const blockBytes = Math.ceil(cols / TILE) * matrices.length * 8;
      const blocks = ranges.first.map((node) => Math.ceil(node / BLOCK_ROWS));
      const dotBytes = blocks[blocks.length - 1] * blockBytes;
      // the kernel packs the source after its dot products; 64: it rounds the bytes of those up to a cache line
      const packedBytes = ranges.numNodes < FAR_ROWS ? source.rows * cols * 4 : 0;
      const dWeights = { rows: 1, cols: matrices.length };
      const run = partOp(
        op,
        [
          { rows: ranges.count, cols },
          { rows: 1, cols: (dotBytes + 64 + packedBytes) / 4, dtype: "index" },
        ],
        (tensors, [dx, dots]) => ({
          phase: "run",
          outputs: [wholeView(dx), { ...dWeights, firstRow: 0 }],
          inputs: tensors.map(wholeView),
          scratch: { tensor: dots, offset: blocks[ranges.rank] * blockBytes },
        }),
      );
      const local = { ...attributes, matrices };
      const [dx, dots] = builder.apply(run, [weights.tensor, x.tensor, source], local);
      const gathered = gatherParts(call, dots, blocks, blockBytes);
      const wholeRows = { rows: ranges.numNodes, cols, firstRow: 0 };
      const finish = partOp(op, [dWeights], (_, [dw]) => ({
        phase: "finish",
        outputs: [wholeRows, wholeView(dw)],
        inputs: [{ ...dWeights, firstRow: 0 }, wholeRows, wholeRows],
        scratch: { tensor: gathered, offset: 0 },
      }));
      const [dw] = builder.apply(finish, [gathered], local);
      return [
        { tensor: dx, rowsPerNode: 1 },
        { tensor: dw, rowsPerNode: 0 },
      ];
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
      const { matrices, source: extended } = call.product([unscaled(matrix)], kept);
      const [dx] = builder.apply(product, [extended], { matrix: matrices[0] });
      return [{ tensor: dx, rowsPerNode: 1 }, dBias];
    },
  };
}
