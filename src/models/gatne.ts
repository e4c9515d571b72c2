/**
 * GATNE: general attributed multiplex heterogeneous network embedding.
 *
 * Cen, Zou, Zhang, Yang, Zhou, Tang, "Representation Learning for Attributed Multiplex Heterogeneous Network", KDD 2019.
 * The vector of node i in relation r is v_ir = b_i + M_rᵀ·ū_ir, scaled to length one. ū_ir = Σ_t w_t·U_it, where U_it is the
 * mean of the edge vectors u_kt of i's neighbours k in relation t, and w is the softmax over t of a_rᵀ·tanh(A_r·U_it). The
 * logit of node j occurring near i on a walk in r is v_ir·c_j + d_j. b and u are tables (GATNE-T) or linear in the features
 * (GATNE-I, used if the graph has features). The score of a pair in r is the cosine; the vector of a node is the mean over
 * the relations.
 *
 * There are two published codes. The TensorFlow code produced the paper's numbers and is the default here: noise-contrastive
 * estimation with a bias, and the mean over neighbours. The options `objective` and `neighbors` offer the choices of the
 * PyTorch code. Deviations from the TensorFlow code:
 *  1. Steps are larger and synchronous. Each step draws a batch of new walks, start nodes with replacement; an epoch has on
 *     average one walk from each node and relation (code: 20 walks, drawn once, used in every epoch). The learning rate is
 *     therefore higher and decreases to 0. The number of epochs is fixed, chosen on the validation pairs of the Amazon
 *     graph; the code stops early by these pairs.
 *  2. Noise nodes are drawn per position of a walk and shared by the pairs of that position, with the weight of one draw per
 *     pair (code: 5 nodes shared by 64 pairs). Their distribution is the code's, log((k+2)/(k+1)) at frequency rank k, but by
 *     expected instead of counted visits; the expected number of draws is that with replacement.
 *  3. The bias d starts at the logarithm of the frequency, its value for nodes without any association, instead of 0. Hundreds
 *     of steps then suffice where the code takes hundreds of thousands.
 *  4. U is the mean over all neighbours, which is the expectation of the code's 10 draws. Without neighbours it is the node's
 *     own u, as in the code. The paper's further levels and pooling are in neither code.
 *  5. GATNE-I: the code adds two linear maps of the features before it normalises; one matrix is equivalent.
 *  6. Default width 64 (paper: 200). Node types and meta-path schemes are not used. Edge weights and directions are ignored, as
 *     in the code.
 */

import { choice, flag, int } from "../core/options.js";
import {
  add,
  blockMatmul,
  blockStarts,
  gatherRows,
  matmul,
  normalizeRows,
  randomKey,
  reshape,
  sampleNodes,
  scaleRows,
  softmaxRows,
  spmm,
  tanh,
} from "../engine/ops/index.js";
import type { Tensor } from "../engine/program.js";
import type { SparseOperator } from "../engine/sparse.js";
import { undirectedRelations } from "../graph/union.js";
import { normal, uniform, zeros } from "../nn/init.js";
import { meanOver } from "../nn/layers/aggregate.js";
import { featureMatrix } from "../nn/layers/node-input.js";
import { defineModel, type Model } from "../nn/model.js";
import { aliasTable } from "../nn/walks/alias-table.js";
import { neighborAggregator } from "../nn/walks/neighbor-aggregator.js";
import {
  countStarts,
  drawWalks,
  expectedVisits,
  logUniformLaw,
  planWalks,
  type WalkPlan,
  walksPerStep,
} from "../nn/walks/walk-plan.js";
import { walkSkipGramLoss } from "../nn/walks/walk-skip-gram.js";

