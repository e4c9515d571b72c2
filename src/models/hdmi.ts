/**
 * HDMI: high-order deep multiplex infomax.
 *
 * Jing, Park, Tong, "HDMI: High-order Deep Multiplex Infomax", WWW 2021, arXiv:2102.07810.
 *
 * Every relation d has an encoder H_d = ReLU(Â_d·X·W_d + b_d). Attention fuses the vectors of the relations into the embedding.
 * Three discriminators classify pairs for each relation, and three more for the fused vectors:
 *  - extrinsic: a vector or a shuffled vector, with the summary s = sigmoid(mean of the vectors);
 *  - intrinsic: a vector or a shuffled vector, with the features of the node;
 *  - joint: a vector, with the summary and the features of its node or of another node.
 * The loss is the weighted sum of their cross-entropies.
 *
 * Defaults are those of the published code. Deviations:
 *  1. `dim` is 64, the width at which methods are compared here; preset `published` has 128.
 *  2. Without features X is the identity, and every product with it, also in the discriminators, is a table.
 *  3. Loading a graph drops its self-loops; the published files of ACM and IMDB have one at every node, so the published
 *     numbers correspond to `selfLoop=4`.
 *  4. The scores of the fusion start Xavier-uniform with bias zero, as all other weights do.
 */

import { InputError } from "../core/errors.js";
import { choice, flag, int, number, type OptionValues } from "../core/options.js";
import {
  add,
  addRow,
  concatColumns,
  matmul,
  meanRows,
  type Permutation,
  permuteRows,
  randomPermutation,
  reshape,
  rowDots,
  scale,
  sigmoid,
  sliceColumns,
} from "../engine/ops/index.js";
import type { Tensor } from "../engine/program.js";
import { normalizedOperator } from "../graph/normalize.js";
import { xavierUniform, zeros } from "../nn/init.js";
import { initAttention } from "../nn/layers/aggregate.js";
import { type AttentionHead, poolRelations } from "../nn/layers/consensus.js";
import { type Convolution, initConvolution } from "../nn/layers/convolution.js";
import { type Discriminator, infomaxLogits, infomaxLoss, initDiscriminator } from "../nn/layers/discriminator.js";
import { projectInput } from "../nn/layers/node-input.js";
import { encodeRelations, type PreparedRelations, prepareRelations } from "../nn/layers/relation-encoders.js";
import { defineModel, type Model, type ParameterFactory } from "../nn/model.js";

const options = {
  dim: int(64, { min: 1, max: 4096, doc: "width of the vectors" }),
  fusion: choice("attention", ["attention", "mean"], { doc: "how the vectors of the relations are aggregated" }),
  extrinsic: number(1, { min: 0, doc: "weight of the extrinsic term of each relation: vector and summary" }),
  intrinsic: number(2, { min: 0, doc: "weight of the intrinsic term of each relation: vector and features" }),
  joint: number(0.001, { min: 0, doc: "weight of the joint term of each relation: vector, summary and features" }),
  fusedExtrinsic: number(0.01, { min: 0, doc: "weight of the extrinsic term of the fused vectors" }),
  fusedIntrinsic: number(0.1, { min: 0, doc: "weight of the intrinsic term of the fused vectors" }),
  fusedJoint: number(0.001, { min: 0, doc: "weight of the joint term of the fused vectors" }),
  separateDiscriminator: flag(true, { doc: "use separate discriminators for the fused vectors" }),
  selfLoop: number(3, { min: 0, doc: "self-loop weight added to each relation before normalisation" }),
  normalizeFeatures: flag(true, { doc: "divide each row of the features by the sum of its absolute values" }),
  bias: flag(true, { doc: "use biases in the convolutions" }),
  dropout: number(0, {
    min: 0,
    max: 0.95,
    doc: "dropout on the features at the input of the encoders, if the graph has features",
  }),
};

type Options = OptionValues<typeof options>;

/** A value for each of the three terms. */
interface Terms<T> {
  readonly extrinsic: T;
  readonly intrinsic: T;
  readonly joint: T;
}

/** Classifies the pair of h_i and q_i = σ(σ(s·C + c)·U + σ(x_i·F + f)·V + v) by a bilinear form. */
interface JointDiscriminator extends Discriminator {
  readonly summary: Dense;
  readonly features: Dense;
  readonly fromSummary: Tensor;
  readonly fromFeatures: Dense;
}

