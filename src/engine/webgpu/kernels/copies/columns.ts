/** The launch of kernels that copy columns: one thread for each value of the output. */

import { type Call, groupsOf, type Launch, oneThreadEach, rowWidth, sizeOf } from "../../kernel.js";

/** A launch for copies of floats, or of indices one by one. `firstColumn`: the first column that is read or written in a row. */
export function copiedColumns(firstColumn: (call: Call) => number): Launch {
  const widthOf = (call: Call) => {
    const { inputs, outputs } = call;
    const [{ dtype }] = outputs;
    return dtype === "float" && firstColumn(call) % 4 === 0 ? rowWidth(...inputs, ...outputs) : 1;
  };
  return {
    includes: ["copyEntry"],
    width: widthOf,
    constants: ({ outputs: [{ dtype }] }) => ({ ARE_FLOATS: dtype === "float" ? 1 : 0 }),
    phases: (call) => oneThreadEach(groupsOf(sizeOf(call.outputs[0]), widthOf(call))),
  };
}

/** The attribute `start` of a call. */
export function startOf({ arguments: [start] }: Call): number {
  return "int" in start ? start.int : 0;
}
