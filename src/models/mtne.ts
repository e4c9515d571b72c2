/**
 * MTNE: multi-task network embedding. A reconstruction: no code was published, and the formulas here follow the papers'
 * abstracts and later descriptions, not the text of the papers.
 *
 * Xu, Wei, Cao, Yu, "Multi-Task Network Embedding", DSAA 2017; Int. J. Data Science and Analytics 8, 2019. Every relation
 * k is a task with its own vectors x_i^k. One more vector c_i per node, common to all relations, couples the tasks, in one
 * of two ways:
 *
 *   common (MTNE-C)     x_i^k = u_i^k + c_i,  Σ_k L_k(x^k) + λ·(Σ_k ‖u^k‖² + ‖c‖²)
 *   consensus (MTNE-R)  x_i^k = u_i^k,        Σ_k L_k(u^k) + λ·Σ_k ‖u^k − c‖²
 *
 * The loss of a relation preserves one of two structures, with edge weights e and negatives n drawn in proportion to degree^¾:
 *
 *   first order   L_k(x) = −Σ_{(i,j)} e_ij·[log σ(x_i·x_j) + Σ_n log σ(−x_i·x_n)]
 *   second order  the same with contexts: x_i·y_j and x_i·y_n.
 *
 * The vectors of the nodes are c; pairs of a relation are scored by x_i^k·x_j^k, or x_i^k·y_j.
 *
 * Choices of the reconstruction:
 *  1. Each step draws a batch of edges by weight, from each relation in proportion to the sum of its weights; the penalty of a
 *     step is multiplied by the batch's share of all edges. Synchronous steps of Adam, because a result must not depend on
 *     the number of threads; the descriptions suggest stochastic gradient descent, edge by edge.
 *  2. The consensus is always c_i = mean_k u_i^k, which is optimal for fixed u; it is not a parameter.
 *  3. The u^k of the consensus start near each other and are coupled from the first step on, so that they do not rotate apart.
 *     The descriptions train without coupling and align the vectors by an orthogonal map afterwards.
 *  4. One table of contexts serves all relations. With a table per relation, the context of a node without edges in a relation
 *     would not be trained, except as a negative, and such nodes would score above all others.
 *  5. The second order is the default. Inner products of vectors from one table cannot be negative on average, so the first
 *     order brings most pairs to zero at best, and its vectors are less informative.
 *  6. Width 64 and 30 draws per edge; the descriptions suggest 128 and 100.
 * Memory: a table of vectors per relation, five times because of gradient and Adam's moments: it grows with D·n·dim.
 */

import { choice, int, number, type OptionValues } from "../core/options.js";
import { Rng } from "../core/rng.js";
import { add, randomKey, sampleNodes, stopGradient, sumSquares } from "../engine/ops/index.js";
import type { Tensor } from "../engine/program.js";
import type { SparseOperator } from "../engine/sparse.js";
import { type Initializer, uniform, zeros } from "../nn/init.js";
import { meanOver } from "../nn/layers/aggregate.js";
import { defineModel, type GraphInput, type Model } from "../nn/model.js";
import { adjacency, negativeSamplingLoss, noiseTable, sampleEdges, sourceTable } from "../nn/walks/skip-gram.js";

const options = {
  dim: int(64, { min: 1, max: 4096, doc: "width of the vectors" }),
  sharing: choice("common", ["common", "consensus"], {
    doc: "common: x = u + c; consensus: x = u, pulled towards the consensus c",
  }),
  order: choice("second", ["first", "second"], {
    doc: "first: products of vectors; second: products of vectors and contexts",
  }),
  coupling: number(1, {
    min: 0,
    doc: "λ: weight of the squared lengths of u and c (common), or of the squared distances from c (consensus)",
  }),
  negatives: int(5, { min: 1, max: 100, doc: "noise nodes per edge" }),
  batch: int(0, { min: 0, max: 1e7, doc: "edges per step; 0: a sixteenth of all edges, but at most 8192" }),
};

type Options = OptionValues<typeof options>;

/** Steps per epoch in a small graph; with fewer steps training does not converge. */
const STEPS = 16;
/** Maximum batch, in edges. Every step passes over all tables; with a smaller batch a step would mostly do that. */
const MAX_EDGES = 8192;

interface Parameters {
  /** c; only with sharing = common. */
  readonly common?: Tensor;
  /** u^k */
  readonly own: readonly Tensor[];
  /** y; only with order = second. */
  readonly context?: Tensor;
}

interface RelationData {
  readonly matrix: SparseOperator;
  readonly sources: Tensor;
  readonly noise: Tensor;
  /** Edges drawn per step; 0 for an empty relation. */
  readonly draws: number;
  /** Weight of a drawn edge; differs from 1 only because draws are rounded. */
  readonly factor: number;
}

interface Prepared {
  readonly relations: readonly RelationData[];
  /** The batch divided by the total weight of all edges. */
  readonly share: number;
}

