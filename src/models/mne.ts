/**
 * MNE: scalable multiplex network embedding.
 *
 * Zhang, Qiu, Yi, Song, "Scalable Multiplex Network Embedding", IJCAI 2018. Every node has a common vector b_i and in each
 * relation k a short vector u_i^k. X_k maps short vectors into the space of the common ones: v_i^k = b_i + w·u_i^k·X_k.
 * Both are trained by skip-gram with negative samples: b on walks over the union of all relations (contexts c_j); u and X on
 * walks in each relation, where the vector is b_i + u_i^k·X_k with b fixed (contexts c_j^k of that relation).
 * Pairs of a relation are scored by the cosine of v^k at w = 0.5; the vector of a node is the mean of v^k at w = 1.
 *
 * The paper trains b, u and X together. The published code, which produced the paper's numbers, trains b first; therefore b
 * has no gradient from the relations here. Deviations from the code:
 *  1. Both stages run at the same time: each step draws walks on the union and `share` times as many per node in every
 *     relation (code: 100 and 20 passes). u and X follow a b that still moves, ever more slowly.
 *  2. Synchronous steps of Adam, each with new walks; an epoch has on average one walk from every node on the union. The code
 *     draws 20 walks once and passes over them pair by pair, by gradient descent.
 *  3. Instead of word2vec's random window sizes pairs have weights. The pairs of a position on a walk share noise nodes. Both
 *     have the same expectation. Noise nodes are drawn by degree^¾ instead of visits^¾. Frequent nodes are not subsampled
 *     (code: threshold 1e-3).
 *  4. Directions are ignored; the code follows them and ends a walk at a node without outgoing edges. Edge weights are not
 *     used, as in the code.
 *  5. Default width 64 (code: 200).
 */

import { int, number } from "../core/options.js";
import {
  add,
  assign,
  blockMatmul,
  blockStarts,
  clipRows,
  type GroupedTables,
  gatherRows,
  matmul,
  randomKey,
  randomWalks,
  reshape,
  sampleNodes,
  scale,
  sliceColumns,
  stopGradient,
} from "../engine/ops/index.js";
import type { Tensor } from "../engine/program.js";
import type { SparseOperator } from "../engine/sparse.js";
import { undirectedRelations, undirectedUnion } from "../graph/union.js";
import { uniform, zeros } from "../nn/init.js";
import { defineModel, type Model } from "../nn/model.js";
import { noiseTable, startTable } from "../nn/walks/skip-gram.js";
import { countStarts, planWalks, type WalkPlan, walksPerStep } from "../nn/walks/walk-plan.js";
import { drawInRelations, relationNoise, walkSkipGramLoss } from "../nn/walks/walk-skip-gram.js";

const options = {
  dim: int(64, { min: 1, max: 4096, doc: "width of the vectors" }),
  extraDim: int(10, { min: 1, max: 256, doc: "width of the short vectors u" }),
  relationWeight: number(0.5, { min: 0, doc: "w, weight of the short vectors in the score of links" }),
  share: number(0.2, {
    min: 0.001,
    max: 100,
    doc: "walks per node in each relation, as a multiple of the walks per node on the union of all relations",
  }),
  normLimit: number(1000, { min: 1e-3, doc: "maximum Frobenius norm of X" }),
  walkLength: int(10, { min: 2, max: 1000, doc: "nodes on a walk" }),
  window: int(5, { min: 1, max: 100, doc: "maximum distance of a pair on a walk" }),
  negatives: int(5, { min: 1, max: 1000, doc: "noise nodes per position on a walk" }),
  batch: int(0, { min: 0, max: 1e6, doc: "walks per step on the union of all relations; 0: a tenth of the nodes" }),
};

interface Parameters {
  /** b and its contexts, [n, dim]. */
  readonly base: Tensor;
  readonly baseContext: Tensor;
  /** u, [n, D·s]: relation k has the s = extraDim columns from k·s. */
  readonly extra: Tensor;
  /** X_k of all relations, one below the other, [D·s, dim]. */
  readonly transform: Tensor;
  /** c^k, [n, D·dim]. */
  readonly context: Tensor;
}

interface Prepared {
  readonly numNodes: number;
  /** The union of all relations. */
  readonly union: { readonly graph: SparseOperator; readonly starts: Tensor; readonly noise: Tensor };
  readonly count: number;
  readonly plan: WalkPlan;
  readonly noise: GroupedTables;
}

