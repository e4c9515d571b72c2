/** One convolution for each relation, H_d = ReLU(Â_d·X·W_d + b_d), told from shuffled features: what DMGI and HDMI share. */

import type { ProgramBuilder, Tensor } from "../../engine/program.js";
import type { SparseOperator } from "../../engine/sparse.js";
import type { GraphInput } from "../model.js";
import { type Convolution, convolveWith } from "./convolution.js";
import { infomaxTargets } from "./discriminator.js";
import { featureMatrix, type NodeInput, type Pass, projectInput } from "./node-input.js";

export interface PreparedRelations {
  readonly numNodes: number;
  /** Â_d */
  readonly relations: readonly SparseOperator[];
  /** X; the identity without features. */
  readonly input: NodeInput;
  /** What the discriminators should say of true and of shuffled vectors. */
  readonly targets: Tensor;
}

export function prepareRelations(
  { numNodes, features }: GraphInput,
  relations: readonly SparseOperator[],
  normalizeFeatures: boolean,
  builder: ProgramBuilder,
): PreparedRelations {
  return {
    numNodes,
    relations,
    input:
      features === undefined
        ? { kind: "oneHot" }
        : { kind: "features", matrix: featureMatrix(features, numNodes, normalizeFeatures) },
    targets: infomaxTargets(builder, numNodes),
  };
}

/** H_d of every relation; [n, dim], or with the shuffled vectors beside them [n, 2·dim]. */
export function encodeRelations(
  convolutions: readonly Convolution[],
  { relations, input }: PreparedRelations,
  pass: Pass,
): Tensor[] {
  return relations.map((relation, d) =>
    convolveWith(relation, projectInput(input, convolutions[d].weight, pass, `dropout.${d}`), convolutions[d]),
  );
}
