/** Parameters and activation of a graph convolution f(Â·X·W + b). */

import { addRow, prelu, relu, reshape } from "../engine/ops/index.js";
import type { Tensor } from "../engine/program.js";
import { constantly, type Initializer, xavierUniform, zeros } from "./init.js";
import type { ParameterFactory } from "./model.js";

export interface Convolution {
  readonly weight: Tensor;
  readonly bias?: Tensor;
  /** Of a PReLU, 1 × 1; without it the activation is ReLU. */
  readonly slope?: Tensor;
}

/** Slope of a PReLU at the start (He et al. 2015). */
const FIRST_SLOPE = 0.25;

export interface ConvolutionOptions {
  readonly dim: number;
  readonly bias: boolean;
  readonly activation?: "relu" | "prelu";
  /** Of the weight; default: Xavier-uniform. */
  readonly start?: Initializer;
}

/** W as told, b zero. */
export function initConvolution(
  parameter: ParameterFactory,
  name: string,
  width: number,
  { dim, bias, activation = "relu", start = xavierUniform(width, dim) }: ConvolutionOptions,
): Convolution {
  return {
    weight: parameter(`${name}.weight`, width, dim, start),
    bias: bias ? parameter(`${name}.bias`, 1, dim, zeros) : undefined,
    slope: activation === "prelu" ? parameter(`${name}.slope`, 1, 1, constantly(FIRST_SLOPE)) : undefined,
  };
}

/** f(Y + b) for vectors of a pass, [n, dim·s] with s sides that share the bias. */
export function activate(y: Tensor, { weight, bias, slope }: Convolution): Tensor {
  const dim = weight.cols;
  const rows = reshape(y, (y.rows * y.cols) / dim, dim); // one row per node and side
  const x = bias === undefined ? rows : addRow(rows, bias);
  return reshape(slope === undefined ? relu(x) : prelu(x, slope), y.rows, y.cols);
}
