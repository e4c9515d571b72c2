/**
 * Compares the loss with the best so far inside the program, so that a step does not wait for the host.
 *
 * `best` has two entries: the smallest loss, and k: 0 while there is none, otherwise 1 + the number of steps since it. The flag:
 * 1 if the loss is a new minimum; 0 if not; −1 if it is not finite (then `best` stays as it is); −2 if `patience` steps had passed since
 * the minimum before this one (then `best` stays too, so every later flag is −2). Optimisers change nothing if the flag is below 0.
 */

import { defineOp, requireShape, type Tensor } from "../program.js";

interface Attributes {
  /** Steps without a new minimum after which nothing changes any more. Default: no limit. float32 counts at most 2²⁴ steps. */
  readonly patience?: number;
}

/** The patience of kernels if there is no limit. */
const UNLIMITED = 0xffffffff;

export const trackBestOp = defineOp<Attributes>({
  name: "trackBest",
  mutates: [1],
  outputs([loss, best]) {
    requireShape(loss.rows * loss.cols === 1 && best.rows * best.cols === 2, "trackBest", [loss, best]);
    return [{ rows: 1, cols: 1 }];
  },
  reference([loss, best], [flag], { patience = Number.POSITIVE_INFINITY }) {
    const value = loss.data[0];
    const [smallest, count] = best.data;
    if (count >= 1 && count - 1 >= patience) {
      flag.data[0] = -2;
    } else if (!Number.isFinite(value)) {
      flag.data[0] = -1;
    } else if (count === 0 || value < smallest) {
      best.data.set([value, 1]);
      flag.data[0] = 1;
    } else {
      best.data[1] = count + 1;
      flag.data[0] = 0;
    }
  },
  gradient: "a comparison has none",
  encode: ({ patience = UNLIMITED }) => [{ int: patience }],
});

/** The flag [1, 1]; updates `best` [1, 2]. `patience`: steps without a new minimum after which the flag is −2; default: no limit. */
export function trackBest(loss: Tensor, best: Tensor, patience?: number): Tensor {
  return loss.builder.apply(trackBestOp, [loss, best], { patience })[0];
}
