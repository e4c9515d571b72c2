/**
 * PMNE: principled multilayer network embedding.
 *
 * Liu, Chen, Yeung, Suzumura, Chen, "Principled Multilayer Network Embedding", ICDM workshops 2017. Three ways to extend
 * node2vec (Grover, Leskovec 2016: biased walks, then skip-gram with negative samples) from one graph to several relations:
 *  n  network aggregation: node2vec on the union of the relations;
 *  r  results aggregation: node2vec in every relation, vectors side by side;
 *  c  co-analysis: walks that before each step stay in their relation with probability `stay` and otherwise change it.
 * Pairs are scored by the cosine.
 *
 * There is no official code; the common implementation is part of the MNE repository. Deviations from it:
 *  1. It multiplies by p and q where node2vec divides; here 1/p and 1/q. The defaults are 1.
 *  2. c: in the implementation the weights for staying and for changing have the same factor, so its ρ cancels out; here
 *     `stay` is the probability of staying (the paper's r). It starts all walks in one relation; here walks start at every
 *     node, in a relation that contains the node.
 *  3. r: `dim` is the total width of all relations. Each has dim/D columns, the first dim mod D relations one more (200 columns
 *     each in the implementation). If a relation lacks a node, these columns of the node are not trained and keep their small
 *     initial values (implementation: zeros).
 *  4. Synchronous steps of Adam. Each step draws new walks, a tenth as many as nodes; an epoch has on average one walk from
 *     every node, or from every node in every relation. The implementation draws 20 walks per node once and passes over them
 *     100 times, pair by pair, by gradient descent.
 *  5. Instead of word2vec's random window sizes pairs have weights. The pairs of a position on a walk share noise nodes. Both
 *     have the same expectation. Noise nodes are drawn by degree^¾ instead of visits^¾.
 *  6. Edge weights are not used, directions are ignored. Default width 64 (implementation: 200).
 */

import { InputError } from "../core/errors.js";
import { choice, int, number, type OptionValues } from "../core/options.js";
import {
  concatColumns,
  type GroupedTables,
  randomKey,
  randomWalks,
  reshape,
  sampleNodes,
  sliceColumns,
} from "../engine/ops/index.js";
import type { ProgramBuilder, Tensor } from "../engine/program.js";
import type { SparseOperator } from "../engine/sparse.js";
import { undirectedRelations, undirectedUnion } from "../graph/union.js";
import { uniform, zeros } from "../nn/init.js";
import { defineModel, type GraphInput, type Model } from "../nn/model.js";
import { noiseTable, startTable } from "../nn/walks/skip-gram.js";
import { countStarts, planWalks, startWeights, type WalkPlan, walksPerStep } from "../nn/walks/walk-plan.js";
import { drawInRelations, relationNoise, walkSkipGramLoss } from "../nn/walks/walk-skip-gram.js";
import { largestOf } from "../numeric/extremes.js";

const options = {
  dim: int(64, { min: 1, max: 4096, doc: "width of the vectors" }),
  method: choice("n", ["n", "r", "c"], {
    doc: "n: union of all relations; r: vectors of all relations, concatenated; c: walks that change relation",
  }),
  walkLength: int(10, { min: 2, max: 1000, doc: "nodes on a walk" }),
  window: int(5, { min: 1, max: 100, doc: "maximum distance of a pair on a walk" }),
  negatives: int(5, { min: 1, max: 1000, doc: "noise nodes per position on a walk" }),
  p: number(1, { min: 1e-3, max: 1e3, doc: "node2vec's return parameter: small values make a walk return more often" }),
  q: number(1, { min: 1e-3, max: 1e3, doc: "node2vec's in-out parameter: small values make a walk move away faster" }),
  stay: number(0.5, { min: 0, max: 1, doc: "method c: probability of staying in the relation" }),
  batch: int(0, { min: 0, max: 1e6, doc: "walks per step; 0: a tenth of the nodes" }),
};

type Options = OptionValues<typeof options>;

interface Parameters {
  /** [n, dim]; method r: [n, D·width], relation d has the columns from d·width. */
  readonly vectors: Tensor;
  readonly context: Tensor;
}

type Prepared = { readonly relations: readonly SparseOperator[] } & (
  | { readonly each: true; readonly plan: WalkPlan; readonly noise: GroupedTables }
  | { readonly each: false; readonly count: number; readonly starts: Tensor; readonly noise: Tensor }
);