export const mtne: Model<typeof options> = defineModel({
  name: "mtne",
  paper: "Xu, Wei, Cao, Yu 2017, 2019, doi 10.1007/s41060-018-0166-2 (reconstruction)",
  year: 2017,
  summary: "LINE with one vector per relation and a common vector; a reconstruction; memory grows with D·n·dim",
  cost: "3·(1 + negatives)·nnz·dim + 20·nnz/batch·D·n·dim; memory 20·D·n·dim bytes or more",
  options,
  training: { epochs: 30, patience: 30, learningRate: 0.01, weightDecay: 0 },
  optimization: { optimizer: "adam", finalRate: 0.01, keep: "last" },
  presets: {
    common: { doc: "MTNE-C: x = u + c (the default)", options: {} },
    consensus: { doc: "MTNE-R: vectors of the relations pulled towards their mean", options: { sharing: "consensus" } },
  },

  steps: (graph, o) => Math.ceil(countEntries(graph) / batchOf(graph, o)),

  prepare(graph, o, builder): Prepared {
    const batch = batchOf(graph, o);
    const matrices = graph.relations.map((relation) => adjacency(graph, relation));
    const weights = graph.relations.map(
      ({ columns, values }) => values?.reduce((sum, e) => sum + e, 0) ?? columns.length,
    );
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return {
      relations: matrices.map((matrix, k) => {
        const expected = (batch * weights[k]) / total;
        const draws = weights[k] === 0 ? 0 : Math.max(1, Math.round(expected));
        const factor = draws === 0 ? 0 : expected / draws;
        return {
          matrix,
          sources: sourceTable(builder, matrix),
          noise: noiseTable(builder, [matrix]),
          draws,
          factor,
        };
      }),
      share: batch / total,
    };
  },

  init(parameter, graph, o): Parameters {
    const start = uniform(0.5 / Math.sqrt(o.dim));
    return {
      common: o.sharing === "common" ? parameter("common", graph.numNodes, o.dim, start) : undefined,
      own: graph.relations.map(({ name }) =>
        parameter(`own.${name}`, graph.numNodes, o.dim, o.sharing === "common" ? zeros : near(start)),
      ),
      context: o.order === "second" ? parameter("context", graph.numNodes, o.dim, start) : undefined,
    };
  },

  loss(parameters, g, o, builder) {
    const { common, own, context } = parameters;
    const penalty = o.coupling * g.share;
    let total: Tensor | undefined;
    const sum = (term: Tensor) => {
      total = total === undefined ? term : add(total, term);
    };
    g.relations.forEach(({ matrix, sources, noise, draws, factor }, k) => {
      if (draws === 0) return;
      const x = vectorsOf(parameters, k);
      const pairs = sampleEdges(builder, `edges.${k}`, matrix, sources, draws);
      const negatives = sampleNodes(randomKey(builder, `negatives.${k}`), noise, draws, o.negatives);
      sum(negativeSamplingLoss({ x, context: context ?? x, ...pairs, negatives, factor }));
    });
    // distances from the mean sum to zero, so the gradient through the mean is zero
    const centre = common === undefined ? stopGradient(consensus(parameters)) : undefined;
    for (const vectors of own) sum(sumSquares(vectors, penalty, centre));
    if (common !== undefined) sum(sumSquares(common, penalty));
    return total!;
  },

  embed: (parameters) => parameters.common ?? consensus(parameters),

  relationVectors(parameters, _, __, k) {
    const source = vectorsOf(parameters, k);
    const { context: target } = parameters;
    return target === undefined ? { source } : { source, target };
  },
  relationScore: "dot",
});

/**
 * The same random numbers for all relations, plus a tenth of different ones. If the tables started equal, the rounding of
 * their mean would decide how Adam, which ignores the size of a gradient, moves nodes without edges.
 */
function near(start: Initializer): Initializer {
  return (data, rng) => {
    const common = data.slice();
    start(common, new Rng(rng.seed, "mtne/start"));
    start(data, rng);
    for (let i = 0; i < data.length; i++) data[i] = common[i] + 0.1 * data[i];
  };
}

/** Stored entries of all relations; an undirected edge has two. */
function countEntries({ relations }: GraphInput): number {
  return relations.reduce((sum, { columns }) => sum + columns.length, 0);
}

function batchOf(graph: GraphInput, o: Options): number {
  return o.batch > 0 ? o.batch : Math.min(MAX_EDGES, Math.ceil(countEntries(graph) / STEPS));
}

/** x^k [n, dim] */
function vectorsOf({ common, own }: Parameters, k: number): Tensor {
  return common === undefined ? own[k] : add(own[k], common);
}

/** mean_k u^k [n, dim] */
function consensus({ own }: Parameters): Tensor {
  return meanOver(own.length, (k) => own[k]);
}
