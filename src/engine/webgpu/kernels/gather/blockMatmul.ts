import { type Call, groupsOf, type Launch, oneThreadEach, rowWidth } from "../../kernel.js";

function isTransposed({ arguments: [transposed] }: Call): boolean {
  return "int" in transposed && transposed.int === 1;
}

/** The transposed product loads rows of X and W, the other one only rows of W. */
function width(call: Call): 1 | 4 {
  const [x] = call.inputs;
  const [y] = call.outputs;
  return isTransposed(call) ? rowWidth(x, y) : rowWidth(y);
}

export const launch: Launch = {
  width,
  constants: (call) => ({ TRANSPOSED: Number(isTransposed(call)) }),
  phases: (call) => {
    const [y] = call.outputs;
    return oneThreadEach(groupsOf(y.rows, 4) * (y.cols / width(call)));
  },
};
