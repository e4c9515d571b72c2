/** One convolution per relation, H_d = ReLU(Â_d·X·W_d + b_d), on original and shuffled features; shared by DMGI and HDMI. */

import type { ProgramBuilder, Tensor } from "../../engine/program.js";
import type { SparseOperator } from "../../engine/sparse.js";
import type { GraphInput } from "../model.js";
import { type Convolution, convolveWith } from "./convolution.js";
import { infomaxTargets } from "./discriminator.js";
import { featureMatrix, type NodeInput, type Pass, projectInput } from "./node-input.js";

/** Constants made of a graph. */
export interface PreparedRelations {
  readonly numNodes: number;
  /** Â_d */
  readonly relations: readonly SparseOperator[];
  /** X; the identity without features. */
  readonly input: NodeInput;
  /** Targets of the discriminators for original and shuffled vectors. */
  readonly targets: Tensor;
}

/** Features (or one-hot rows), relations and targets as the encoders read them. */
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

/** H_d of every relation: [n, dim], or [n, 2·dim] with the shuffled vectors next to them. */
export function encodeRelations(
  convolutions: readonly Convolution[],
  { relations, input }: PreparedRelations,
  pass: Pass,
): Tensor[] {
  return relations.map((relation, d) =>
    convolveWith(relation, projectInput(input, convolutions[d].weight, pass, `dropout.${d}`), convolutions[d]),
  );
}
