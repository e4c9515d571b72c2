/**
 * MELL: multiplex embedding with a vector per layer (relation).
 *
 * Matsuno, Murata, "MELL: Effective Embedding Method for Multiplex Networks", WWW 2018 Companion. In every relation l each
 * node has a head vector v^H_{l,i} and a tail vector v^T_{l,i}, and the relation has a vector r_l. The probability of an edge
 * is
 *
 *   p(i → j | l) = σ((v^H_{l,i} + r_l)·v^T_{l,j}),
 *   L = −Σ_{edges} log p − Σ_{pairs without edge} log(1 − p) + (λ/n)·(‖V^H‖² + ‖V^T‖²)
 *       + β·Σ_l (‖V^H_l − mean V^H‖² + ‖V^T_l − mean V^T‖²) + γ·‖R‖².
 *
 * The variance term keeps a node's vectors of different relations together. In an undirected graph one vector per node and
 * relation is both head and tail, every edge counts in both directions, and the score of a pair is the mean of the two. Every
 * step uses all edges and negatives·|edges| newly drawn pairs without an edge. The vector of a node is the mean over the
 * relations; in a directed graph the means of heads and tails are side by side, each half as wide.
 *
 * Memory: one table of vectors per relation, four times because of gradient and Adam's moments: it grows with D·n·dim.
 *
 * Deviations from the published code:
 *  1. The code confuses directed and undirected graphs, and shares head and tail in directed ones; this file follows the paper.
 *  2. Pairs without an edge are drawn from each relation separately, in proportion to its number of such pairs, without
 *     listing them (`sampleNonEdges`); the code lists those of all relations and draws from the list. A node with itself is
 *     not a pair.
 *  3. The score of an undirected pair is the mean of its two logits; in the code it is the mean of the probabilities.
 *  4. Logarithms of the sigmoid are computed so that they do not overflow.
 *  5. Width 64 and 100 iterations; the code has 128 and 500: preset `reference`.
 */

import { int, number, type OptionValues } from "../core/options.js";
import {
  add,
  addRow,
  bceLogits,
  concatColumns,
  gatherDots,
  gatherRows,
  matmul,
  present,
  randomKey,
  reshape,
  sampleNonEdges,
  sliceColumns,
  stopGradient,
  sumSquares,
} from "../engine/ops/index.js";
import type { ProgramBuilder, Tensor } from "../engine/program.js";
import type { SparseOperator } from "../engine/sparse.js";
import { uniform } from "../nn/init.js";
import { meanOver } from "../nn/layers/aggregate.js";
import { defineModel, type GraphInput, type Model } from "../nn/model.js";
import { adjacency } from "../nn/walks/skip-gram.js";

const options = {
  dim: int(64, {
    min: 1,
    max: 4096,
    doc: "width of the vectors; in a directed graph, of head and tail vector together",
  }),
  negatives: int(4, { min: 1, max: 100, doc: "negative pairs (pairs without an edge) per edge" }),
  norm: number(10, { min: 0, doc: "λ: weight of the vectors' lengths" }),
  variance: number(1, { min: 0, doc: "β: weight of the distances of a node's vectors from their mean" }),
  relationNorm: number(1, { min: 0, doc: "γ: weight of the lengths of the relations' vectors" }),
};

type Options = OptionValues<typeof options>;

interface RelationParameters {
  readonly head: Tensor;
  /** The head itself in an undirected graph. */
  readonly tail: Tensor;
  /** r_l [1, width] */
  readonly offset: Tensor;
}

interface RelationData {
  readonly matrix: SparseOperator;
  /** Endpoints of the edges, [1, edges]. */
  readonly left: Tensor;
  readonly right: Tensor;
  readonly numNegatives: number;
  /** 1 for edges, 0 for pairs without, [edges + numNegatives, 1]. */
  readonly targets: Tensor;
}

interface Prepared {
  readonly numNodes: number;
  readonly directed: boolean;
  readonly relations: readonly RelationData[];
}

