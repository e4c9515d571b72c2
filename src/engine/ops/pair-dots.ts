/**
 * Inner products of pairs of rows, weighted by a row of their relation and plain:
 *   Z[b, f] = Σ_k X[left_b, k]·R[relation_b, k]·X[right_bf, k],   P[b, f] = Σ_k X[left_b, k]·X[right_bf, k];
 * 0 where an index is MISSING. The result is that of `gatherDots` over gathered and multiplied rows, without storing those rows.
 *
 * Gradients, G of Z and H of P: dX[i] = Σ (H + G·R[relation])∘X[other end] over the pairs with end i, dR[d] = Σ
 * G·X[left]∘X[right] over the pairs of relation d: all one op, `pairDotsGradient`, over the groups of an index.
 */

import { dotsOfRows } from "../partition/gather/gather-rules.js";
import { summedGroups } from "../partition/gather/group-rules.js";
import { defineOp, requireShape, type Tensor } from "../program.js";
import { add } from "./add.js";
import { type Groups, groupIndex } from "./group-index.js";
import { MISSING } from "./missing.js";
import { scale } from "./scale.js";

export const pairDotsOp = defineOp<null>({
  name: "pairDots",
  outputs(inputs) {
    const [x, r, left, relation, right] = inputs;
    const pairs = left.cols === 1 && relation.cols === 1 && left.rows === right.rows && relation.rows === right.rows;
    requireShape(x.cols === r.cols && pairs, "pairDots", inputs);
    const shape = { rows: right.rows, cols: right.cols };
    return [shape, shape];
  },
  reference([x, r, left, relation, right], [z, p]) {
    const { cols: dim } = x;
    for (let e = 0; e < z.data.length; e++) {
      const b = Math.floor(e / right.cols);
      const [i, d, j] = [left.data[b], relation.data[b], right.data[e]];
      let [weighted, plain] = [0, 0];
      for (let k = 0; k < dim && i !== MISSING && d !== MISSING && j !== MISSING; k++) {
        const product = x.data[i * dim + k] * x.data[j * dim + k];
        weighted += product * r.data[d * dim + k];
        plain += product;
      }
      z.data[e] = weighted;
      p.data[e] = plain;
    }
  },
  gradient({ inputs: [x, r, left, relation, right], outputs: [z, p], gradients }) {
    const [g = scale(z, 0), h = scale(p, 0)] = gradients;
    const rows = (groups: Groups, other: Tensor) => summed(groups, [g, h], [relation, r], [other, x], true);
    const dx = add(rows(groupIndex(left, x.rows), right), rows(groupIndex(right, x.rows), left));
    const dr = summed(groupIndex(relation, r.rows), [g, h], [left, x], [right, x], false);
    return [dx, dr, undefined, undefined, undefined];
  },
  work: ([x], [z]) => ({ gathered: 2 * z.rows * z.cols * x.cols }),
  partition: dotsOfRows([
    { table: 0, index: 2 },
    { table: 1, index: 3 },
    { table: 0, index: 4 },
  ]),
});

interface Attributes {
  /** Whether H is added. */
  readonly plain: boolean;
}

/**
 * dX[r] = Σ over places p of group r, Σ_{q = p·k}^{p·k+k−1} (H_q + G_q·U[u_⌊q/m⌋])∘V[v_⌊q/l⌋]. The grouped index has |G|/k
 * entries, u has |G|/m and v has |G|/l. Without `plain` H is 0. MISSING rows add nothing.
 */
export const pairDotsGradientOp = defineOp<Attributes>({
  name: "pairDotsGradient",
  outputs(inputs) {
    const [start, order, g, h, uIndex, u, vIndex, v] = inputs;
    const size = g.rows * g.cols;
    const fits = [order, uIndex, vIndex].every(({ rows, cols }) => size % Math.max(rows * cols, 1) === 0);
    requireShape(fits && h.rows * h.cols === size && u.cols === v.cols, "pairDotsGradient", inputs);
    return [{ rows: start.rows - 1, cols: v.cols }];
  },
  reference([start, order, g, h, uIndex, u, vIndex, v], [dx], { plain }) {
    const { cols: dim } = dx;
    const per = (index: { readonly data: ArrayLike<number> }) => g.data.length / index.data.length;
    const [k, m, l] = [per(order), per(uIndex), per(vIndex)];
    dx.data.fill(0);
    for (let r = 0; r < dx.rows; r++) {
      for (let e = start.data[r]; e < start.data[r + 1]; e++) {
        for (let q = order.data[e] * k; q < (order.data[e] + 1) * k; q++) {
          const [i, j] = [uIndex.data[Math.floor(q / m)], vIndex.data[Math.floor(q / l)]];
          if (i === MISSING || j === MISSING) continue;
          for (let c = 0; c < dim; c++) {
            const factor = (plain ? h.data[q] : 0) + g.data[q] * u.data[i * dim + c];
            dx.data[r * dim + c] += factor * v.data[j * dim + c];
          }
        }
      }
    }
  },
  gradient: "second derivatives are not used",
  encode: ({ plain }) => [{ int: Number(plain) }],
  work: ([, , g, , , , , v]) => ({ gathered: 2 * g.rows * g.cols * v.cols }),
  partition: summedGroups({
    coefficients: [2, 3],
    tables: [
      { table: 5, index: 4 },
      { table: 7, index: 6 },
    ],
  }),
});

function summed(
  { start, order }: Groups,
  coefficients: readonly [Tensor, Tensor],
  first: readonly [Tensor, Tensor],
  second: readonly [Tensor, Tensor],
  plain: boolean,
): Tensor {
  const inputs = [start, order, ...coefficients, ...first, ...second];
  return start.builder.apply(pairDotsGradientOp, inputs, { plain })[0];
}

/** X [n, dim], R [d, dim], left [b, 1], relation [b, 1], right [b, f] → weighted and plain, both [b, f]. */
export function pairDots(
  x: Tensor,
  r: Tensor,
  { left, relation, right }: { readonly left: Tensor; readonly relation: Tensor; readonly right: Tensor },
): { readonly weighted: Tensor; readonly plain: Tensor } {
  const [weighted, plain] = x.builder.apply(pairDotsOp, [x, r, left, relation, right], null);
  return { weighted, plain };
}
