/**
 * Functions y = f(x + offset) of one entry whose derivative is a function of y: sigmoid y(1−y), tanh 1−y², inverse square root
 * −y³/2, exponential y, logarithm e^−y, square root 1/(2y) (0 at 0), softplus log(1 + e^x) 1−e^−y, logarithm of the sigmoid 1−e^y,
 * reciprocal −y².
 */

import { rowLocal } from "../partition/row-rules.js";
import { defineOp, requireShape, type Tensor } from "../program.js";

function softplusOf(x: number): number {
  return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
}

/** A function's place in this list is its number in the kernels. */
const FUNCTIONS = {
  sigmoid: { value: (x: number) => 1 / (1 + Math.exp(-x)), derivative: (y: number) => y * (1 - y) },
  tanh: { value: Math.tanh, derivative: (y: number) => 1 - y * y },
  inverseSqrt: { value: (x: number) => 1 / Math.sqrt(x), derivative: (y: number) => -0.5 * y * y * y },
  exp: { value: Math.exp, derivative: (y: number) => y },
  log: { value: Math.log, derivative: (y: number) => Math.exp(-y) },
  sqrt: { value: Math.sqrt, derivative: (y: number) => (y === 0 ? 0 : 0.5 / y) },
  // written so that nothing overflows and small results keep their digits
  softplus: { value: softplusOf, derivative: (y: number) => -Math.expm1(-y) },
  logSigmoid: { value: (x: number) => -softplusOf(-x), derivative: (y: number) => -Math.expm1(y) },
  reciprocal: { value: (x: number) => 1 / x, derivative: (y: number) => -y * y },
};

export type UnaryKind = keyof typeof FUNCTIONS;
const KINDS = Object.keys(FUNCTIONS) as UnaryKind[];

interface Attributes {
  readonly kind: UnaryKind;
  readonly offset: number;
}

export const unaryOp = defineOp<Attributes>({
  name: "unary",
  inPlace: 0,
  outputs: ([x]) => [{ rows: x.rows, cols: x.cols }],
  reference([x], [y], { kind, offset }) {
    const { value } = FUNCTIONS[kind];
    for (let i = 0; i < y.data.length; i++) y.data[i] = value(x.data[i] + offset);
  },
  gradient({ outputs: [y], gradients: [g], attributes }) {
    return g === undefined ? [undefined] : [g.builder.apply(unaryGradientOp, [g, y], attributes)[0]];
  },
  encode: ({ kind, offset }) => [{ int: KINDS.indexOf(kind) }, { float: offset }],
  partition: rowLocal(),
});

/** dX = G ⊙ f′, from G and Y = f(X). */
export const unaryGradientOp = defineOp<Attributes>({
  name: "unaryGradient",
  inPlace: 0,
  outputs([g, y]) {
    requireShape(g.rows === y.rows && g.cols === y.cols, "unaryGradient", [g, y]);
    return [{ rows: g.rows, cols: g.cols }];
  },
  reference([g, y], [dx], { kind }) {
    const { derivative } = FUNCTIONS[kind];
    for (let i = 0; i < dx.data.length; i++) dx.data[i] = g.data[i] * derivative(y.data[i]);
  },
  gradient: "second derivatives are not used",
  encode: ({ kind }) => [{ int: KINDS.indexOf(kind) }],
  partition: rowLocal(),
});

function apply(kind: UnaryKind, x: Tensor, offset = 0): Tensor {
  return x.builder.apply(unaryOp, [x], { kind, offset })[0];
}

/** 1 / (1 + e^−x). */
export const sigmoid = (x: Tensor): Tensor => apply("sigmoid", x);
/** The hyperbolic tangent. */
export const tanh = (x: Tensor): Tensor => apply("tanh", x);
/** e^x. */
export const exp = (x: Tensor): Tensor => apply("exp", x);
/** (x + offset)^(−1/2); x + offset must be positive. */
export const inverseSqrt = (x: Tensor, offset = 0): Tensor => apply("inverseSqrt", x, offset);
/** log(x + offset); x + offset must be positive, so an offset also bounds the result from below. */
export const log = (x: Tensor, offset = 0): Tensor => apply("log", x, offset);
/** √(x + offset); the gradient at zero is zero. */
export const sqrt = (x: Tensor, offset = 0): Tensor => apply("sqrt", x, offset);
/** log(1 + e^x). */
export const softplus = (x: Tensor): Tensor => apply("softplus", x);
/** log(1 / (1 + e^−x)). */
export const logSigmoid = (x: Tensor): Tensor => apply("logSigmoid", x);
/** 1/x; x must not be zero. */
export const reciprocal = (x: Tensor): Tensor => apply("reciprocal", x);
