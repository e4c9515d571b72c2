/**
 * CrossMNA: cross-network embedding for multi-network alignment.
 *
 * Chu, Fan, Yao, Zhu, Huang, Bi, "Cross-Network Embedding for Multi-Network Alignment", WWW 2019. Every node has one
 * inter-vector u_i, shared by all relations, and every relation k has a vector l_k. W maps inter-vectors into the space of the
 * relations: the intra-vector of node i in relation k is r_i^k = Wᵀu_i + l_k. An edge (i, j) of k is likely if r_i^k·r_j^k is large:
 *
 *   L = −Σ [log σ(r_i^k·r_j^k) + Σ_n log σ(−r_i^k·r_n^k)],  n drawn from relation k in proportion to degree^¾.
 *
 * Rows of U, W and l that are longer than one are scaled to length one before use; the gradient passes through the scaling, the
 * stored rows do not change. The vectors of the nodes are the scaled u_i; pairs of a relation are scored by r_i·r_j. All
 * nodes of a multiplex are anchors: they belong to every relation, with or without edges.
 *
 * Deviations from the published code:
 *  1. Each step draws new edges with replacement; the code splits an epoch into batches and drops the incomplete one.
 *  2. r_i·(Wᵀu_j + l_k) is computed as r_i·(Wᵀu_j) + r_i·l_k from one product U·W per step, not example by example.
 *  3. The mean square of RMSProp starts at zero, TensorFlow's at one; after twenty steps the difference is small.
 *  4. In a directed graph edges are drawn in their direction; the code adds the reverse edges. The score is symmetric.
 *  5. Both widths are 64, and there are 40 epochs; the code has widths 200 and 100 and 401 epochs: preset `reference`.
 * Edge weights are not used; the code reads them without using them.
 */

import { int } from "../core/options.js";
import {
  add,
  addRow,
  bceLogits,
  clipRows,
  concatColumns,
  type GroupedTables,
  gatherDots,
  gatherRows,
  matmul,
  randomKey,
  rowDots,
  sampleByGroup,
  sampleEntries,
} from "../engine/ops/index.js";
import type { Tensor } from "../engine/program.js";
import type { SparseOperator } from "../engine/sparse.js";
import { truncatedNormal } from "../nn/init.js";
import { defineModel, type Model } from "../nn/model.js";
import { aliasTables } from "../nn/walks/alias-table.js";
import { adjacency, degrees, NOISE_POWER } from "../nn/walks/skip-gram.js";

const options = {
  dim: int(64, { min: 1, max: 4096, doc: "width of the vectors u, shared by all relations" }),
  intraDim: int(64, { min: 1, max: 4096, doc: "width of the vectors r of each relation" }),
  negatives: int(1, { min: 1, max: 100, doc: "noise nodes per edge" }),
  batch: int(4096, { min: 1, doc: "edges per step" }),
};

/** Standard deviation of the starting values. */
const START = 0.3;

interface Parameters {
  /** U [n, dim] */
  readonly inter: Tensor;
  /** l [D, intraDim] */
  readonly relations: Tensor;
  /** W [dim, intraDim] */
  readonly weight: Tensor;
}

interface Prepared {
  readonly relations: readonly SparseOperator[];
  readonly noise: GroupedTables;
  /** 1 for the edge, 0 for its negatives, [batch, 1 + negatives]. */
  readonly targets: Tensor;
  /** 0 … batch − 1: row b of r belongs to edge b. */
  readonly places: Tensor;
  /** A row of ones; a column times it is repeated. */
  readonly repeat: Tensor;
  index(relation: number): Tensor;
}

export const crossmna: Model<typeof options> = defineModel({
  name: "crossmna",
  paper: "Chu, Fan, Yao, Zhu, Huang, Bi 2019, doi 10.1145/3308558.3313499",
  year: 2019,
  summary: "one vector per node and one per relation; for links within relations, with little memory",
  cost: "nnz·(3·n·dim/batch + 6·negatives + 15)·intraDim",
  options,
  training: { epochs: 40, patience: 40, learningRate: 0.025, weightDecay: 0 },
  optimization: { optimizer: "rmsprop", keep: "last" },
  presets: {
    paper: { doc: "the paper's model with width 64 (the default)", options: {} },
    reference: {
      doc: "widths and epochs of the published code",
      options: { dim: 200, intraDim: 100 },
      training: { epochs: 401, patience: 401 },
    },
  },

  steps: ({ relations }, o) => Math.ceil(relations.reduce((sum, { columns }) => sum + columns.length, 0) / o.batch),

  prepare(graph, o, builder): Prepared {
    const { batch } = o;
    const ends = 1 + o.negatives;
    const relations = graph.relations.map((relation) => adjacency(graph, { ...relation, values: undefined }));
    const noise = relations.map((relation) => degrees([relation]).map((degree) => degree ** NOISE_POWER));
    return {
      relations,
      noise: aliasTables(builder, noise),
      targets: builder.constant(
        Float32Array.from({ length: batch * ends }, (_, e) => (e % ends === 0 ? 1 : 0)),
        batch,
        ends,
      ),
      places: builder.constant(
        Uint32Array.from({ length: batch }, (_, b) => b),
        batch,
        1,
        "index",
      ),
      repeat: builder.constant(new Float32Array(ends).fill(1), 1, ends),
      index: (relation) => builder.constant(Uint32Array.of(relation), 1, 1, "index"),
    };
  },

  init(parameter, graph, o): Parameters {
    const start = truncatedNormal(START);
    return {
      inter: parameter("inter", graph.numNodes, o.dim, start),
      relations: parameter("relations", graph.relations.length, o.intraDim, start),
      weight: parameter("weight", o.dim, o.intraDim, start),
    };
  },

  loss(parameters, g, o, builder) {
    const edge = sampleEntries(randomKey(builder, "edges"), g.relations, o.batch);
    const negatives = sampleByGroup(randomKey(builder, "negatives"), g.noise, edge.matrix, o.negatives);
    const ends = concatColumns([edge.column, negatives]); // [batch, 1 + negatives]
    const shared = project(parameters);
    const l = gatherRows(clipRows(parameters.relations), edge.matrix); // [batch, intraDim]
    const r = add(gatherRows(shared, edge.row), l); // [batch, intraDim]
    const logits = add(gatherDots(r, shared, g.places, ends), matmul(rowDots(r, l), g.repeat)); // [batch, 1 + negatives]
    return bceLogits(logits, g.targets, 1);
  },

  embed: ({ inter }) => clipRows(inter),

  relationVectors(parameters, g, _, d) {
    const l = gatherRows(clipRows(parameters.relations), g.index(d)); // [1, intraDim]
    return { source: addRow(project(parameters), l) };
  },
  relationScore: "dot",
});

/** Wᵀu_i of all nodes, [n, intraDim]. */
function project({ inter, weight }: Parameters): Tensor {
  return matmul(clipRows(inter), clipRows(weight));
}