export const pmne: Model<typeof options> = defineModel({
  name: "pmne",
  paper: "Liu, Chen, Yeung, Suzumura, Chen 2017, arXiv:1709.03551",
  year: 2017,
  summary:
    "node2vec on the union of the relations, on each relation, or on walks across relations; a simple strong baseline",
  cost: "3·n·walkLength·(2·window + negatives)·dim",
  options,
  training: { epochs: 100, patience: 100, learningRate: 0.05, weightDecay: 0 },
  optimization: { finalRate: 0, keep: "last" },
  presets: {
    n: { doc: "network aggregation (the default)", options: {} },
    r: { doc: "results aggregation", options: { method: "r" } },
    c: { doc: "layer co-analysis", options: { method: "c" } },
  },

  check({ relations }, { method, dim }) {
    if (method === "r" && dim < relations.length) {
      throw new InputError(
        `pmne: dim is ${dim} for ${relations.length} relations; method r needs a column for each. Choose a larger dim or another method.`,
      );
    }
  },

  steps(graph, o) {
    const walked = walkedRelations(graph, o);
    const all = o.method === "c" ? startsAnywhere(walked) : countStarts(walked).reduce((a, b) => a + b, 0);
    return Math.ceil(all / walksPerStep(graph.numNodes, o.batch));
  },

  prepare(graph, o, builder): Prepared {
    const relations = walkedRelations(graph, o);
    const count = walksPerStep(graph.numNodes, o.batch);
    if (o.method === "r") {
      const plan = planWalks(builder, relations, count);
      return { relations, each: true, plan, noise: relationNoise(builder, relations) };
    }
    const [starts, noise] = [startTable(builder, relations), noiseTable(builder, relations)];
    return { relations, each: false, count, starts, noise };
  },

  init(parameter, graph, o): Parameters {
    const widths = columnsOf(graph.relations.length, o);
    const width = largestOf(widths);
    const cols = widths.length * width;
    const start = uniform(0.5 / o.dim);
    return {
      vectors: parameter("vectors", graph.numNodes, cols, (data, rng) => {
        start(data, rng);
        // padding columns are zero here and in the contexts, so they have no gradient and stay zero
        for (let i = 0; i < data.length; i++) {
          const column = i % cols;
          if (column % width >= widths[Math.floor(column / width)]) data[i] = 0;
        }
      }),
      context: parameter("context", graph.numNodes, cols, zeros),
    };
  },

  loss({ vectors, context }, g, o, builder) {
    const { walks, noise } = g.each ? drawInRelations(g.plan, g.noise, "walks", o) : walkInAll(g, o, builder);
    const numTables = g.each ? g.relations.length : 1;
    const rows = (table: Tensor) => reshape(table, table.rows * numTables, table.cols / numTables);
    const tables = { x: { table: rows(vectors) }, context: rows(context) };
    return walkSkipGramLoss({ walks, noise, ...tables, window: o.window, decreasing: true });
  },

  embed({ vectors }, g, o) {
    const widths = columnsOf(g.relations.length, o);
    const width = vectors.cols / widths.length;
    if (widths.every((relationWidth) => relationWidth === width)) return vectors;
    return concatColumns(widths.map((relationWidth, d) => sliceColumns(vectors, d * width, relationWidth)));
  },
});

/** Width of each relation, or one width for all relations together unless the method is r. */
function columnsOf(numRelations: number, { method, dim }: Options): number[] {
  if (method !== "r") return [dim];
  return Array.from(
    { length: numRelations },
    (_, d) => Math.floor(dim / numRelations) + (d < dim % numRelations ? 1 : 0),
  );
}

/** The graphs that walks use: the union, or every relation. */
function walkedRelations(graph: GraphInput, { method }: Options): SparseOperator[] {
  return method === "n" ? [undirectedUnion(graph)] : undirectedRelations(graph);
}

/** Number of nodes that have an edge in some relation. */
function startsAnywhere(relations: readonly SparseOperator[]): number {
  const weights = relations.map(startWeights);
  return weights[0].filter((_, i) => weights.some((relationWeights) => relationWeights[i] > 0)).length;
}

/** Walks that may change the relation, and their noise nodes. */
function walkInAll(g: Prepared & { readonly each: false }, o: Options, builder: ProgramBuilder) {
  const starts = sampleNodes(randomKey(builder, "walks.starts"), g.starts, g.count);
  const { walkLength: length, stay, p, q } = o;
  const walks = randomWalks({ key: randomKey(builder, "walks.steps"), starts }, g.relations, { length, stay, p, q });
  const noise = sampleNodes(randomKey(builder, "walks.noise"), g.noise, g.count * length, o.negatives);
  return { walks, noise };
}
