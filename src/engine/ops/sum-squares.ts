/**
 * Sum of squares times a constant: y = s·Σ x², or s·Σ (x − c)² with a second tensor of the same shape; shape [1, 1].
 *
 * Gradients: dX = 2·s·g·(X − C), dC = −dX.
 */

import { entryChunkRows } from "../partition/chunks.js";
import { sumOverRows } from "../partition/reduce-rule.js";
import { rowLocal } from "../partition/row-rules.js";
import { defineOp, type HostTensor, requireShape, type Tensor } from "../program.js";
import { scale } from "./scale.js";

interface Attributes {
  readonly factor: number;
  /** Whether there is a tensor C. */
  readonly centred: boolean;
}

const encode = ({ factor, centred }: Attributes) => [{ float: factor }, { int: centred ? 1 : 0 }];

function requireFit(op: string, inputs: readonly Tensor[], [x, c = x]: readonly Tensor[]): void {
  requireShape(c.rows === x.rows && c.cols === x.cols, op, inputs);
}

function difference(x: HostTensor, c: HostTensor | undefined, i: number): number {
  return c === undefined ? x.data[i] : x.data[i] - c.data[i];
}

export const sumSquaresOp = defineOp<Attributes>({
  name: "sumSquares",
  outputs(inputs) {
    requireFit("sumSquares", inputs, inputs);
    return [{ rows: 1, cols: 1 }];
  },
  reference([x, c], [y], { factor }) {
    let sum = 0;
    for (let i = 0; i < x.data.length; i++) sum += difference(x, c, i) ** 2;
    y.data[0] = factor * sum;
  },
  gradient({ inputs, gradients: [g], attributes }) {
    if (g === undefined) return [undefined];
    const [dx] = g.builder.apply(sumSquaresGradientOp, [g, ...inputs], attributes);
    return attributes.centred ? [dx, scale(dx, -1)] : [dx];
  },
  encode,
  partition: sumOverRows({ chunkRows: ([x]) => entryChunkRows(x), partBytes: () => 8 }),
});

export const sumSquaresGradientOp = defineOp<Attributes>({
  name: "sumSquaresGradient",
  outputs(inputs) {
    const [g, ...rest] = inputs;
    requireShape(g.rows === 1 && g.cols === 1, "sumSquaresGradient", inputs);
    requireFit("sumSquaresGradient", inputs, rest);
    return [{ rows: rest[0].rows, cols: rest[0].cols }];
  },
  reference([g, x, c], [dx], { factor }) {
    for (let i = 0; i < dx.data.length; i++) dx.data[i] = 2 * factor * g.data[0] * difference(x, c, i);
  },
  gradient: "second derivatives are not used",
  encode,
  partition: rowLocal(),
});

/** factor·Σ (x − centre)², without a centre factor·Σ x²: [m, n] → [1, 1]. */
export function sumSquares(x: Tensor, factor = 1, centre?: Tensor): Tensor {
  const centred = centre !== undefined;
  return x.builder.apply(sumSquaresOp, centred ? [x, centre] : [x], { factor, centred })[0];
}
