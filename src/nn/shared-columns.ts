/** Tables of a program that the host reads: one copy in the memory of each machine. */

import { ALONE } from "../core/sharing.js";
import type { Executable } from "../engine/engine.js";
import type { Tensor } from "../engine/program.js";
import { leadingColumns } from "../numeric/columns.js";
import type { Rows } from "../numeric/rows.js";
import type { PrecomputeTools } from "./model.js";

/** The first `count` columns of a tensor with a row per node. All processes call it together. */
export async function sharedColumns(
  executable: Executable,
  tensor: Tensor,
  count: number,
  { sharing = ALONE }: PrecomputeTools,
): Promise<Rows<Float32Array>> {
  const { rows, cols } = tensor;
  // `read` would copy the whole table to every rank
  const own = sharing.size > 1 ? await executable.readOwn?.(tensor) : undefined;
  if (own === undefined) {
    const data = await executable.read(tensor);
    return sharing.once(() => leadingColumns({ data, width: cols }, count));
  }
  // the rows of this rank are those of the engine, not the range that the processes agree on here
  const parts = await sharing.byRows(rows, () => ({
    firstRow: own.firstRow,
    ...leadingColumns({ data: own.data, width: cols }, count),
  }));
  return sharing.once(() => {
    const width = Math.min(count, cols);
    const data = new Float32Array(rows * width);
    for (const part of parts) data.set(part.data, part.firstRow * width);
    return { data, width };
  });
}
