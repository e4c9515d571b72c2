import { type Call, groupsOf, type Launch, rowWidth, sizeOf, THREADS } from "../../kernel.js";

/** Threads that share an inner product: eight vector loads are a cache line. Not tuned; two choices, so that few shaders are compiled. */
function lanes({ inputs: [x] }: Call): number {
  return x.cols / rowWidth(x) <= 2 ? 2 : 8;
}

/** The launch of kernels that include dots.wgsl; input 0 is a table, outputs hold products. */
export const dotsLaunch: Launch = {
  includes: ["dots"],
  width: ({ inputs: [x] }) => rowWidth(x),
  constants: (call) => ({ LANES: lanes(call) }),
  phases: (call) => [{ entry: "run", workgroups: groupsOf(sizeOf(call.outputs[0]), THREADS / lanes(call)) }],
};
