import { type Call, CHUNK_VALUES, groupsOf, type Launch, rowWidth, sizeOf } from "../../kernel.js";
import { TILE } from "./matmul.js";

/** Rows of a chunk of a short axis: 94 workgroups for the 6,000 rows of a small graph; not tuned. */
const MIN_ROWS = 64;
/** Workgroups from which on more chunks bring nothing. */
const MAX_GROUPS = 512;

function tiles({ outputs: [c] }: Call): number {
  return groupsOf(c.rows, TILE) * groupsOf(c.cols, TILE);
}

/** Rows of a chunk: a power of two. */
function chunkRows(call: Call): number {
  let rows = MIN_ROWS;
  while (groupsOf(call.inputs[0].rows, rows) * tiles(call) > MAX_GROUPS) rows *= 2;
  return rows;
}

function numChunks(call: Call): number {
  return groupsOf(call.inputs[0].rows, chunkRows(call));
}

export const launch: Launch = {
  includes: ["tile", "chunkSums"],
  width: ({ inputs: [a, b], outputs: [c] }) => rowWidth(a, b, c),
  constants: (call) => ({ CHUNK: chunkRows(call) }),
  scratch: (call) => ({ floats: numChunks(call) * sizeOf(call.outputs[0]) }),
  phases: (call) => {
    const [c] = call.outputs;
    return [
      { entry: "run", workgroups: numChunks(call) * tiles(call) },
      // a single chunk is the result
      {
        entry: "finish",
        workgroups: numChunks(call) === 1 ? 0 : groupsOf(sizeOf(c), CHUNK_VALUES * rowWidth(...call.inputs, c)),
      },
    ];
  },
};
