/** Tables of a program that the host reads: one copy in the memory of each machine. */

import { ALONE } from "../core/sharing.js";
import type { Executable } from "../engine/engine.js";
import type { Tensor } from "../engine/program.js";
import { leadingColumns } from "../numeric/columns.js";
import type { Rows } from "../numeric/rows.js";
import type { PrecomputeTools } from "./model.js";

/** The first `count` columns of a tensor with a row per node. All processes call it together. */
export function sharedColumns(
  executable: Executable,
  tensor: Tensor,
  count: number,
  { sharing = ALONE }: PrecomputeTools,
): Promise<Rows<Float32Array>> {
  const data = executable.read(tensor);
  return sharing.once(() => leadingColumns({ data, width: tensor.cols }, count));
}