const options = {
  dim: int(64, { min: 1, max: 4096, doc: "width of the vectors" }),
  edgeDim: int(10, { min: 1, max: 256, doc: "width of the edge vectors u" }),
  attentionDim: int(20, { min: 1, max: 256, doc: "width of the attention over relations" }),
  neighbors: choice("mean", ["mean", "sum"], { doc: "how the edge vectors of neighbours are aggregated" }),
  objective: choice("noise-contrastive", ["noise-contrastive", "negative-sampling"], {
    doc: "noise-contrastive: logits include a bias and the noise distribution; negative-sampling: they do not",
  }),
  features: flag(true, { doc: "compute vectors from the features if the graph has features (GATNE-I)" }),
  normalizeFeatures: flag(true, { doc: "divide each row of the features by the sum of its absolute values" }),
  walkLength: int(10, { min: 2, max: 1000, doc: "nodes on a walk" }),
  window: int(2, { min: 1, max: 100, doc: "maximum distance of a pair on a walk" }),
  negatives: int(5, { min: 1, max: 1000, doc: "noise nodes per position on a walk" }),
  batch: int(0, { min: 0, max: 1e6, doc: "walks per step; 0: a tenth of the nodes" }),
};

interface Parameters {
  /** b and u of each node, or the matrices that map features to them: [n or F, dim], [n or F, D·s]; s is edgeDim. */
  readonly base: Tensor;
  readonly edge: Tensor;
  /** A_r, a_r and M_r of all relations, one below the other: [D·s, a], [D·a, 1], [D·s, dim]. */
  readonly hidden: Tensor;
  readonly score: Tensor;
  readonly transform: Tensor;
  readonly context: Tensor;
  readonly bias?: Tensor;
}

interface Prepared {
  readonly numNodes: number;
  readonly numRelations: number;
  /** Row i·D + t: the neighbours of i in relation t. */
  readonly neighbors: SparseOperator;
  readonly features?: SparseOperator;
  readonly walks: WalkPlan;
  readonly noise: Tensor;
  /** Added to the logit of node j: log frequency_j − log(k·q_j) with k negatives and noise probability q; [n, 1]. */
  readonly offset?: Tensor;
  /** D identity matrices on top of each other, which sum the blocks of a row, [D·s, s]. */
  readonly blocks: Tensor;
}

export const gatne: Model<typeof options> = defineModel({
  name: "gatne",
  paper: "Cen, Zou, Zhang, Yang, Zhou, Tang 2019, arXiv:1905.01669",
  year: 2019,
  summary: "walks in each relation, one base vector and small vectors per relation; strong for links",
  cost: "3·D·n·walkLength·((2·window + negatives)·dim + D·edgeDim·attentionDim)",
  uses: ["features"],
  options,
  training: { epochs: 20, patience: 20, learningRate: 0.05, weightDecay: 0 },
  optimization: { finalRate: 0, keep: "last" },
  presets: {
    tensorflow: { doc: "the published TensorFlow code, which produced the paper's numbers (the default)", options: {} },
    pytorch: {
      doc: "objective and sum over neighbours of the published PyTorch code",
      options: { objective: "negative-sampling", neighbors: "sum" },
    },
    transductive: { doc: "GATNE-T, even if the graph has features", options: { features: false } },
  },

  steps(graph, o) {
    const all = countStarts(undirectedRelations(graph)).reduce((a, b) => a + b, 0);
    return Math.ceil(all / walksPerStep(graph.numNodes, o.batch));
  },

  prepare(graph, o, builder): Prepared {
    const { numNodes, features } = graph;
    const relations = undirectedRelations(graph);
    const numRelations = relations.length;
    const visits = expectedVisits(relations, o.walkLength);
    const noise = logUniformLaw(visits);
    const total = visits.reduce((a, b) => a + b, 0);
    return {
      numNodes,
      numRelations,
      neighbors: neighborAggregator(relations, o.neighbors),
      features:
        o.features && features !== undefined ? featureMatrix(features, numNodes, o.normalizeFeatures) : undefined,
      walks: planWalks(builder, relations, walksPerStep(graph.numNodes, o.batch)),
      noise: aliasTable(builder, noise),
      offset:
        o.objective === "noise-contrastive"
          ? builder.constant(
              noise.map((q, i) => (q === 0 ? 0 : Math.log(visits[i] / total / (o.negatives * q)))),
              numNodes,
              1,
            )
          : undefined,
      blocks: builder.constant(
        Float32Array.from({ length: numRelations * o.edgeDim ** 2 }, (_, e) => {
          return Math.floor(e / o.edgeDim) % o.edgeDim === e % o.edgeDim ? 1 : 0;
        }),
        numRelations * o.edgeDim,
        o.edgeDim,
      ),
    };
  },

  init(parameter, graph, o): Parameters {
    const { dim, edgeDim, attentionDim } = o;
    const numRelations = graph.relations.length;
    const rows = o.features && graph.features !== undefined ? graph.features.numColumns : graph.numNodes;
    const narrow = normal(1 / Math.sqrt(dim));
    return {
      base: parameter("base", rows, dim, uniform(1)),
      edge: parameter("edge", rows, numRelations * edgeDim, uniform(1)),
      hidden: parameter("attention.hidden", numRelations * edgeDim, attentionDim, narrow),
      score: parameter("attention.score", numRelations * attentionDim, 1, narrow),
      transform: parameter("transform", numRelations * edgeDim, dim, narrow),
      context: parameter("context", graph.numNodes, dim, narrow),
      bias: o.objective === "noise-contrastive" ? parameter("bias", graph.numNodes, 1, zeros) : undefined,
    };
  },

  loss(parameters, g, o, builder) {
    const { context, bias } = parameters;
    const walks = drawWalks(g.walks, "walks", { length: o.walkLength }); // [w, walkLength], by relation
    const places = reshape(walks, walks.rows * o.walkLength, 1);
    const { base, edge } = nodeTables(parameters, g);
    const sizes = g.walks.counts.map((count) => count * o.walkLength);
    const v = vectorsOf(parameters, g, gatherRows(base, places), gatherRows(edge, places), sizes); // [places, dim]

    const noise = sampleNodes(randomKey(builder, "noise"), g.noise, places.rows, o.negatives);
    const offset = g.offset === undefined || bias === undefined ? undefined : add(bias, g.offset);
    return walkSkipGramLoss({ walks, noise, x: { places: v }, context, offset, window: o.window, decreasing: false });
  },

  embed: (parameters, g) => meanOver(g.numRelations, (r) => relationTable(parameters, g, r)),

  relationScore: "cosine",
  relationVectors: (parameters, g, _, r) => ({ source: relationTable(parameters, g, r) }),
});

