/** Rules of ops that need no exchange. */

import type { LocalTensor, PartitionCall, PartitionContext, PartitionRule } from "./rule.js";

/** Whether no input is divided. */
export function isWhole({ inputs }: PartitionContext): boolean {
  return inputs.every(({ rowsPerNode }) => rowsPerNode === 0);
}

/** The op itself on the tensors of this rank. */
export function applyLocally<A>(call: PartitionCall<A>, attributes: A = call.attributes): LocalTensor[] {
  const { builder, op, inputs, outputs, ranges } = call;
  const whole = isWhole(call);
  return builder
    .apply(
      op,
      inputs.map(({ tensor }) => tensor),
      attributes,
    )
    .map((tensor, i) => ({ tensor, rowsPerNode: whole ? 0 : outputs[i].rows / ranges.numNodes }));
}

/** Throws unless all inputs are divided alike, except single rows and the inputs numbered in `free`, which are whole. */
export function requireSameRows(call: PartitionContext, free: readonly number[] = []): void {
  const divided = call.inputs.find(({ rowsPerNode }) => rowsPerNode > 0)?.rowsPerNode ?? 0;
  call.inputs.forEach(({ tensor, rowsPerNode }, i) => {
    const isFree = free.includes(i) || (rowsPerNode === 0 && tensor.rows === 1);
    call.require(isFree ? rowsPerNode === 0 : rowsPerNode === divided);
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
      requireSameRows(call, free);
      return applyLocally(call, attributes?.(call));
    },
  };
}

/** All rows of the result are alike: the result is divided if it has a row per node, or several. */
export function filledRows<A extends { readonly rows: number }>(): PartitionRule<A> {
  return {
    lower({ builder, op, inputs, outputs: [output], attributes, ranges, require }) {
      require(inputs.every(({ rowsPerNode }) => rowsPerNode === 0));
      const rowsPerNode = output.rows % ranges.numNodes === 0 ? output.rows / ranges.numNodes : 0;
      const rows = rowsPerNode === 0 ? output.rows : rowsPerNode * ranges.count;
      const tensors = inputs.map(({ tensor }) => tensor);
      return builder.apply(op, tensors, { ...attributes, rows }).map((tensor) => ({ tensor, rowsPerNode }));
    },
  };
}

/** The same entries in another shape: the nodes stay together if the new rows are those of single nodes. */
export function reshapedRows<A extends { readonly rows: number }>(): PartitionRule<A> {
  return {
    lower(call) {
      if (isWhole(call)) return applyLocally(call);
      const { numNodes, count } = call.ranges;
      call.require(call.attributes.rows % numNodes === 0);
      return applyLocally(call, { ...call.attributes, rows: (call.attributes.rows / numNodes) * count });
    },
  };
}
