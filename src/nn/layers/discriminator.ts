/**
 * The infomax discriminator (Deep Graph Infomax, Veličković et al. 2019): distinguishes vectors of the graph from vectors of the
 * shuffled graph by ℓ_i = z_iᵀ·Q·s + q, where s is a summary of all original vectors.
 */

import { addRow, bceLogits, matmul, meanRows, reshape, sigmoid, sliceColumns } from "../../engine/ops/index.js";
import type { ProgramBuilder, Tensor } from "../../engine/program.js";
import { uniform, zeros } from "../init.js";
import type { ParameterFactory } from "../model.js";

/** Q and q. */
export interface Discriminator {
  readonly bilinear: Tensor;
  readonly bias?: Tensor;
}

/** Declares the parameters. Q starts uniform in ±√(6/(rows·dim + dim)), as in the published code; q starts at zero. */
export function initDiscriminator(
  parameter: ParameterFactory,
  dim: number,
  { withBias = true, name = "discriminator", rows = dim } = {},
): Discriminator {
  return {
    bilinear: parameter(`${name}.bilinear`, rows, dim, uniform(Math.sqrt(6 / (rows * dim + dim)))),
    bias: withBias ? parameter(`${name}.bias`, 1, 1, zeros) : undefined,
  };
}

/** How the summary s is computed from the mean vector, and how the loss is reduced. */
export interface InfomaxOptions {
  readonly summary: "mean" | "sigmoid";
  /** Mean over the 2n logits, or sum over the n nodes. */
  readonly reduction: "mean" | "sum";
}

/**
 * Logits [2n, 1] from z [n, 2·dim]. A row of z holds the original vector of a node, then its shuffled one; the logits have the
 * same order.
 */
export function infomaxLogits(z: Tensor, d: Discriminator, summary: InfomaxOptions["summary"]): Tensor {
  const dim = z.cols / 2;
  const mean = sliceColumns(meanRows(z), 0, dim); // [1, dim]
  const s = summary === "sigmoid" ? sigmoid(mean) : mean;
  const scores = matmul(reshape(z, 2 * z.rows, dim), matmul(d.bilinear, s, true)); // [2n, 1]
  return d.bias === undefined ? scores : addRow(scores, d.bias);
}

/** Targets of the logits, [2n, 1]: for each node 1 (original), then 0 (shuffled). */
export function infomaxTargets(builder: ProgramBuilder, numNodes: number): Tensor {
  return builder.constant(
    Float32Array.from({ length: 2 * numNodes }, (_, i) => (i % 2 === 0 ? 1 : 0)),
    2 * numNodes,
    1,
  );
}

/** Binary cross-entropy of the logits. */
export function infomaxLoss(logits: Tensor, targets: Tensor, reduction: InfomaxOptions["reduction"] = "mean"): Tensor {
  return bceLogits(logits, targets, reduction === "mean" ? 1 / logits.rows : 1);
}
