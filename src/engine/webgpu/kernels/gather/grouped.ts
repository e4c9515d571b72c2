import { type Call, groupsOf, type Launch, rowWidth, THREADS } from "../../kernel.js";

/**
 * Terms that one team adds; longer groups are cut into chunks of so many. Many terms keep the card busy with longer chunks, which take
 * less scratch space. Not tuned.
 */
function chunkTerms(terms: number): number {
  return terms <= 2 ** 18 ? 64 : 256;
}

/** Numbers of threads of a team; powers of two. Not tuned; only three, so that few shaders are compiled. */
const LANES = [4, 16, 32] as const;

function lanes({ outputs: [y] }: Call): number {
  return LANES.find((count) => count >= y.cols / rowWidth(y)) ?? LANES[2];
}

/** The launch of kernels that include grouped.wgsl; `terms`: number of terms of all groups. */
export function groupedLaunch(terms: (call: Call) => number): Launch {
  // no group is longer than all groups together
  const chunks = (call: Call) => {
    const count = terms(call);
    return count <= chunkTerms(count) ? 0 : groupsOf(count, chunkTerms(count));
  };
  return {
    includes: ["grouped"],
    width: ({ outputs: [y] }) => rowWidth(y),
    constants: (call) => ({ LANES: lanes(call), CHUNK: chunkTerms(terms(call)) }),
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
