/** Rules of ops that need no exchange. */

import type { Tensor } from "../program.js";
import { hostOp } from "./local-ops.js";
import type { BothForms, LocalTensor, PartitionCall, PartitionContext, PartitionRule } from "./rule.js";

/** Whether no input is divided. */
export function isWhole({ inputs }: PartitionContext): boolean {
  return inputs.every(({ rowsPerNode }) => rowsPerNode === 0);
}

/** The op itself on the tensors of this rank. */
export function applyLocally<A>(
  call: PartitionCall<A>,
  attributes: A = call.attributes,
  inputs: readonly LocalTensor[] = call.inputs,
): LocalTensor[] {
  const { builder, op, outputs, ranges } = call;
  const whole = inputs.every(({ rowsPerNode }) => rowsPerNode === 0);
  return builder
    .apply(
      op,
      inputs.map(({ tensor }) => tensor),
      attributes,
    )
    .map((tensor, i) => ({ tensor, rowsPerNode: whole ? 0 : outputs[i].rows / ranges.numNodes }));
}

/**
 * The inputs of an op that works row by row, divided alike or all whole. Single rows and the inputs numbered in `free` are whole.
 * A tensor that the op changes stays as it is; otherwise a divided tensor decides, unless it costs nothing to make it whole.
 */
export function alignedRows<A>(call: PartitionCall<A>, free: readonly number[] = []): readonly LocalTensor[] {
  const { inputs, op } = call;
  const isFree = (i: number) => free.includes(i) || (inputs[i].rowsPerNode === 0 && inputs[i].tensor.rows === 1);
  const byRows = inputs.filter((_, i) => !isFree(i));
  const isWhole = ({ rowsPerNode }: LocalTensor) => rowsPerNode === 0;
  const fixed =
    op.mutates === undefined ? byRows.filter(({ tensors }) => tensors === undefined) : [inputs[op.mutates[0]]];
  const decisive = fixed.find((input) => !isWhole(input)) ?? fixed[0] ?? byRows.find((input) => !isWhole(input));
  const rowsPerNode = decisive?.rowsPerNode ?? 0;
  return inputs.map((input, i) => {
    if (rowsPerNode === 0 || isFree(i)) return isWhole(input) ? input : { tensor: call.whole(input), rowsPerNode: 0 };
    return input.rowsPerNode === rowsPerNode ? input : { tensor: call.own(input, rowsPerNode), rowsPerNode };
  });
}

/**
 * Row i of every result depends on row i of the inputs, on inputs with a single row, and on the inputs numbered in `free`.
 * `attributes` changes the attributes for one rank.
 */
export function rowLocal<A>({
  free = [],
  attributes,
}: {
  readonly free?: readonly number[];
  readonly attributes?: (call: PartitionCall<A>) => A;
} = {}): PartitionRule<A> {
  return {
    lower(call) {
      if (isWhole(call)) return applyLocally(call);
      const inputs = alignedRows(call, free);
      const isDivided = inputs.some(({ rowsPerNode }) => rowsPerNode > 0);
      return applyLocally(call, isDivided ? attributes?.({ ...call, inputs }) : undefined, inputs);
    },
  };
}

/** All rows of the result are alike: the result is divided if it has a row per node, or several. */
export function filledRows<A extends { readonly rows: number }>(): PartitionRule<A> {
  return {
    lower(call) {
      const {
        builder,
        op,
        inputs,
        outputs: [output],
        attributes,
        ranges,
      } = call;
      const fill = (rows: number) =>
        builder.apply(
          op,
          inputs.map((input) => call.whole(input)),
          { ...attributes, rows },
        )[0];
      const rowsPerNode = output.rows % ranges.numNodes === 0 ? output.rows / ranges.numNodes : 0;
      if (rowsPerNode === 0) return [{ tensor: fill(output.rows), rowsPerNode }];
      const { rows } = output;
      return [
        twoForms(rowsPerNode, { rows, cols: output.cols, whole: () => fill(rows), own: (k) => fill(k * ranges.count) }),
      ];
    },
  };
}

/** A tensor with both forms, each made once; `rowsPerNode` says which form it has unless a rule asks for the other one. */
export function twoForms(rowsPerNode: number, tensors: BothForms): LocalTensor {
  const made: { whole?: Tensor; own?: Tensor } = {};
  const both: BothForms = {
    rows: tensors.rows,
    cols: tensors.cols,
    whole() {
      made.whole ??= tensors.whole();
      return made.whole;
    },
    own(k) {
      made.own ??= tensors.own(k);
      return made.own;
    },
  };
  return {
    rowsPerNode,
    tensors: both,
    get tensor() {
      return rowsPerNode === 0 ? both.whole() : both.own(rowsPerNode);
    },
  };
}

/** The same entries in another shape: the nodes stay together if the new rows are those of single nodes. */
export function reshapedRows<A extends { readonly rows: number }>(): PartitionRule<A> {
  return {
    lower(call) {
      if (isWhole(call)) return applyLocally(call);
      const { numNodes, count } = call.ranges;
      const { rows } = call.attributes;
      if (rows % numNodes !== 0) {
        const [tensor] = call.builder.apply(call.op, [call.whole(call.inputs[0])], call.attributes);
        return [{ tensor, rowsPerNode: 0 }];
      }
      return applyLocally(call, { ...call.attributes, rows: (rows / numNodes) * count });
    },
  };
}

/** The rows of input 0 lie in blocks, whose first rows are input 2; input 1 is whole. */
export function rowsInBlocks<A>(): PartitionRule<A> {
  return {
    lower(call) {
      const { builder, op, inputs, attributes, ranges } = call;
      const [x, w, start] = inputs;
      const { rowsPerNode } = x;
      const firstRows = call.whole(start);
      const tensors = [x.tensor, call.whole(w), firstRows];
      if (rowsPerNode === 0) return [{ tensor: builder.apply(op, tensors, attributes)[0], rowsPerNode }];
      const first = rowsPerNode * ranges.begin;
      const count = rowsPerNode * ranges.count;
      const localStart = hostOp("ownBlocks", [firstRows], ([whole], [own]) => {
        for (let g = 0; g < whole.length; g++) own[g] = Math.min(Math.max(whole[g] - first, 0), count);
      });
      const [ownRows] = builder.apply(localStart, [firstRows], null);
      return [{ tensor: builder.apply(op, [x.tensor, tensors[1], ownRows], attributes)[0], rowsPerNode }];
    },
  };
}

/** The op needs whole tensors: rows of other ranks are gathered. For ops that read rows of a batch, not tables of nodes. */
export function wholeRows<A>(): PartitionRule<A> {
  return {
    lower(call) {
      const inputs = call.inputs.map((input) => ({ tensor: call.whole(input), rowsPerNode: 0 }));
      return applyLocally(call, call.attributes, inputs);
    },
  };
}
