import { type Call, groupsOf, type Launch, rowWidth, sizeOf, THREADS } from "../../kernel.js";

/** Rows of a piece of a short tensor. Not tuned. */
const MIN_ROWS = 32;
/** From so many pieces on they get longer: one thread adds those of a block. Not tuned. */
const MAX_PIECES = 1024;
/** Largest number of floats of the scratch space, unless the gradients themselves have more: 16 MiB. Not tuned. */
const MAX_SCRATCH = 2 ** 22;

/** Rows of a piece: a power of two. */
function pieceRows({ inputs: [x, g] }: Call): number {
  let rows = MIN_ROWS;
  while (x.rows / rows > MAX_PIECES || (x.rows / rows) * x.cols * g.cols > MAX_SCRATCH) {
    if (rows >= x.rows) break;
    rows *= 2;
  }
  return rows;
}

/** At most one piece more per block than full pieces. */
function pieces(call: Call): number {
  const [x, , start] = call.inputs;
  return Math.floor(x.rows / pieceRows(call)) + start.rows - 1;
}

function width({ outputs: [dw] }: Call): 1 | 4 {
  return rowWidth(dw);
}

export const launch: Launch = {
  width,
  constants: (call) => ({ ROWS: pieceRows(call) }),
  scratch: (call) => ({ floats: pieces(call) * call.inputs[0].cols * call.inputs[1].cols }),
  phases: (call) => {
    const [x, g] = call.inputs;
    const tiles = groupsOf(groupsOf(x.cols, 4) * (g.cols / width(call)), THREADS);
    return [
      { entry: "run", workgroups: pieces(call) * tiles },
      { entry: "finish", workgroups: groupsOf(sizeOf(call.outputs[0]) / width(call), THREADS) },
    ];
  },
};