interface Dense {
  readonly weight: Tensor;
  readonly bias: Tensor;
}

/** Only the discriminators of terms with a weight above 0. */
interface Discriminators {
  readonly extrinsic?: Discriminator;
  readonly intrinsic?: Discriminator;
  readonly joint?: JointDiscriminator;
}

interface Parameters {
  readonly convolutions: readonly Convolution[];
  /** One attention head; empty if relations are averaged. */
  readonly heads: readonly AttentionHead[];
  readonly relations: Discriminators;
  readonly fused: Discriminators;
}

export const hdmi: Model<typeof options> = defineModel({
  name: "hdmi",
  paper: "Jing, Park, Tong 2021, arXiv:2102.07810",
  year: 2021,
  summary:
    "infomax of vectors, graph summary and features, per relation and for the fused vectors; for graphs with node features",
  cost: "4·nnz·dim + (2·D + 8)·(stored features)·dim + (8 + 4·D)·n·dim²",
  uses: ["features"],
  options,
  training: { epochs: 10_000, patience: 100, learningRate: 1e-3, weightDecay: 0 },
  presets: {
    compact: { doc: "vectors of width 64 (the default)", options: {} },
    published: { doc: "the width of the published code", options: { dim: 128 } },
    intrinsic: {
      doc: "intrinsic terms only, relations averaged: for informative features",
      options: {
        fusion: "mean",
        extrinsic: 0,
        intrinsic: 1,
        joint: 0,
        fusedExtrinsic: 0,
        fusedIntrinsic: 1,
        fusedJoint: 0,
      },
      training: { epochs: 2000 },
    },
  },

  check(_graph, o) {
    if (o.extrinsic + o.intrinsic + o.joint > 0) return;
    throw new InputError("hdmi: extrinsic, intrinsic and joint are all 0; expected a weight above 0 in one of them.");
  },

  prepare(graph, o, builder) {
    const { numNodes, directed } = graph;
    const relations = graph.relations.map((r) => normalizedOperator(r, numNodes, { selfLoop: o.selfLoop, directed }));
    return prepareRelations(graph, relations, o.normalizeFeatures, builder);
  },

  init(parameter, graph, o): Parameters {
    const { dim } = o;
    const { numNodes, relations, features } = graph;
    const width = features?.numColumns ?? numNodes;
    const fused = fusedWeights(o);
    const weights = o.separateDiscriminator ? [o] : [o, fused];
    const ofRelations = initDiscriminators(parameter, "discriminator", width, dim, weights);
    return {
      convolutions: relations.map(({ name }) => initConvolution(parameter, `relation.${name}`, width, o)),
      heads:
        o.fusion === "attention"
          ? [
              relations.map(({ name }) =>
                initAttention(parameter, `attention.${name}`, dim, {
                  vector: xavierUniform(dim, 1),
                  matrix: xavierUniform(dim, dim),
                  bias: zeros,
                }),
              ),
            ]
          : [],
      relations: ofRelations,
      fused: o.separateDiscriminator
        ? initDiscriminators(parameter, "fusedDiscriminator", width, dim, [fused])
        : ofRelations,
    };
  },

  loss(parameters, prepared, o, builder) {
    const permutation = randomPermutation(builder, "shuffle", prepared.numNodes);
    const dropout = prepared.input.kind === "features" ? o.dropout : 0;
    const vectors = encodeRelations(parameters.convolutions, prepared, { permutation, dropout }); // D × [n, 2·dim]
    const relationTerms = lossTerms(parameters.relations, prepared, permutation, o);
    const fusedTerms = o.separateDiscriminator ? lossTerms(parameters.fused, prepared, permutation, o) : relationTerms;
    const losses = [
      ...vectors.flatMap((h) => relationTerms(h, o)),
      ...fusedTerms(poolRelations(vectors, parameters.heads, o.dim, "tanh"), fusedWeights(o)),
    ];
    return losses.reduce((sum, loss) => add(sum, loss));
  },

  embed: (parameters, prepared, o) =>
    poolRelations(encodeRelations(parameters.convolutions, prepared, { dropout: 0 }), parameters.heads, o.dim, "tanh"),
});

