/**
 * Rules of sums over rows. The rows are cut into fixed chunks, and every chunk belongs to one rank. A rank runs the kernel for its
 * chunks, which sees the numbers of the whole program: whole shapes, and addresses moved back by the rows before its own. Then the
 * partial sums of all ranks are gathered, and the kernel's `finish` adds them in order, as it does for one rank.
 */

import type { KernelTensor, Op, Tensor } from "../program.js";
import { hostAlias, partOp } from "./local-ops.js";
import { alignedRows, applyLocally, isWhole } from "./row-rules.js";
import type { LocalTensor, PartitionContext, PartitionRule, Shape } from "./rule.js";

/** A kernel that sums over rows, and its tensors. */
export interface Reduction<A> {
  readonly op: Op<A>;
  readonly attributes: A;
  readonly inputs: readonly LocalTensor[];
  /** Whole shapes of the outputs; those divided by rows come first. */
  readonly outputs: readonly (Shape & { readonly rowsPerNode: number })[];
  /** Rows of the first input in a chunk. */
  readonly chunkRows: number;
  /** Bytes of the partial sum of a chunk. */
  readonly partBytes: number;
}

type Context = Pick<PartitionContext, "builder" | "ranges" | "ranks" | "wholeRows">;

/** Appends a reduction over divided rows; returns its outputs. */
export function reduceRows<A>(context: Context, reduction: Reduction<A>): LocalTensor[] {
  const { builder, ranges, wholeRows } = context;
  const { op, attributes, inputs, outputs, chunkRows, partBytes } = reduction;
  const { rowsPerNode } = inputs[0];
  const count = Math.ceil(wholeRows(inputs[0]) / chunkRows);
  const chunks = ranges.first.map((node) => Math.ceil((node * rowsPerNode) / chunkRows));
  const divided = outputs.filter((output) => output.rowsPerNode > 0);

  /** A tensor with the row numbers of the whole program. */
  const view = (shape: Shape & { readonly rowsPerNode: number }, tensor?: Tensor): KernelTensor => ({
    tensor,
    rows: shape.rowsPerNode === 0 ? shape.rows : shape.rowsPerNode * ranges.numNodes,
    cols: shape.cols,
    firstRow: shape.rowsPerNode * ranges.begin,
  });
  const inputShapes = inputs.map(({ tensor, rowsPerNode: k }) => ({
    rows: tensor.rows,
    cols: tensor.cols,
    rowsPerNode: k,
  }));

  const run = partOp(
    op,
    [
      ...divided.map((output) => ({ rows: output.rowsPerNode * ranges.count, cols: output.cols })),
      { rows: count, cols: partBytes / 4, dtype: "index" as const },
    ],
    (ins, outs) => ({
      phase: "run",
      outputs: outputs.map((output, i) => view(output, i < divided.length ? outs[i] : undefined)),
      inputs: ins.map((tensor, i) => view(inputShapes[i], tensor)),
      scratch: { tensor: outs[divided.length], offset: 0 },
      chunks: { first: chunks[ranges.rank], end: chunks[ranges.rank + 1], count },
    }),
    divided.length > 0 ? op.inPlace : undefined,
  );
  const results = builder.apply(
    run,
    inputs.map(({ tensor }) => tensor),
    attributes,
  );
  const parts = gatherParts(context, results[divided.length], chunks, partBytes);
  const finish = partOp(op, outputs.slice(divided.length), (_, outs) => ({
    phase: "finish",
    outputs: outputs.map((output, i) => view(output, i < divided.length ? undefined : outs[i - divided.length])),
    inputs: inputShapes.map((shape) => view(shape)),
    scratch: { tensor: parts, offset: 0 },
  }));
  const sums = builder.apply(finish, [parts], attributes);
  return [
    ...divided.map((output, i) => ({ tensor: results[i], rowsPerNode: output.rowsPerNode })),
    ...sums.map((tensor) => ({ tensor, rowsPerNode: 0 })),
  ];
}

/** All partial sums: rank r has computed those of the chunks chunks[r] … chunks[r + 1] − 1. */
export function gatherParts(
  { builder, ranks }: Pick<Context, "builder" | "ranks">,
  parts: Tensor,
  chunks: readonly number[],
  partBytes: number,
): Tensor {
  const counts = chunks.slice(1).map((end, r) => (end - chunks[r]) * partBytes);
  const displacements = chunks.slice(0, -1).map((first) => first * partBytes);
  const gather = hostAlias("gatherParts", parts, (_, [words]) => {
    ranks.allGather(new Uint8Array(words.buffer, words.byteOffset, words.byteLength), counts, displacements);
  });
  return builder.apply(gather, [parts], null)[0];
}

/** The rule of an op that sums over the rows of its inputs. */
export function sumOverRows<A>({
  chunkRows,
  partBytes,
}: {
  readonly chunkRows: (inputs: readonly Shape[], outputs: readonly Shape[]) => number;
  readonly partBytes: (inputs: readonly Shape[], outputs: readonly Shape[]) => number;
}): PartitionRule<A> {
  return {
    chunkRows,
    lower(call) {
      if (isWhole(call)) return applyLocally(call);
      const { op, attributes, outputs } = call;
      const inputs = alignedRows(call);
      if (inputs.every(({ rowsPerNode }) => rowsPerNode === 0)) return applyLocally(call, attributes, inputs);
      const shapes = inputs.map((input) => ({ rows: call.wholeRows(input), cols: input.tensor.cols }));
      return reduceRows(call, {
        op,
        attributes,
        inputs,
        outputs: outputs.map(({ rows, cols }) => ({ rows, cols, rowsPerNode: 0 })),
        chunkRows: chunkRows(shapes, outputs),
        partBytes: partBytes(shapes, outputs),
      });
    },
  };
}