export const mne: Model<typeof options> = defineModel({
  name: "mne",
  paper: "Zhang, Qiu, Yi, Song 2018, doi 10.24963/ijcai.2018/428",
  year: 2018,
  summary: "one common vector per node and a short vector per relation, learnt from walks; for links within relations",
  cost: "3·(1 + D·share)·n·walkLength·(2·window + negatives)·dim",
  options,
  training: { epochs: 60, patience: 60, learningRate: 0.05, weightDecay: 0 },
  optimization: { finalRate: 0, keep: "last" },
  presets: { paper: { doc: "the published code's settings at a width of 64 (the default)", options: {} } },

  steps: (graph, o) => Math.ceil(countStarts([undirectedUnion(graph)])[0] / walksPerStep(graph.numNodes, o.batch)),

  prepare(graph, o, builder): Prepared {
    const { numNodes } = graph;
    const relations = undirectedRelations(graph);
    const union = undirectedUnion(graph);
    const count = walksPerStep(graph.numNodes, o.batch);
    const [all, inRelations] = [[union], relations].map((of) => countStarts(of).reduce((a, b) => a + b, 0));
    return {
      numNodes,
      union: { graph: union, starts: startTable(builder, [union]), noise: noiseTable(builder, [union]) },
      count,
      plan: planWalks(builder, relations, (o.share * count * inRelations) / all),
      noise: relationNoise(builder, relations),
    };
  },

  init(parameter, graph, o): Parameters {
    const { numNodes } = graph;
    const relations = undirectedRelations(graph);
    const cols = relations.length * o.extraDim;
    const start = uniform(0.5 / o.extraDim);
    return {
      base: parameter("base", numNodes, o.dim, uniform(0.5 / o.dim)),
      baseContext: parameter("baseContext", numNodes, o.dim, zeros),
      extra: parameter("extra", numNodes, cols, (data, rng) => {
        start(data, rng);
        // walks in a relation never visit a node without edges there: its u starts at zero and stays zero, so v = b
        relations.forEach(({ rowStart }, k) => {
          for (let i = 0; i < numNodes; i++) {
            const at = i * cols + k * o.extraDim;
            if (rowStart[i + 1] === rowStart[i]) data.fill(0, at, at + o.extraDim);
          }
        });
      }),
      transform: parameter("transform", cols, o.dim, zeros),
      context: parameter("context", numNodes, relations.length * o.dim, zeros),
    };
  },

  loss(parameters, g, o) {
    const { base, baseContext, extra, transform, context } = parameters;
    const { window, negatives, walkLength: length } = o;
    const { builder } = base;
    const { graph, ...tables } = g.union;
    const starts = sampleNodes(randomKey(builder, "all.starts"), tables.starts, g.count);
    const everywhere = walkSkipGramLoss({
      walks: randomWalks({ key: randomKey(builder, "all.steps"), starts }, [graph], { length }),
      noise: sampleNodes(randomKey(builder, "all.noise"), tables.noise, g.count * length, negatives),
      x: { table: base },
      context: baseContext,
      window,
      decreasing: true,
    });

    const { nodes, walks, noise } = drawInRelations(g.plan, g.noise, "relations", o);
    const numRelations = g.plan.relations.length;
    const perRelation = (table: Tensor) => reshape(table, g.numNodes * numRelations, table.cols / numRelations);
    const numPlaces = nodes.rows * length;
    const b = stopGradient(gatherRows(base, reshape(nodes, numPlaces, 1)));
    const u = gatherRows(perRelation(extra), reshape(walks, numPlaces, 1));
    const bounds = blockStarts(
      builder,
      g.plan.counts.map((count) => count * length),
    );
    const x = { places: add(b, blockMatmul(u, transform, bounds)) }; // [places, dim]
    const inRelations = walkSkipGramLoss({ walks, noise, x, context: perRelation(context), window, decreasing: true });
    return add(everywhere, inRelations);
  },

  update({ transform }, g, { normLimit }) {
    const numRelations = g.plan.relations.length;
    const flat = reshape(transform, numRelations, (transform.rows / numRelations) * transform.cols);
    const clipped = scale(clipRows(scale(flat, 1 / normLimit)), normLimit);
    assign(transform, reshape(clipped, transform.rows, transform.cols));
  },

  // the sum of u^k·X_k over the relations is one matrix product
  embed: ({ base, extra, transform }, g) => add(base, matmul(extra, transform), 1 / g.plan.relations.length),

  relationScore: "cosine",
  relationVectors({ base, extra, transform }, g, o, relation) {
    const { builder } = base;
    const u = sliceColumns(extra, relation * o.extraDim, o.extraDim);
    const bounds = blockStarts(
      builder,
      g.plan.relations.map((_, k) => (k === relation ? g.numNodes : 0)),
    );
    return { source: add(base, blockMatmul(u, transform, bounds), o.relationWeight) };
  },
});
