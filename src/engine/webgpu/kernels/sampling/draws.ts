import { groupsOf, type Launch, oneThreadEach, sizeOf } from "../../kernel.js";

/** The launch of kernels in which one thread computes so many draws of output 0. */
export function drawsLaunch(perThread: number, ...includes: readonly string[]): Launch {
  return {
    includes: ["philox", ...includes],
    width: () => 1,
    phases: ({ outputs: [drawn] }) => oneThreadEach(groupsOf(sizeOf(drawn), perThread)),
  };
}
