import { type Call, groupsOf, type Launch, rowWidth, THREADS } from "../../kernel.js";

/** Terms that one team adds; longer groups are cut into chunks of so many. Not tuned. */
const CHUNK = 64;
/** Numbers of threads of a team; powers of two. Not tuned; only three, so that few shaders are compiled. */
const LANES = [4, 16, 32] as const;

function lanes({ outputs: [y] }: Call): number {
  return LANES.find((count) => count >= y.cols / rowWidth(y)) ?? LANES[2];
}

/** The launch of kernels that include grouped.wgsl; `terms`: number of terms of all groups. */
export function groupedLaunch(terms: (call: Call) => number): Launch {
  // no group is longer than all groups together
  const chunks = (call: Call) => (terms(call) <= CHUNK ? 0 : groupsOf(terms(call), CHUNK));
  return {
    includes: ["grouped"],
    width: ({ outputs: [y] }) => rowWidth(y),
    constants: (call) => ({ LANES: lanes(call), CHUNK }),
    scratch: (call) => ({ floats: 2 * chunks(call) * call.outputs[0].cols }),
    phases: (call) => {
      const teams = THREADS / lanes(call);
      const rowBlocks = groupsOf(call.outputs[0].rows, teams);
      return [
        { entry: "run", workgroups: rowBlocks + groupsOf(chunks(call), teams) },
        { entry: "finish", workgroups: chunks(call) },
      ];
    },
  };
}
