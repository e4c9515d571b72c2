/**
 * DMGI: deep multiplex graph infomax.
 *
 * Park, Kim, Han, Yu, "Unsupervised Attributed Multiplex Network Embedding", AAAI 2020, arXiv:1911.06750.
 *
 * Every relation d has an encoder H_d = ReLU(Â_d·X·W_d). One discriminator, shared by all relations, distinguishes its vectors
 * from those of shuffled features by their agreement with the summary sigmoid(mean of H_d). The vectors of the relations are
 * pooled into P, the shuffled ones into Q. A free matrix H, the embedding, is pulled towards P and away from Q by
 * γ·(|H − P|² − |H − Q|²).
 *
 * Defaults are those of the published code. Deviations:
 *  1. Vectors are scaled to length 1. The term above is linear in H (the squares of H cancel), so H grows throughout training,
 *     and the length of a row carries little information. Macro-F1 of the validated probe on IMDB's published split, seed 1:
 *     0.611 with lengths, 0.641 without. `unitVectors=false` keeps the lengths.
 *  2. Without features X is the identity, and X·W_d is the table W_d. There is no dropout then: dropping an entry of the
 *     identity would drop a node, and the noise would trigger early stopping (accuracy on planted communities: 0.58 after 48
 *     epochs, 1.00 without dropout).
 *  3. `selfLoop` is 3 as in text and code. Loading a graph drops its self-loops; the published files of ACM and IMDB have one
 *     at every node, so the published numbers correspond to `selfLoop=4`. The difference is small (IMDB, one seed: 0.641 and
 *     0.637).
 *  4. Attention follows the code, a linear score per relation, with one head; the text projects relation features.
 *  5. There is no semi-supervised variant; ssdcm, which builds on this model, learns from labels.
 */

import { choice, flag, int, number } from "../core/options.js";
import { add, normalizeRows, randomPermutation } from "../engine/ops/index.js";
import type { Tensor } from "../engine/program.js";
import { normalizedOperator } from "../graph/normalize.js";
import { xavierNormal } from "../nn/init.js";
import { type AttentionHead, consensusTerm, initHead, poolRelations } from "../nn/layers/consensus.js";
import { type Convolution, initConvolution } from "../nn/layers/convolution.js";
import { type Discriminator, infomaxLogits, infomaxLoss, initDiscriminator } from "../nn/layers/discriminator.js";
import { encodeRelations, prepareRelations } from "../nn/layers/relation-encoders.js";
import { defineModel, type Model } from "../nn/model.js";

const options = {
  dim: int(64, { min: 1, max: 4096, doc: "width of the vectors" }),
  pooling: choice("mean", ["mean", "attention"], { doc: "how the vectors of the relations are aggregated" }),
  vectors: choice("consensus", ["consensus", "pooled"], {
    doc: "vectors to return: the consensus H, or the pooled vectors P",
  }),
  unitVectors: flag(true, { doc: "scale every vector to length 1" }),
  consensusWeight: number(0.001, { min: 0, doc: "weight γ of the consensus term" }),
  selfLoop: number(3, { min: 0, doc: "self-loop weight added to each relation before normalisation" }),
  normalizeFeatures: flag(true, { doc: "divide each row of the features by the sum of its absolute values" }),
  bias: flag(false, { doc: "use biases in the convolutions" }),
  activation: choice("relu", ["relu", "prelu"], { doc: "activation of the convolutions" }),
  dropout: number(0.5, { min: 0, max: 0.95, doc: "dropout on the features, if the graph has features" }),
};

interface Parameters {
  readonly convolutions: readonly Convolution[];
  /** One head of attention, or none. */
  readonly heads: readonly AttentionHead[];
  readonly discriminator: Discriminator;
  /** H, [n, dim]. */
  readonly consensus: Tensor;
}

export const dmgi: Model<typeof options> = defineModel({
  name: "dmgi",
  paper: "Park, Kim, Han, Yu 2020, arXiv:1911.06750",
  year: 2020,
  summary: "one infomax encoder per relation and a consensus of their vectors; for few relations with node features",
  cost: "4·nnz·dim + 4·D·(stored features)·dim",
  uses: ["features"],
  options,
  training: { epochs: 10_000, patience: 20, learningRate: 5e-4, weightDecay: 1e-4 },
  presets: {
    mean: { doc: "relations averaged (the default)", options: {} },
    attention: { doc: "relations weighted per node by attention", options: { pooling: "attention" } },
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
    return {
      convolutions: relations.map(({ name }) => initConvolution(parameter, `relation.${name}`, width, o)),
      heads: o.pooling === "attention" ? [initHead(parameter, "attention", graph, dim)] : [],
      discriminator: initDiscriminator(parameter, dim),
      consensus: parameter("consensus", numNodes, dim, xavierNormal(numNodes * dim, dim)),
    };
  },

  loss(parameters, prepared, o, builder) {
    const permutation = randomPermutation(builder, "shuffle", prepared.numNodes);
    const dropout = prepared.input.kind === "features" ? o.dropout : 0;
    const vectors = encodeRelations(parameters.convolutions, prepared, { permutation, dropout }); // D × [n, 2·dim]
    const discriminated = vectors
      .map((h) => infomaxLoss(infomaxLogits(h, parameters.discriminator, "sigmoid"), prepared.targets))
      .reduce((sum, term) => add(sum, term));
    const pooled = poolRelations(vectors, parameters.heads, o.dim); // [n, 2·dim]
    return add(discriminated, consensusTerm(parameters.consensus, pooled), o.consensusWeight);
  },

  embed(parameters, prepared, o) {
    const vectors =
      o.vectors === "consensus"
        ? parameters.consensus
        : poolRelations(encodeRelations(parameters.convolutions, prepared, { dropout: 0 }), parameters.heads, o.dim);
    return o.unitVectors ? normalizeRows(vectors) : vectors;
  },
});
