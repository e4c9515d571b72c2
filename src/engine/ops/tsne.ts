/**
 * t-SNE (van der Maaten, Hinton 2008): the divergence of the map's neighbourhoods from the neighbourhoods P, and its gradient.
 *
 *   L(y) = Σ_ij p_ij·log p_ij + e·Σ_ij p_ij·log(1 + |y_i − y_j|²) + log Z,   Z = Σ_{i≠j} q_ij,   q_ij = 1/(1 + |y_i − y_j|²)
 *   ∂L/∂y_i = 4·(e·Σ_j p_ij·q_ij·(y_i − y_j) − Σ_{j≠i} q_ij²·(y_i − y_j) / Z)
 *
 * P is symmetric, has no diagonal and sums to 1; then L with e = 1 is KL(P ‖ q/Z). e is the exaggeration of the attraction.
 * The reference and the kernels of GPUs sum over all pairs. The kernels of CPUs sum repulsion and Z through a quadtree (Barnes–Hut; van
 * der Maaten 2014): a group of points whose box is narrower than θ times its distance counts as one point at its centre; θ = 0 is
 * exact. The error is proportional to θ²: about 1 % of the gradient's length at θ = 0.5.
 */

import { InternalError } from "../../core/errors.js";
import { defineOp, requireShape, type Tensor } from "../program.js";
import type { SparseOperator } from "../sparse.js";

export interface TsneAttributes {
  /** P; it has values, but neither scales nor a diagonal. */
  readonly affinities: SparseOperator;
  /** θ, the coarseness of the repulsion on CPUs, from 0 (exact) to 0.7: below 1/√2 no group that repels a point contains it. */
  readonly theta: number;
}

const MAX_THETA = 0.7;
/** Kernels sort words of 40 bits of position and 24 bits of index. */
const MAX_POINTS = 2 ** 24;

function requireMap(inputs: readonly Tensor[], { affinities, theta }: TsneAttributes, op: string): void {
  const [y, exaggeration] = inputs;
  requireShape(
    y.cols === 2 && y.rows === affinities.numRows && exaggeration.rows * exaggeration.cols === 1,
    op,
    inputs,
  );
  if (affinities.values === undefined || affinities.left !== undefined || affinities.diagonal !== 0) {
    throw new InternalError(`${op}: affinities need values and neither scales nor diagonal`);
  }
  if (!(theta >= 0 && theta <= MAX_THETA)) throw new InternalError(`${op}: theta ${theta}`);
  if (y.rows >= MAX_POINTS) throw new InternalError(`${op}: ${y.rows} points; fewer than ${MAX_POINTS} fit`);
}

/** Σ p·log p. */
function entropyTerm({ values = [] }: { readonly values?: ArrayLike<number> }): number {
  let sum = 0;
  for (let e = 0; e < values.length; e++) if (values[e] > 0) sum += values[e] * Math.log(values[e]);
  return sum;
}

export const tsneLossOp = defineOp<TsneAttributes>({
  name: "tsneLoss",
  outputs(inputs, attributes) {
    requireMap(inputs, attributes, "tsneLoss");
    return [{ rows: 1, cols: 1 }];
  },
  reference([{ data: y, rows: n }, exaggeration], [loss], { affinities }) {
    const { rowStart, columns, values = [] } = affinities;
    let pull = 0;
    let z = 0;
    for (let i = 0; i < n; i++) {
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) pull += values[e] * Math.log(1 + square(y, i, columns[e]));
      for (let j = 0; j < n; j++) if (j !== i) z += 1 / (1 + square(y, i, j));
    }
    loss.data[0] = entropyTerm(affinities) + exaggeration.data[0] * pull + (z > 0 ? Math.log(z) : 0);
  },
  gradient({ inputs: [y, exaggeration], gradients: [g], attributes }) {
    if (g === undefined) return [undefined, undefined];
    return [y.builder.apply(tsneGradientOp, [y, exaggeration, g], attributes)[0], undefined];
  },
  encode: ({ affinities, theta }) => [{ sparse: affinities }, { float: theta }, { float: entropyTerm(affinities) }],
});

function square(y: Float64Array, i: number, j: number): number {
  return (y[2 * i] - y[2 * j]) ** 2 + (y[2 * i + 1] - y[2 * j + 1]) ** 2;
}

export const tsneGradientOp = defineOp<TsneAttributes>({
  name: "tsneGradient",
  outputs(inputs, attributes) {
    requireMap(inputs, attributes, "tsneGradient");
    return [{ rows: inputs[0].rows, cols: 2 }];
  },
  reference([{ data: y, rows: n }, exaggeration, upstream], [dy], { affinities }) {
    const { rowStart, columns, values = [] } = affinities;
    let z = 0;
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) if (j !== i) z += 1 / (1 + square(y, i, j));
    const push = z > 0 ? 1 / z : 0;
    for (let i = 0; i < n; i++) {
      for (let axis = 0; axis < 2; axis++) {
        let sum = 0;
        for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
          const j = columns[e];
          const away = y[2 * i + axis] - y[2 * j + axis];
          sum += (exaggeration.data[0] * values[e] * away) / (1 + square(y, i, j));
        }
        for (let j = 0; j < n; j++) {
          if (j !== i) sum -= (push * (y[2 * i + axis] - y[2 * j + axis])) / (1 + square(y, i, j)) ** 2;
        }
        dy.data[2 * i + axis] = 4 * upstream.data[0] * sum;
      }
    }
  },
  gradient: "second derivatives are not used",
  encode: ({ affinities, theta }) => [{ sparse: affinities }, { float: theta }],
});

/** L(y): [n, 2] and the exaggeration [1, 1] → [1, 1]. */
export function tsneLoss(y: Tensor, exaggeration: Tensor, attributes: TsneAttributes): Tensor {
  return y.builder.apply(tsneLossOp, [y, exaggeration], attributes)[0];
}
