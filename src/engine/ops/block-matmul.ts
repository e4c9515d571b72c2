/**
 * A product with a separate matrix for each block of rows: Y[b] = X[b]·W_g where row b is in block g, start_g ≤ b < start_{g+1}.
 *
 * X [n, k], W [G·k, m] (W_0 above W_1 above …), start [G + 1, 1] (index, from 0 to n) → [n, m]; transposed: X [n, m] → [n, k]
 * by X[b]·W_gᵀ. Gradients: dX = G[b]·W_gᵀ, the transposed form; dW_g = Σ over b of block g of X[b]ᵀ·G[b]
 * (`blockMatmulGradient`), zeros for an empty block.
 */

import { rowsInBlocks, wholeRows } from "../partition/row-rules.js";
import { defineOp, type HostTensor, type Op, type ProgramBuilder, requireShape, type Tensor } from "../program.js";

interface Attributes {
  readonly transposed: boolean;
}

export const blockMatmulOp: Op<Attributes> = defineOp<Attributes>({
  name: "blockMatmul",
  outputs(inputs, { transposed }) {
    const [x, w, start] = inputs;
    const inner = w.rows / (start.rows - 1);
    requireShape(Number.isInteger(inner) && x.cols === (transposed ? w.cols : inner), "blockMatmul", inputs);
    return [{ rows: x.rows, cols: transposed ? inner : w.cols }];
  },
  reference([x, w, start], [y], { transposed }) {
    const size = x.cols * y.cols;
    forRows(start, (g, b) => {
      for (let j = 0; j < y.cols; j++) {
        let sum = 0;
        for (let k = 0; k < x.cols; k++) {
          sum += x.data[b * x.cols + k] * w.data[g * size + (transposed ? j * x.cols + k : k * y.cols + j)];
        }
        y.data[b * y.cols + j] = sum;
      }
    });
  },
  gradient({ inputs: [x, w, start], gradients: [g] }) {
    if (g === undefined) return [undefined, undefined, undefined];
    const { builder } = g;
    const dx = builder.apply(blockMatmulOp, [g, w, start], { transposed: true })[0];
    return [dx, builder.apply(blockMatmulGradientOp, [x, g, start], null)[0], undefined];
  },
  encode: ({ transposed }) => [{ int: transposed ? 1 : 0 }],
  partition: rowsInBlocks(),
});

export const blockMatmulGradientOp = defineOp<null>({
  name: "blockMatmulGradient",
  outputs([x, g, start]) {
    requireShape(x.rows === g.rows, "blockMatmulGradient", [x, g, start]);
    return [{ rows: (start.rows - 1) * x.cols, cols: g.cols }];
  },
  reference([x, g, start], [dw]) {
    dw.data.fill(0);
    forRows(start, (block, b) => {
      for (let k = 0; k < x.cols; k++) {
        const to = (block * x.cols + k) * g.cols;
        for (let j = 0; j < g.cols; j++) dw.data[to + j] += x.data[b * x.cols + k] * g.data[b * g.cols + j];
      }
    });
  },
  gradient: "second derivatives are not used",
  partition: wholeRows(),
});

function forRows(start: HostTensor, visit: (block: number, row: number) => void): void {
  for (let g = 0; g + 1 < start.rows; g++) {
    for (let b = start.data[g]; b < start.data[g + 1]; b++) visit(g, b);
  }
}

/** X [n, k], W [G·k, m], start [G + 1, 1] → [n, m]; all rows of X lie in a block. */
export function blockMatmul(x: Tensor, w: Tensor, start: Tensor): Tensor {
  return x.builder.apply(blockMatmulOp, [x, w, start], { transposed: false })[0];
}

/** First rows of blocks of these sizes, for `blockMatmul`. */
export function blockStarts(builder: ProgramBuilder, sizes: readonly number[]): Tensor {
  const start = [0];
  for (const size of sizes) start.push(start[start.length - 1] + size);
  return builder.constant(start, start.length, 1, "index");
}
