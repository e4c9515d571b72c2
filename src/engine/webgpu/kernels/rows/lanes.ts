/** Launches of kernels in which neighbouring threads share a row, or add numbers by a tree (included/lanes.wgsl). */

import type { Tensor } from "../../../program.js";
import { type Call, groupsOf, type Launch, rowWidth, sizeOf, THREADS } from "../../kernel.js";

/** Largest number of threads of a row: two warps; not tuned. */
const MAX_LANES = 64;

/** Threads that share a row: a power of two, at most one for each value of the row. */
export function lanesOf({ cols }: Tensor, width: 1 | 4): number {
  let lanes = 1;
  while (lanes < MAX_LANES && lanes * width < cols) lanes *= 2;
  return lanes;
}

interface ByRows {
  readonly width?: 1 | 4;
  readonly includes?: readonly string[];
}

/** A launch with LANES threads for each row of input 0. Kernels that store one float for each row have width 1. */
export function lanesPerRow({ width, includes = [] }: ByRows = {}): Launch {
  const widthOf = ({ inputs: [x] }: Call) => width ?? rowWidth(x);
  const lanes = (call: Call) => lanesOf(call.inputs[0], widthOf(call));
  return {
    includes: ["lanes", "laneRow", ...includes],
    width: widthOf,
    constants: (call) => ({ LANES: lanes(call) }),
    phases: (call) => [{ entry: "run", workgroups: groupsOf(call.inputs[0].rows, THREADS / lanes(call)) }],
  };
}

/** Items of a block: a power of two, at least `min`, so that there are at most `MAX_BLOCKS`. */
export function blockSize(count: number, min: number): number {
  let size = min;
  while (size * MAX_BLOCKS < count) size *= 2;
  return size;
}

/** Largest number of blocks: `finish` adds them in one workgroup, each thread at most four; not tuned. */
const MAX_BLOCKS = 1024;
/** Entries of a block of a small tensor: four values for each thread; not tuned. */
const MIN_ENTRIES = 4096;

/** A launch of a sum over the entries of input 0: `run` adds blocks of ENTRIES entries, `finish` adds the sums of the blocks. */
export function sumOfEntries(includes: readonly string[] = []): Launch {
  const entries = ({ inputs: [x] }: Call) => blockSize(sizeOf(x), MIN_ENTRIES);
  const blocks = (call: Call) => groupsOf(sizeOf(call.inputs[0]), entries(call));
  return {
    includes: ["lanes", "blockSum", "entrySum", ...includes],
    constants: (call) => ({ ENTRIES: entries(call) }),
    scratch: (call) => ({ floats: 4 * blocks(call) }),
    phases: (call) => [
      { entry: "run", workgroups: blocks(call) },
      { entry: "finish", workgroups: 1 },
    ],
  };
}