export const mell: Model<typeof options> = defineModel({
  name: "mell",
  paper: "Matsuno, Murata 2018, doi 10.1145/3184558.3191565",
  year: 2018,
  summary: "one vector per node and relation, kept together by a variance term; for links; memory grows with D·n·dim",
  cost: "3·(1 + negatives)·nnz·dim + 20·D·n·dim; memory 16·D·n·dim bytes or more",
  options,
  training: { epochs: 100, patience: 100, learningRate: 0.075, weightDecay: 0 },
  optimization: { optimizer: "adam", keep: "last" },
  presets: {
    paper: { doc: "the paper, at a width of 64 (the default)", options: {} },
    reference: {
      doc: "width and iterations of the published code",
      options: { dim: 128 },
      training: { epochs: 500, patience: 500 },
    },
  },

  prepare(graph, o, builder): Prepared {
    const { numNodes, directed } = graph;
    return { numNodes, directed, relations: relationData(graph, o, builder) };
  },

  init(parameter, graph, o): readonly RelationParameters[] {
    const { numNodes, directed } = graph;
    const width = directed ? Math.ceil(o.dim / 2) : o.dim;
    const start = uniform(1);
    return graph.relations.map(({ name }) => {
      const head = parameter(`${directed ? "head" : "vectors"}.${name}`, numNodes, width, start);
      return {
        head,
        tail: directed ? parameter(`tail.${name}`, numNodes, width, start) : head,
        offset: parameter(`relation.${name}`, 1, width, start),
      };
    });
  },

  loss(parameters, g, o, builder) {
    const tables = g.directed
      ? [parameters.map(({ head }) => head), parameters.map(({ tail }) => tail)]
      : [parameters.map(({ head }) => head)];
    let total: Tensor | undefined;
    const sum = (term: Tensor) => {
      total = total === undefined ? term : add(total, term);
    };
    for (const table of tables) {
      // distances from the mean sum to zero, so the gradient through the mean is zero
      const mean = stopGradient(meanOver(table.length, (l) => table[l]));
      for (const vectors of table) {
        sum(sumSquares(vectors, o.norm / g.numNodes));
        sum(sumSquares(vectors, o.variance, mean));
      }
    }
    parameters.forEach((relation, l) => {
      sum(sumSquares(relation.offset, o.relationNorm));
      sum(edgeLoss(relation, g.relations[l], randomKey(builder, `negatives.${l}`)));
    });
    return total!;
  },

  embed(parameters, g, o) {
    const mean = (side: "head" | "tail") => meanOver(parameters.length, (l) => parameters[l][side]);
    return g.directed ? sliceColumns(concatColumns([mean("head"), mean("tail")]), 0, o.dim) : mean("head");
  },

  relationVectors(parameters, _, __, l) {
    const { head, tail, offset } = parameters[l];
    return { source: addRow(head, offset), target: tail };
  },
  relationScore: "dot",
});

function relationData(graph: GraphInput, o: Options, builder: ProgramBuilder): RelationData[] {
  const { numNodes, relations } = graph;
  const numEdges = relations.reduce((sum, { columns }) => sum + columns.length, 0);
  const numPairs = numNodes * (numNodes - 1);
  const free = relations.length * numPairs - numEdges;
  return relations.map((relation) => {
    const { rowStart, columns } = relation;
    const rows = new Uint32Array(columns.length);
    for (let i = 0; i < numNodes; i++) rows.fill(i, rowStart[i], rowStart[i + 1]);
    const edges = columns.length;
    const numNegatives = free === 0 ? 0 : Math.round(Math.min(1, (o.negatives * numEdges) / free) * (numPairs - edges));
    return {
      matrix: adjacency(graph, { ...relation, values: undefined }),
      left: builder.constant(rows, 1, edges, "index"),
      right: builder.constant(columns, 1, edges, "index"),
      numNegatives,
      targets: builder.constant(new Float32Array(edges + numNegatives).fill(1, 0, edges), edges + numNegatives, 1),
    };
  });
}

/** Cross-entropy of the edges of a relation and of pairs without an edge. */
function edgeLoss({ head, tail, offset }: RelationParameters, data: RelationData, key: Tensor): Tensor {
  const drawn = sampleNonEdges(key, data.matrix, data.numNegatives);
  const append = (edges: Tensor, others: Tensor) => {
    const all = concatColumns([edges, reshape(others, 1, data.numNegatives)]);
    return reshape(all, all.cols, 1);
  };
  const [left, right] = [append(data.left, drawn.left), append(data.right, drawn.right)]; // [edges + negatives, 1]
  const logits = add(gatherDots(head, tail, left, right), gatherRows(matmul(tail, offset, true), right)); // (v + r)·v'
  return bceLogits(logits, data.targets, 1, present(left));
}
