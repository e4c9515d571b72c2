/** Rules of permutations of rows: every rank fetches the rows that its own rows take. */

import { applyLocally, isWhole } from "./row-rules.js";
import type { LocalTensor, PartitionRule } from "./rule.js";

/** Inputs (X, π, π⁻¹): the op reads rows π(i) of X, and its result has `rowsPerNode` rows per node. */
export function permutedRows<A>(rowsPerNode: number): PartitionRule<A> {
  return {
    lower(call) {
      if (isWhole(call)) return applyLocally(call);
      const [x, forward, inverse] = call.inputs;
      call.require(x.rowsPerNode === 1);
      const { tensor, index } = call.permuted(x, forward, inverse, false);
      return call.builder
        .apply(call.op, [tensor, index, index], call.attributes)
        .map((y): LocalTensor => ({ tensor: y, rowsPerNode }));
    },
  };
}

/** Inputs (G, π⁻¹, π), two rows of G per node: the op reads the rows 2·π⁻¹(j)+1 of G. */
export function permutedPairs<A extends { readonly direct: boolean }>(): PartitionRule<A> {
  return {
    lower(call) {
      if (isWhole(call)) return applyLocally(call);
      const [g, inverse, forward] = call.inputs;
      call.require(g.rowsPerNode === 2);
      const { tensor, index } = call.permuted(g, inverse, forward, true);
      return call.builder
        .apply(call.op, [tensor, index, index], { ...call.attributes, direct: true })
        .map((dx): LocalTensor => ({ tensor: dx, rowsPerNode: 1 }));
    },
  };
}
