/**
 * MTNE: multi-task network embedding. A reconstruction: no code was published, and the formulas here follow what the papers'
 * abstracts and later descriptions say, not the papers' own text.
 *
 * Xu, Wei, Cao, Yu, "Multi-Task Network Embedding", DSAA 2017; Int. J. Data Science and Analytics 8, 2019. Every relation
 * k is a task with vectors x_i^k of its own, learnt together through one further vector c_i per node that carries what the
 * relations have in common. Two ways to share:
 *
 *   common (MTNE-C)     x_i^k = u_i^k + c_i,  Σ_k L_k(x^k) + λ·(Σ_k ‖u^k‖² + ‖c‖²)
 *   consensus (MTNE-R)  x_i^k = u_i^k,        Σ_k L_k(u^k) + λ·Σ_k ‖u^k − c‖²
 *
 * and two structures to keep, with edge weights e and negatives n drawn in proportion to degree^¾:
 *
 *   first order   L_k(x) = −Σ_{(i,j)} e_ij·[log σ(x_i·x_j) + Σ_n log σ(−x_i·x_n)]
 *   second order  the same with contexts: x_i·y_j and x_i·y_n.
 *
 * The vectors of the nodes are c; pairs of a relation are scored by x_i^k·x_j^k, or x_i^k·y_j.
 *
 * Choices of the reconstruction:
 *  1. Edges are drawn by weight, from each relation in proportion to the sum of its weights, a batch a step; the penalty of a
 *     step is the batch's share of the whole one. Synchronous steps of Adam, because a result must not depend on the
 *     number of threads; the descriptions suggest stochastic gradient descent, edge by edge.
 *  2. The consensus is c_i = mean_k u_i^k, the best for given u, at every moment: it is no parameter of its own.
 *  3. The u^k of the consensus start near each other and are coupled from the first step on, so that they do not turn away
 *     from each other; described is a training without coupling, and orthogonal alignment after it.
 *  4. One table of contexts serves all relations. A context of a relation's own would be learnt only where the node has edges
 *     in it, and by negatives mostly: nodes without edges there would score above all others.
 *  5. The second order is the default. Inner products of vectors with themselves cannot be negative on average, so the first
 *     order brings most pairs to zero at best, and tells less.
 *  6. Width 64, 30 draws an edge; suggested are 128 and 100.
 * Memory: a table of vectors a relation, five times with gradient and Adam's moments: it grows with D·n·dim.
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
    doc: "x = u + c with a common c, or x = u drawn to a consensus c",
  }),
  order: choice("second", ["first", "second"], { doc: "edges between vectors, or between vectors and contexts" }),
  coupling: number(1, { min: 0, doc: "λ: weight of the lengths, or of the distances from the consensus" }),
  negatives: int(5, { min: 1, max: 100, doc: "nodes drawn against each edge" }),
  batch: int(0, { min: 0, max: 1e7, doc: "edges a step; 0: a sixteenth of all, at most 8192" }),
};

type Options = OptionValues<typeof options>;

/** Steps of an epoch of a small graph: fewer would leave it half trained. */
const STEPS = 16;
/** Edges of a step of a large graph: each step passes over all tables, so that small ones would be mostly that. */
const MAX_EDGES = 8192;

interface Parameters {
  /** c; of the common vectors only. */
  readonly common?: Tensor;
  /** u^k */
  readonly own: readonly Tensor[];
  /** y; of the second order only. */
  readonly context?: Tensor;
}

interface RelationData {
  readonly matrix: SparseOperator;
  readonly sources: Tensor;
  readonly noise: Tensor;
  /** Edges of it in a step; 0 where it has none. */
  readonly draws: number;
  /** What one of them stands for, 1 but for rounding. */
  readonly factor: number;
}

interface Prepared {
  readonly relations: readonly RelationData[];
  /** The batch as a part of all edges, by weight. */
  readonly share: number;
}

export const mtne: Model<typeof options> = defineModel({
  name: "mtne",
  paper: "Xu, Wei, Cao, Yu 2017, 2019, doi 10.1007/s41060-018-0166-2 (reconstruction)",
  year: 2017,
  summary: "vectors per relation plus one that all share, by LINE; a reconstruction, memory grows with D·n·dim",
  cost: "3·(1 + negatives)·nnz·dim + 20·nnz/batch·D·n·dim; memory 20·D·n·dim bytes and more",
  options,
  training: { epochs: 30, patience: 30, learningRate: 0.01, weightDecay: 0 },
  optimization: { optimizer: "adam", finalRate: 0.01, keep: "last" },
  presets: {
    common: { doc: "MTNE-C: x = u + c (the default)", options: {} },
    consensus: { doc: "MTNE-R: vectors of the relations drawn to their mean", options: { sharing: "consensus" } },
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
        const due = (batch * weights[k]) / total;
        const draws = weights[k] === 0 ? 0 : Math.max(1, Math.round(due));
        const factor = draws === 0 ? 0 : due / draws;
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
    // the distances from the mean add up to zero, so that nothing flows through it
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
 * The same numbers for all parameters that ask, each with a tenth of its own. Were they equal, the rounding of their mean
 * would decide where Adam, to which the size of a gradient is nothing, moves nodes without edges.
 */
function near(start: Initializer): Initializer {
  return (data, rng) => {
    const same = data.slice();
    start(same, new Rng(rng.seed, "mtne/start"));
    start(data, rng);
    for (let i = 0; i < data.length; i++) data[i] = same[i] + 0.1 * data[i];
  };
}

/** Stored entries of all relations: an undirected edge counts in both directions. */
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
