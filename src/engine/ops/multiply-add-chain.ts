/**
 * Only multiply-adds in registers: `hmge bench` measures with it the largest rate of the machine.
 *
 * u is the first and v the second half of X's entries (with an odd number the last one stays); `count` times u ← u + a·v,
 * v ← v − a·u. Each sum overwrites its own summand and takes its factor from another register, so an instruction that overwrites
 * the summand needs no copy; x ← x + a·x would need one and reach a third of the rate.
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

/** `count` steps of the chain; with |factor| < 2 the values stay bounded. */
export function multiplyAddChain(x: Tensor, count: number, factor: number): Tensor {
  return x.builder.apply(multiplyAddChainOp, [x], { count, factor })[0];
}