/** b [n, dim] and U [n, D·s] of all nodes; U_it has s columns from t·s in row i. */
function nodeTables({ base, edge }: Parameters, g: Prepared): { base: Tensor; edge: Tensor } {
  const [b, u] = g.features === undefined ? [base, edge] : [spmm(g.features, base), spmm(g.features, edge)];
  const rows = reshape(u, g.numNodes * g.numRelations, u.cols / g.numRelations);
  return { base: b, edge: reshape(spmm(g.neighbors, rows), g.numNodes, u.cols) };
}

/** v from b and U of nodes that are sorted by relation; `sizes` counts the rows of each: [m, dim], [m, D·s] → [m, dim]. */
function vectorsOf(p: Parameters, g: Prepared, base: Tensor, edge: Tensor, sizes: readonly number[]): Tensor {
  const { numRelations } = g;
  const rows = reshape(edge, edge.rows * numRelations, edge.cols / numRelations); // [m·D, s]
  const bounds = blockStarts(
    base.builder,
    sizes.map((size) => size * numRelations),
  );
  const scores = blockMatmul(tanh(blockMatmul(rows, p.hidden, bounds)), p.score, bounds); // [m·D, 1]
  const weights = softmaxRows(reshape(scores, edge.rows, numRelations));
  const weighted = scaleRows(rows, reshape(weights, rows.rows, 1));
  const mixed = matmul(reshape(weighted, edge.rows, edge.cols), g.blocks); // ū, [m, s]
  return normalizeRows(add(base, blockMatmul(mixed, p.transform, blockStarts(base.builder, sizes))));
}

/** v of all nodes in one relation. */
function relationTable(parameters: Parameters, g: Prepared, relation: number): Tensor {
  const { base, edge } = nodeTables(parameters, g);
  const sizes = g.walks.relations.map((_, r) => (r === relation ? g.numNodes : 0));
  return vectorsOf(parameters, g, base, edge, sizes);
}
