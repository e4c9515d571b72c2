/** Rules of weighted sums of sparse products, and of their gradients. */

import { concatColumnsOp, sliceColumns } from "../../ops/columns.js";
import type { Tensor } from "../../program.js";
import { FAR_ROWS, type SparseOperator } from "../../sparse.js";
import { partOp } from "../local-ops.js";
import { gatherParts } from "../reduce-rule.js";
import { applyLocally, isWhole } from "../row-rules.js";
import type { PartitionCall, PartitionRule } from "../rule.js";
import { bySlices, joinColumns, TILE } from "./column-slices.js";
import { isByRows, requireSource, wholeView } from "./sparse-rules.js";

/** Rows of a block in the kernels of sparse products (../../wasm/assembly/sparse.ts). */
const BLOCK_ROWS = 64;

/** Y = Σ_d w_d·M_d·X, inputs (w, X). */
export function sparseSum<A extends { readonly matrices: readonly SparseOperator[] }>(): PartitionRule<A> {
  return {
    lower(call) {
      const { inputs, attributes, builder, op } = call;
      const [weights, x] = inputs;
      if (isWhole(call) && !isByRows(call, attributes.matrices[0])) return applyLocally(call);
      for (const matrix of attributes.matrices) requireSource(call, matrix, x);
      call.require(weights.rowsPerNode === 0 && isByRows(call, attributes.matrices[0]));
      const { matrices, slices } = call.product(attributes.matrices, x);
      const local = { ...attributes, matrices };
      return bySlices(builder, slices, (source) => builder.apply(op, [weights.tensor, source], local)).map(
        (tensor) => ({ tensor, rowsPerNode: 1 }),
      );
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
      const { matrices, slices } = call.product(attributes.matrices, g);
      const local = { ...attributes, matrices };
      const { cols } = x.tensor;
      const blocks = ranges.first.map((node) => Math.ceil(node / BLOCK_ROWS));
      const numOwnBlocks = blocks[ranges.rank + 1] - blocks[ranges.rank];
      const dWeights = { rows: 1, cols: matrices.length };
      const parts = slices.map(({ source, first, cols: width }): [Tensor, Tensor] => {
        const own = sliceColumns(x.tensor, first, width);
        const extended = source();
        // the kernel packs the source after its dot products; 64: it rounds the bytes of those up to a cache line
        const packedBytes = ranges.numNodes < FAR_ROWS ? extended.rows * width * 4 : 0;
        const dotBytes = numOwnBlocks * dotBytesOf(width, matrices);
        const run = partOp(
          op,
          [
            { rows: ranges.count, cols: width },
            { rows: 1, cols: (dotBytes + 64 + packedBytes) / 4, dtype: "index" },
          ],
          (tensors, [dx, dots]) => ({
            phase: "run",
            outputs: [wholeView(dx), { ...dWeights, firstRow: 0 }],
            inputs: tensors.map(wholeView),
            scratch: { tensor: dots, offset: 0 },
          }),
        );
        const [dx, dots] = builder.apply(run, [weights.tensor, own, extended], local);
        return [dx, dots];
      });
      const dx = joinColumns(
        builder,
        parts.map(([part]) => part),
      );
      const gathered = gatherDots(
        call,
        parts.map(([, dots]) => dots),
        slices.map(({ cols: width }) => dotBytesOf(width, matrices)),
        blocks,
      );
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

/** Bytes of the partial dot products of a block of rows with `cols` columns. */
function dotBytesOf(cols: number, matrices: readonly SparseOperator[]): number {
  return Math.ceil(cols / TILE) * matrices.length * 8;
}

/** Partial dot products of all blocks, in the kernel's order: by block, tile and matrix. `parts` are those of the slices of this rank. */
function gatherDots<A>(
  call: PartitionCall<A>,
  parts: readonly Tensor[],
  partBytes: readonly number[],
  blocks: readonly number[],
): Tensor {
  const { rank } = call.ranges;
  const bytes = partBytes.reduce((sum, part) => sum + part);
  const rows = blocks[rank + 1] - blocks[rank];
  const join = partOp(
    concatColumnsOp,
    [{ rows: blocks[blocks.length - 1], cols: bytes / 4, dtype: "index" }],
    (inputs, [all]) => ({
      phase: "run",
      outputs: [{ tensor: all, rows, cols: bytes / 4, firstRow: -blocks[rank] }],
      inputs: inputs.map((tensor, i) => ({ tensor, rows, cols: partBytes[i] / 4, firstRow: 0 })),
    }),
  );
  const [joined] = call.builder.apply(join, parts, { count: parts.length });
  return gatherParts(call, joined, blocks, bytes);
}
