/**
 * Compares the loss with the best so far inside the program, so that a step does not wait for the host.
 *
 * best ← min(best, loss); the flag is 1 if the loss is a new minimum, −1 if it is not finite (then the optimiser changes
 * nothing), otherwise 0. `best` has two entries: the value, and 1 once there is one.
 */

import { defineOp, requireShape, type Tensor } from "../program.js";

export const trackBestOp = defineOp<null>({
  name: "trackBest",
  mutates: [1],
  outputs([loss, best]) {
    requireShape(loss.rows * loss.cols === 1 && best.rows * best.cols === 2, "trackBest", [loss, best]);
    return [{ rows: 1, cols: 1 }];
  },
  reference([loss, best], [flag]) {
    const value = loss.data[0];
    if (!Number.isFinite(value)) {
      flag.data[0] = -1;
    } else if (best.data[1] === 0 || value < best.data[0]) {
      best.data[0] = value;
      best.data[1] = 1;
      flag.data[0] = 1;
    } else {
      flag.data[0] = 0;
    }
  },
  gradient: "a comparison has none",
});

/** The flag [1, 1]; updates `best` [1, 2]. */
export function trackBest(loss: Tensor, best: Tensor): Tensor {
  return loss.builder.apply(trackBestOp, [loss, best], null)[0];
}
