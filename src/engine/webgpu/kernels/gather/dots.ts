import { type Call, groupsOf, type Launch, rowWidth, sizeOf, THREADS } from "../../kernel.js";

/** Most threads that share an inner product: eight vector loads are a cache line. Not tuned. */
const MAX_LANES = 8;

/** Threads that share an inner product; a power of two. */
function lanes({ inputs: [x] }: Call): number {
  let count = 1;
  while (count < Math.min(MAX_LANES, x.cols / rowWidth(x))) count *= 2;
  return count;
}

/** The launch of kernels that include dots.wgsl; input 0 is a table, outputs hold products. */
export const dotsLaunch: Launch = {
  includes: ["dots"],
  width: ({ inputs: [x] }) => rowWidth(x),
  constants: (call) => ({ LANES: lanes(call) }),
  phases: (call) => [{ entry: "run", workgroups: groupsOf(sizeOf(call.outputs[0]), THREADS / lanes(call)) }],
};
