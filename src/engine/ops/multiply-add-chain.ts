/**
 * Y = f(f(… f(X))), `count` times f(x) = a·x + b: nothing but multiply-adds in registers. The bench measures with it what
 * the machine can do at most.
 */

import { defineOp, type Tensor } from "../program.js";

interface Attributes {
  readonly count: number;
  readonly factor: number;
  readonly offset: number;
}

export const multiplyAddChainOp = defineOp<Attributes>({
  name: "multiplyAddChain",
  outputs: ([x]) => [{ rows: x.rows, cols: x.cols }],
  reference([x], [y], { count, factor, offset }) {
    for (let i = 0; i < y.data.length; i++) {
      let value = x.data[i];
      for (let c = 0; c < count; c++) value = factor * value + offset;
      y.data[i] = value;
    }
  },
  gradient: "no model uses it",
  encode: ({ count, factor, offset }) => [{ int: count }, { float: factor }, { float: offset }],
});

/** With |factor| < 1 the values stay bounded. */
export function multiplyAddChain(x: Tensor, count: number, factor: number, offset: number): Tensor {
  return x.builder.apply(multiplyAddChainOp, [x], { count, factor, offset })[0];
}
