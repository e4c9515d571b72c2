/**
 * The original and the shuffled rows, interleaved: Y[2i] = X[i], Y[2i+1] = X[π(i)].
 *
 * As [n, 2·dim] both pass through an adjacency matrix together; as [2n, dim] both pass through a dense weight together.
 * Gradient: dX[j] = G[2j] + G[2·π⁻¹(j)+1], a gather by the inverse permutation, so that each row is written by one thread.
 */

import { permutedPairs, permutedRows } from "../partition/shuffle-rules.js";
import { defineOp, type ProgramBuilder, requireShape, type Tensor } from "../program.js";

/** A permutation π and its inverse, [n, 1] each. */
export interface Permutation {
  readonly forward: Tensor;
  readonly inverse: Tensor;
}

/** A permutation of n rows, drawn again for every replay. */
export function randomPermutation(builder: ProgramBuilder, purpose: string, n: number): Permutation {
  const spec = { rows: n, cols: 1, dtype: "index" } as const;
  const [forward, inverse] = builder.random(purpose, [spec, spec], ([permutation, inverted], rng) => {
    rng.permutation(permutation as Uint32Array);
    for (let i = 0; i < n; i++) inverted[permutation[i]] = i;
  });
  return { forward, inverse };
}

export const shufflePairOp = defineOp<null>({
  name: "shufflePair",
  outputs([x, forward, inverse]) {
    // in a partitioned program rows of other ranks follow the own rows of X
    requireShape(forward.rows <= x.rows && inverse.rows === forward.rows, "shufflePair", [x, forward, inverse]);
    return [{ rows: 2 * forward.rows, cols: x.cols }];
  },
  reference([x, forward], [y]) {
    const { cols } = x;
    for (let i = 0; i < forward.rows; i++) {
      for (let k = 0; k < cols; k++) {
        y.data[2 * i * cols + k] = x.data[i * cols + k];
        y.data[(2 * i + 1) * cols + k] = x.data[forward.data[i] * cols + k];
      }
    }
  },
  gradient({ inputs: [, forward, inverse], gradients: [g] }) {
    if (g === undefined) return [undefined, undefined, undefined];
    return [g.builder.apply(shufflePairGradientOp, [g, inverse, forward], { direct: false })[0], undefined, undefined];
  },
  partition: permutedRows(2),
});

interface GradientAttributes {
  /** The index holds the rows 2·π⁻¹(j)+1 of G themselves: a partitioned program stores them after the own rows. */
  readonly direct: boolean;
}

export const shufflePairGradientOp = defineOp<GradientAttributes>({
  name: "shufflePairGradient",
  outputs([g, inverse, forward]) {
    const fits = g.rows >= 2 * inverse.rows && forward.rows === inverse.rows;
    requireShape(fits, "shufflePairGradient", [g, inverse, forward]);
    return [{ rows: inverse.rows, cols: g.cols }];
  },
  reference([g, inverse], [dx], { direct }) {
    const { cols } = g;
    for (let j = 0; j < dx.rows; j++) {
      const shuffled = direct ? inverse.data[j] : 2 * inverse.data[j] + 1;
      for (let k = 0; k < cols; k++) {
        dx.data[j * cols + k] = g.data[2 * j * cols + k] + g.data[shuffled * cols + k];
      }
    }
  },
  gradient: "second derivatives are not used",
  encode: ({ direct }) => [{ int: direct ? 1 : 0 }],
  partition: permutedPairs(),
});

/** [n, k] → [2n, k], original and shuffled rows interleaved. */
export function shufflePair(x: Tensor, permutation: Permutation): Tensor {
  return x.builder.apply(shufflePairOp, [x, permutation.forward, permutation.inverse], null)[0];
}