function initDense(parameter: ParameterFactory, name: string, fanIn: number, dim: number): Dense {
  return {
    weight: parameter(`${name}.weight`, fanIn, dim, xavierUniform(fanIn, dim)),
    bias: parameter(`${name}.bias`, 1, dim, zeros),
  };
}

function fusedWeights(o: Options): Terms<number> {
  return { extrinsic: o.fusedExtrinsic, intrinsic: o.fusedIntrinsic, joint: o.fusedJoint };
}

/** The discriminators of all terms that have a weight above 0 in one of `uses`. */
function initDiscriminators(
  parameter: ParameterFactory,
  name: string,
  width: number,
  dim: number,
  uses: readonly Terms<number>[],
): Discriminators {
  const half = xavierUniform(2 * dim, dim); // two halves of the weight of one layer
  const used = (term: keyof Terms<number>) => uses.some((weights) => weights[term] > 0);
  const bilinear = (term: keyof Terms<number>, rows = dim) =>
    initDiscriminator(parameter, dim, { name: `${name}.${term}`, rows });
  return {
    extrinsic: used("extrinsic") ? bilinear("extrinsic") : undefined,
    intrinsic: used("intrinsic") ? bilinear("intrinsic", width) : undefined,
    joint: used("joint")
      ? {
          ...bilinear("joint"),
          summary: initDense(parameter, `${name}.joint.summary`, dim, dim),
          features: initDense(parameter, `${name}.joint.features`, width, dim),
          fromSummary: parameter(`${name}.joint.fromSummary.weight`, dim, dim, half),
          fromFeatures: {
            weight: parameter(`${name}.joint.fromFeatures.weight`, dim, dim, half),
            bias: parameter(`${name}.joint.fromFeatures.bias`, 1, dim, zeros),
          },
        }
      : undefined,
  };
}

/**
 * A function that computes the terms of the loss with a weight above 0, for vectors [n, 2·dim]. Everything that does not
 * depend on the vectors is computed once, here.
 */
function lossTerms(
  { extrinsic, intrinsic, joint }: Discriminators,
  { input, targets }: PreparedRelations,
  permutation: Permutation,
  { dim }: Options,
): (h: Tensor, weights: Terms<number>) => Tensor[] {
  const project = (weight: Tensor) => projectInput(input, weight, { dropout: 0 }, "");
  const dense = (x: Tensor, { bias }: Dense) => sigmoid(addRow(x, bias));
  const features = intrinsic && project(intrinsic.bilinear); // x_i·I, [n, dim]
  const hidden = joint && dense(project(joint.features.weight), joint.features);
  const half = joint && hidden && addRow(matmul(hidden, joint.fromFeatures.weight), joint.fromFeatures.bias);

  return (h, weights) => {
    const clean = sliceColumns(h, 0, dim);
    const losses: Tensor[] = [];
    const addTerm = (logits: Tensor, weight: number) => losses.push(scale(infomaxLoss(logits, targets), weight));
    if (extrinsic && weights.extrinsic > 0) addTerm(infomaxLogits(h, extrinsic, "sigmoid"), weights.extrinsic);
    if (intrinsic && features && weights.intrinsic > 0) {
      // the features of a node with its vector, and with the shuffled vector
      const shuffled = sliceColumns(h, dim, dim);
      addTerm(pairLogits(rowDots(features, clean), rowDots(features, shuffled), intrinsic), weights.intrinsic);
    }
    if (joint && half && weights.joint > 0) {
      // the vector of a node with its own features, and with those of another node
      const summary = sigmoid(meanRows(clean)); // [1, dim]
      const fromSummary = matmul(dense(matmul(summary, joint.summary.weight), joint.summary), joint.fromSummary);
      const query = matmul(sigmoid(addRow(half, fromSummary)), joint.bilinear); // q_i·J, [n, dim]
      addTerm(pairLogits(rowDots(query, clean), rowDots(permuteRows(query, permutation), clean), joint), weights.joint);
    }
    return losses;
  };
}

/** Logits of true and false pairs, alternating, [2n, 1]. */
function pairLogits(truePairs: Tensor, falsePairs: Tensor, { bias }: Discriminator): Tensor {
  const logits = reshape(concatColumns([truePairs, falsePairs]), 2 * truePairs.rows, 1);
  return bias === undefined ? logits : addRow(logits, bias);
}
