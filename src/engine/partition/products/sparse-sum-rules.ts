/** Rules of weighted sums of sparse products, and of their gradients. */

import { concatColumnsOp, sliceColumns } from "../../ops/columns.js";
import type { KernelArgument, KernelPart, OutputSpec, Tensor } from "../../program.js";
import { FAR_ROWS, type SparseOperator } from "../../sparse.js";
import { type Kernel, partOp } from "../local-ops.js";
import { gatherParts } from "../reduce-rule.js";
import { applyLocally, isWhole } from "../row-rules.js";
import type { LocalProduct, PartitionContext, PartitionRule } from "../rule.js";
import { bySlices, joinColumns, TILE } from "./column-slices.js";
import { isByRows, requireSource, wholeView } from "./sparse-rules.js";

/** Rows of a block in the kernels of sparse products (../../wasm/assembly/sparse.ts). */
const BLOCK_ROWS = 64;

/** One of several matrices, for kernels that add its product to the sum over the matrices before it. */
interface AddedMatrix {
  readonly matrix: SparseOperator;
  readonly number: number;
}

const encode = ({ matrix, number }: AddedMatrix): KernelArgument[] => [{ sparse: matrix }, { int: number }];
/** Y = Y_0 + w_d·M_d·X, inputs (w, X, Y_0); without Y_0 for the first matrix. */
const spmmAdd: Kernel<AddedMatrix> = { name: "spmmAdd", encode };
/** dX = dX_0 + w_d·Q with Q = M_d·G, inputs (w, X, G, dX_0), and partial sums of ⟨Q, X⟩ in the scratch space. */
const spmmAddDots: Kernel<AddedMatrix> = { name: "spmmAddDots", encode };

/** Y = Σ_d w_d·M_d·X, inputs (w, X). */
export function sparseSum<A extends { readonly matrices: readonly SparseOperator[] }>(): PartitionRule<A> {
  return {
    lower(call) {
      const { inputs, attributes, builder, op } = call;
      const [weights, x] = inputs;
      if (isWhole(call) && !isByRows(call, attributes.matrices[0])) return applyLocally(call);
      for (const matrix of attributes.matrices) requireSource(call, matrix, x);
      call.require(weights.rowsPerNode === 0 && isByRows(call, attributes.matrices[0]));
      const products = call.productsOfSum(attributes.matrices, x);
      const [{ matrices, slices }] = products;
      const y =
        products.length > 1
          ? sumOneByOne(call, products, weights.tensor)
          : bySlices(builder, slices, (source) =>
              builder.apply(op, [weights.tensor, source], { ...attributes, matrices }),
            )[0];
      return [{ tensor: y, rowsPerNode: 1 }];
    },
  };
}

/** Slice by slice, one matrix after the other. */
function sumOneByOne({ builder }: PartitionContext, products: readonly LocalProduct[], weights: Tensor): Tensor {
  const parts = products[0].slices.map(({ cols }, s) => {
    let sum: Tensor[] = [];
    products.forEach(({ matrices: [matrix], slices }, number) => {
      const add = partOp(spmmAdd, [{ rows: matrix.numRows, cols }], runWhole, 2);
      sum = builder.apply(add, [weights, slices[s].source(), ...sum], { matrix, number });
    });
    return sum[0];
  });
  return joinColumns(builder, parts);
}

const runWhole = (inputs: readonly Tensor[], outputs: readonly Tensor[]): KernelPart => ({
  phase: "run",
  outputs: outputs.map(wholeView),
  inputs: inputs.map(wholeView),
});

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
      const products = call.productsOfSum(attributes.matrices, g);
      const local = { ...attributes, matrices: products.flatMap(({ matrices }) => matrices) };
      const dWeights = { rows: 1, cols: local.matrices.length };
      const dots: Dots[] = [];
      const parts = products[0].slices.map(({ first, cols }, s) => {
        const own = sliceColumns(x.tensor, first, cols);
        if (products.length === 1) {
          const source = products[0].slices[s].source();
          const made = dotsOf(call, source, local.matrices);
          const run = partOp(op, [own, made.spec], (tensors, [y, scratch]) => ({
            phase: "run",
            outputs: [wholeView(y), { ...dWeights, firstRow: 0 }],
            inputs: tensors.map(wholeView),
            scratch: { tensor: scratch, offset: 0 },
          }));
          const [y, tensor] = builder.apply(run, [weights.tensor, own, source], local);
          dots.push({ ...made, tensor });
          return y;
        }
        let sum: Tensor[] = [];
        products.forEach(({ matrices: [matrix], slices }, number) => {
          const source = slices[s].source();
          const made = dotsOf(call, source, [matrix]);
          const run = partOp(
            spmmAddDots,
            [own, made.spec],
            (tensors, [y, scratch]) => ({
              ...runWhole(tensors, [y]),
              scratch: { tensor: scratch, offset: 0 },
            }),
            3,
          );
          const [y, tensor] = builder.apply(run, [weights.tensor, own, source, ...sum], { matrix, number });
          dots.push({ ...made, tensor });
          sum = [y];
        });
        return sum[0];
      });
      const dx = joinColumns(builder, parts);
      const gathered = gatherDots(call, dots);
      const wholeRows = { rows: ranges.numNodes, cols: x.tensor.cols, firstRow: 0 };
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

/** Partial dot products of the own blocks of rows, at the beginning of a tensor. */
interface Dots {
  readonly tensor: Tensor;
  /** Bytes for each block. */
  readonly bytes: number;
}

/** First block of rows of each rank; at last the number of blocks. */
function firstBlocks({ ranges }: PartitionContext): number[] {
  return ranges.first.map((node) => Math.ceil(node / BLOCK_ROWS));
}

/** Bytes of the dot products of a block, one for each tile and matrix, and the scratch space in which the kernel puts them. */
function dotsOf(
  call: PartitionContext,
  source: Tensor,
  matrices: readonly SparseOperator[],
): { readonly bytes: number; readonly spec: OutputSpec } {
  const { ranges } = call;
  const blocks = firstBlocks(call);
  const bytes = Math.ceil(source.cols / TILE) * matrices.length * 8;
  // the kernel packs the source after its dot products; 64: it rounds the bytes of those up to a cache line
  const packedBytes = ranges.numNodes < FAR_ROWS ? source.rows * source.cols * 4 : 0;
  const total = (blocks[ranges.rank + 1] - blocks[ranges.rank]) * bytes + 64 + packedBytes;
  return { bytes, spec: { rows: 1, cols: total / 4, dtype: "index" } };
}

/** Partial dot products of all blocks, in the kernel's order: by block, tile and matrix. */
function gatherDots(call: PartitionContext, parts: readonly Dots[]): Tensor {
  const { rank } = call.ranges;
  const blocks = firstBlocks(call);
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  const rows = blocks[rank + 1] - blocks[rank];
  const join = partOp(
    concatColumnsOp,
    [{ rows: blocks[blocks.length - 1], cols: bytes / 4, dtype: "index" }],
    (inputs, [all]) => ({
      phase: "run",
      outputs: [{ tensor: all, rows, cols: bytes / 4, firstRow: -blocks[rank] }],
      inputs: inputs.map((tensor, i) => ({ tensor, rows, cols: parts[i].bytes / 4, firstRow: 0 })),
    }),
  );
  const tensors = parts.map(({ tensor }) => tensor);
  const [joined] = call.builder.apply(join, tensors, { count: parts.length });
  return gatherParts(call, joined, blocks, bytes);
}
