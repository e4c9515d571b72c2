/**
 * Multiplicative updates that move the non-negative vectors U_i of several networks towards their codes H_i and towards each
 * other (Ni et al., WWW 2018).
 *
 * Networks i and j share some nodes. U_j→i are the rows of U_j in the order of network i, zero for nodes that j lacks; U_i|j are
 * the rows of U_i, zero for nodes that j lacks; n_i is the number of nodes and p the number of partners. The objective
 *
 *   β/n_i·‖U_i − H_i‖² + α/p·Σ_j (1/n_i + 1/n_j)·R_ij
 *   proximity:  R_ij = ‖U_i|j·U_i|jᵀ − U_j→i·U_j→iᵀ‖²,   vectors:  R_ij = ‖U_i|j − U_j→i‖²
 *
 * does not grow under the update U_i ← U_i ⊙ (N/M)^e, with w_j = α/p·(1 + n_i/n_j),
 *   proximity, e = ¼:  N = β·H_i + 2·Σ_j w_j·U_j→i·(U_j→iᵀ·U_i),  M = β·U_i + 2·Σ_j w_j·U_i|j·(U_i|jᵀ·U_i)
 *   vectors,   e = ½:  N = β·H_i + Σ_j w_j·U_j→i,                  M = β·U_i + Σ_j w_j·U_i|j
 */

import {
  add,
  gatherRows,
  inverseSqrt,
  MISSING,
  matmul,
  matmulTransposeA,
  multiply,
  scale,
  scaleRows,
  sqrt,
} from "../../engine/ops/index.js";
import type { ProgramBuilder, Tensor } from "../../engine/program.js";
import type { ConnectedNodes } from "./connected-nodes.js";

/** Lower limit of the denominator M, so that quotients stay finite. */
const SMALLEST = 1e-20;

export interface Partner {
  /** Index of the partner network. */
  readonly network: number;
  /** Its row for each node of network i, [n_i, 1]; MISSING if it lacks the node. */
  readonly rows: Tensor;
  /** 1 for nodes that it has, 0 for others, [n_i, 1]; undefined if it has all nodes. */
  readonly shared?: Tensor;
  /** n_i/n_j. */
  readonly ratio: number;
}

/**
 * The partners of network i: all other networks, or if they are more than `max`, the nearest on the ring of networks, equally
 * many on each side.
 */
export function partnersOf(i: number, numNetworks: number, max: number): number[] {
  const count = max >= numNetworks - 1 ? numNetworks - 1 : max - (max % 2);
  return Array.from({ length: count }, (_, k) => {
    const distance = (k >> 1) + 1;
    return (i + (k % 2 === 0 ? distance : numNetworks - distance)) % numNetworks;
  });
}

/** The partners of each network, with the constants that the updates read. */
export function agreementPartners(
  builder: ProgramBuilder,
  networks: readonly ConnectedNodes[],
  max: number,
): Partner[][] {
  return networks.map(({ nodes }, i) =>
    partnersOf(i, networks.length, max).map((j) => {
      const { place, nodes: others } = networks[j];
      const rows = nodes.map((node) => place[node]);
      const shared = Float32Array.from(rows, (row) => (row === MISSING ? 0 : 1));
      return {
        network: j,
        rows: builder.constant(rows, rows.length, 1, "index"),
        shared: shared.includes(0) ? builder.constant(shared, shared.length, 1) : undefined,
        ratio: nodes.length / others.length,
      };
    }),
  );
}

export interface AgreementOptions {
  readonly variant: "proximity" | "vectors";
  /** α. */
  readonly agreement: number;
  /** β. */
  readonly coupling: number;
}

/** U_i after one update; `vectors` holds the U of all networks. */
export function agreeingVectors(
  vectors: readonly Tensor[],
  i: number,
  code: Tensor,
  partners: readonly Partner[],
  { variant, agreement, coupling }: AgreementOptions,
): Tensor {
  const u = vectors[i];
  const isProximity = variant === "proximity";
  const term = (v: Tensor): Tensor => (isProximity ? matmul(v, matmulTransposeA(v, u)) : v);
  let pull = scale(code, coupling);
  let push = scale(u, coupling);
  // partners that have all nodes share one term of M
  let whole = 0;
  for (const { network, rows, shared, ratio } of agreement === 0 ? [] : partners) {
    const weight = ((isProximity ? 2 : 1) * agreement * (1 + ratio)) / partners.length;
    pull = add(pull, term(gatherRows(vectors[network], rows)), weight);
    if (shared === undefined) whole += weight;
    else push = add(push, term(scaleRows(u, shared)), weight);
  }
  if (whole > 0) push = add(push, term(u), whole);
  const root = multiply(sqrt(pull), inverseSqrt(push, SMALLEST)); // (N/M)^½
  return multiply(isProximity ? sqrt(root) : root, u);
}
