/** The encoder of one relation: a single convolution, or several convolutions with a residual path around each. */

import { InternalError } from "../../core/errors.js";
import { add, scale, spmm } from "../../engine/ops/index.js";
import type { Tensor } from "../../engine/program.js";
import type { SparseOperator } from "../../engine/sparse.js";
import { normal, uniform } from "../../nn/init.js";
import { activate, type Convolution, type ConvolutionOptions, initConvolution } from "../../nn/layers/convolution.js";
import { type NodeInput, type Pass, projectInput, projectVectors } from "../../nn/layers/node-input.js";
import type { ParameterFactory } from "../../nn/model.js";

/** `residual`: the weight of the residual path. */
export interface ResidualLayer extends Convolution {
  readonly residual?: Tensor;
}

/** Share of the convolution in a layer; the residual path has the rest. */
const CONVOLVED = 0.8;
/** Factor on Xavier's initial bounds: √2, as usual for rectifiers. */
const GAIN = Math.SQRT2;

/** A single layer has no residual path. Otherwise W starts Xavier-uniform and the residual weight Xavier-normal, both times the gain. */
export function initResidual(
  parameter: ParameterFactory,
  name: string,
  width: number,
  o: ConvolutionOptions & { readonly layers: number },
): ResidualLayer[] {
  if (o.layers === 1) return [initConvolution(parameter, name, width, o)];
  return Array.from({ length: o.layers }, (_, l): ResidualLayer => {
    const before = l === 0 ? width : o.dim;
    const layer = `${name}.layer${l + 1}`;
    const deviation = GAIN * Math.sqrt(2 / (before + o.dim));
    return {
      ...initConvolution(parameter, layer, before, { ...o, start: uniform(Math.sqrt(3) * deviation) }),
      residual: parameter(`${layer}.residual`, before, o.dim, normal(deviation)),
    };
  });
}

/** h ← f(0.8·Â·drop(h)·W + 0.2·h·W′) from layer to layer, or f(Â·drop(X)·W); [n, dim], or [n, 2·dim] with the shuffled side. */
export function encodeResidual(
  layers: readonly ResidualLayer[],
  relation: SparseOperator,
  input: NodeInput,
  pass: Pass,
  purpose: string,
): Tensor {
  let h: Tensor | undefined;
  layers.forEach((layer, l) => {
    const before = h;
    const project = (weight: Tensor, as: Pass) =>
      before === undefined
        ? projectInput(input, weight, as, `${purpose}.${l}`)
        : projectVectors(before, weight, as, `${purpose}.${l}`);
    const convolved = spmm(relation, project(layer.weight, pass));
    if (layer.residual === undefined) h = activate(convolved, layer);
    else {
      const around = project(layer.residual, { ...pass, dropout: 0 });
      h = activate(add(scale(convolved, CONVOLVED), around, 1 - CONVOLVED), layer);
    }
  });
  if (h === undefined) throw new InternalError("ssdcm: an encoder has no layers; expected at least one");
  return h;
}
