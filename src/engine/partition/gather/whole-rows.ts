/** Makes a divided tensor whole, or takes the own rows of a whole one. */

import type { ProgramBuilder, Tensor } from "../../program.js";
import type { Ranks } from "../../ranks.js";
import { hostOp } from "../local-ops.js";
import type { RowRanges } from "../row-ranges.js";
import type { LocalTensor } from "../rule.js";

/** Words of a row: entries of a mask are bits. */
function rowWords({ cols, dtype }: Tensor): number {
  return dtype === "mask" ? cols / 32 : cols;
}

/** All rows of a divided tensor, on every rank. */
export function gatherWhole(builder: ProgramBuilder, ranks: Ranks, ranges: RowRanges, input: LocalTensor): Tensor {
  const { tensor, rowsPerNode } = input;
  const { cols, dtype } = tensor;
  const words = rowsPerNode * rowWords(tensor);
  const first = ranges.first.map((node) => Math.ceil(node * words));
  const counts = first.slice(1).map((end, r) => 4 * (end - first[r]));
  const displacements = first.slice(0, -1).map((word) => 4 * word);
  const spec = { rows: rowsPerNode * ranges.numNodes, cols, dtype };
  const gather = hostOp("gatherRowsOfRanks", [spec], ([own], [whole]) => {
    whole.set(own.subarray(0, first[ranks.rank + 1] - first[ranks.rank]), first[ranks.rank]);
    ranks.allGather(new Uint8Array(whole.buffer, whole.byteOffset, whole.byteLength), counts, displacements);
  });
  return builder.apply(gather, [tensor], null)[0];
}

/** The rows of this rank of a whole tensor. */
export function takeOwnRows(builder: ProgramBuilder, ranges: RowRanges, tensor: Tensor, rowsPerNode: number): Tensor {
  const { cols, dtype } = tensor;
  const words = rowsPerNode * rowWords(tensor);
  const first = Math.ceil(ranges.begin * words);
  const end = Math.ceil(ranges.end * words);
  const take = hostOp("takeOwnRows", [{ rows: rowsPerNode * ranges.count, cols, dtype }], ([whole], [own]) => {
    own.set(whole.subarray(first, end));
  });
  return builder.apply(take, [tensor], null)[0];
}
