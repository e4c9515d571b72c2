/** Parameters and activation of a graph convolution f(Â·X·W + b). */

import { add, addRow, concatColumns, convolve, prelu, relu, reshape, scale, spmm } from "../../engine/ops/index.js";
import type { Tensor } from "../../engine/program.js";
import type { SparseOperator } from "../../engine/sparse.js";
import { constantly, type Initializer, xavierUniform, zeros } from "../init.js";
import type { ParameterFactory } from "../model.js";

/** Parameters of a convolution. */
export interface Convolution {
  readonly weight: Tensor;
  readonly bias?: Tensor;
  /** Slope of a PReLU, 1 × 1; without it the activation is ReLU. */
  readonly slope?: Tensor;
}

/** Starting value of the slope of a PReLU (He et al. 2015). */
const INITIAL_SLOPE = 0.25;

export interface ConvolutionOptions {
  readonly dim: number;
  readonly bias: boolean;
  readonly activation?: "relu" | "prelu";
  /** Starting values of the weight; default: Xavier-uniform. */
  readonly start?: Initializer;
}

/** Declares the parameters; b starts at zero. */
export function initConvolution(
  parameter: ParameterFactory,
  name: string,
  width: number,
  { dim, bias, activation = "relu", start = xavierUniform(width, dim) }: ConvolutionOptions,
): Convolution {
  return {
    weight: parameter(`${name}.weight`, width, dim, start),
    bias: bias ? parameter(`${name}.bias`, 1, dim, zeros) : undefined,
    slope: activation === "prelu" ? parameter(`${name}.slope`, 1, 1, constantly(INITIAL_SLOPE)) : undefined,
  };
}

/** f(Y + b) for vectors [n, dim·s], where s sides (original, shuffled) share the bias. */
export function activate(y: Tensor, { weight, bias, slope }: Convolution): Tensor {
  const dim = weight.cols;
  const rows = reshape(y, (y.rows * y.cols) / dim, dim); // one row per node and side
  const x = bias === undefined ? rows : addRow(rows, bias);
  return reshape(slope === undefined ? relu(x) : prelu(x, slope), y.rows, y.cols);
}

/** factor·f(Â·Y + b) for vectors [n, dim·s], as in `activate`. */
export function convolveWith(relation: SparseOperator, y: Tensor, convolution: Convolution, factor = 1): Tensor {
  const { weight, bias, slope } = convolution;
  if (slope !== undefined) return scale(activate(spmm(relation, y), convolution), factor);
  const row = bias ?? y.builder.constant(new Float64Array(weight.cols), 1, weight.cols);
  const sides = y.cols / weight.cols;
  return convolve(relation, y, sides === 1 ? row : concatColumns(new Array(sides).fill(row)), factor);
}

/** (1/D)·Σ_d f(Â_d·Y_d + b_d), relation by relation, so that the memory of each is free as soon as it is added. */
export function convolveMean(
  relations: readonly SparseOperator[],
  project: (d: number) => Tensor,
  convolution: (d: number) => Convolution,
): Tensor {
  const part = (d: number) => convolveWith(relations[d], project(d), convolution(d), 1 / relations.length);
  let sum = part(0);
  for (let d = 1; d < relations.length; d++) sum = add(sum, part(d));
  return sum;
}
