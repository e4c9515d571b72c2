/**
 * Nothing but multiply-adds in registers: the bench measures with it what the machine can do at most.
 *
 * With u the first and v the second half of X's entries (a last one of an odd number stays), `count` times
 * u ← u + a·v, v ← v − a·u. Each sum replaces its own summand and the factor is another register, so no copy is needed
 * where the instruction overwrites the summand; x ← x + a·x would need one and reach a third of the rate.
 */

import { defineOp, type Tensor } from "../program.js";

interface Attributes {
  readonly count: number;
  readonly factor: number;
}

export const multiplyAddChainOp = defineOp<Attributes>({
  name: "multiplyAddChain",
  outputs: ([x]) => [{ rows: x.rows, cols: x.cols }],
  reference([x], [y], { count, factor }) {
    const half = x.data.length >> 1;
    y.data.set(x.data);
    for (let i = 0; i < half; i++) {
      for (let c = 0; c < count; c++) {
        y.data[i] += factor * y.data[half + i];
        y.data[half + i] -= factor * y.data[i];
      }
    }
  },
  gradient: "no model uses it",
  encode: ({ count, factor }) => [{ int: count }, { float: factor }],
});

/** With |factor| < 2 the values stay bounded. */
export function multiplyAddChain(x: Tensor, count: number, factor: number): Tensor {
  return x.builder.apply(multiplyAddChainOp, [x], { count, factor })[0];
}
