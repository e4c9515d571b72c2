import { InternalError } from "../../../../core/errors.js";
import { type Launch, matricesOf, oneThreadEach } from "../../kernel.js";

export const launch: Launch = {
  includes: ["philox", "matrix"],
  width: () => 1,
  phases: (call) => {
    // the weights of such a matrix are multiplied by its scales (stored-arrays.ts); walks read weights as running sums
    if (matricesOf(call).some(({ right }) => right !== undefined)) {
      throw new InternalError("randomWalks: a matrix has right scales; expected one without");
    }
    return oneThreadEach(call.outputs[0].rows);
  },
};
