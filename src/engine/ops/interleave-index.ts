/**
 * Row numbers of a table with `count` rows per index, one per group: Y[b, f] = index_bf·count + group_b; MISSING where the index
 * or the group is.
 */

import { defineOp, requireShape, type Tensor } from "../program.js";
import { MISSING } from "./missing.js";

interface Attributes {
  readonly count: number;
}

export const interleaveIndexOp = defineOp<Attributes>({
  name: "interleaveIndex",
  outputs([index, group]) {
    requireShape(group.cols === 1 && group.rows === index.rows, "interleaveIndex", [index, group]);
    return [{ rows: index.rows, cols: index.cols, dtype: "index" }];
  },
  reference([index, group], [y], { count }) {
    for (let e = 0; e < y.data.length; e++) {
      const groupOfRow = group.data[Math.floor(e / index.cols)];
      y.data[e] = groupOfRow === MISSING || index.data[e] === MISSING ? MISSING : index.data[e] * count + groupOfRow;
    }
  },
  gradient: "an index has none",
  encode: ({ count }) => [{ int: count }],
});

/** index [m, f], group [m, 1] with groups below `count` → [m, f]. */
export function interleaveIndex(index: Tensor, group: Tensor, count: number): Tensor {
  return index.builder.apply(interleaveIndexOp, [index, group], { count })[0];
}
