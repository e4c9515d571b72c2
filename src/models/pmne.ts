/**
 * PMNE: principled multilayer network embedding.
 *
 * Liu, Chen, Yeung, Suzumura, Chen, "Principled Multilayer Network Embedding", ICDM workshops 2017. Three ways from one
 * graph's node2vec (Grover, Leskovec 2016: biased walks, then skip-gram with negative samples) to several relations:
 *  n  network aggregation: the relations become one graph, edges merged, then node2vec;
 *  r  results aggregation: node2vec in every relation, the vectors side by side;
 *  c  co-analysis: one walk that before each step stays in its relation with probability `stay`, else changes it.
 * Pairs are scored by the cosine.
 *
 * There is no official code; the common implementation is the one beside MNE. Deviations from it:
 *  1. It multiplies by p and q where node2vec divides; here 1/p and 1/q. The defaults are 1.
 *  2. c: its weights for staying and moving carry the same factor, so that its ρ cancels out; here `stay` is what it says (the
 *     paper's r). It starts all walks in one relation; here at every node, in a relation that the node is in.
 *  3. r: `dim` is the width of all relations together. Each has dim/D columns, the first dim mod D one more (200 columns each
 *     in the implementation). A node's columns of a relation it is not in are not trained and stay at their small start
 *     (implementation: zeros).
 *  4. Steps are synchronous and Adam's: each draws walks anew, as many as a tenth of the nodes; an epoch is on average one
 *     walk from every node, or node and relation. The implementation draws 20 once and passes over them 100 times, pair by
 *     pair, by gradient descent.
 *  5. word2vec's random windows are weights, noise nodes are shared by the pairs of a place on a walk (both as expected), and
 *     drawn by degree^¾ instead of visits^¾.
 *  6. Weights of edges are not read, directions are dropped. Default width 64 (200).
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
    doc: "n: one graph of all relations; r: vectors of every relation side by side; c: walks that change relation",
  }),
  walkLength: int(10, { min: 2, max: 1000, doc: "nodes on a walk" }),
  window: int(5, { min: 1, max: 100, doc: "pairs are at most so many places apart on a walk" }),
  negatives: int(5, { min: 1, max: 1000, doc: "noise nodes of a place on a walk" }),
  p: number(1, { min: 1e-3, max: 1e3, doc: "node2vec's return parameter: small comes back" }),
  q: number(1, { min: 1e-3, max: 1e3, doc: "node2vec's in-out parameter: small goes away" }),
  stay: number(0.5, { min: 0, max: 1, doc: "method c: probability to stay in a relation" }),
  batch: int(0, { min: 0, max: 1e6, doc: "walks of a step; 0: a tenth of the nodes" }),
};

type Options = OptionValues<typeof options>;

interface Parameters {
  /** [n, dim]; method r: [n, D·width], columns d·width … are relation d's. */
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
  summary: "node2vec for several relations: on their union, on each, or across them; a plain strong baseline",
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
        // columns beyond a relation's share: zero here and in the contexts, they have no gradient and stay zero
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
    const parts = g.each ? g.relations.length : 1;
    const rows = (table: Tensor) => reshape(table, table.rows * parts, table.cols / parts);
    const tables = { x: { table: rows(vectors) }, context: rows(context) };
    return walkSkipGramLoss({ walks, noise, ...tables, window: o.window, decreasing: true });
  },

  embed({ vectors }, g, o) {
    const widths = columnsOf(g.relations.length, o);
    const width = vectors.cols / widths.length;
    if (widths.every((own) => own === width)) return vectors;
    return concatColumns(widths.map((own, d) => sliceColumns(vectors, d * width, own)));
  },
});

/** Columns of each relation side by side: one part of them all, unless each has its own. */
function columnsOf(numRelations: number, { method, dim }: Options): number[] {
  if (method !== "r") return [dim];
  return Array.from(
    { length: numRelations },
    (_, d) => Math.floor(dim / numRelations) + (d < dim % numRelations ? 1 : 0),
  );
}

function walkedRelations(graph: GraphInput, { method }: Options): SparseOperator[] {
  return method === "n" ? [undirectedUnion(graph)] : undirectedRelations(graph);
}

function startsAnywhere(relations: readonly SparseOperator[]): number {
  const weights = relations.map(startWeights);
  return weights[0].filter((_, i) => weights.some((own) => own[i] > 0)).length;
}

function walkInAll(g: Prepared & { readonly each: false }, o: Options, builder: ProgramBuilder) {
  const starts = sampleNodes(randomKey(builder, "walks.starts"), g.starts, g.count);
  const { walkLength: length, stay, p, q } = o;
  const walks = randomWalks({ key: randomKey(builder, "walks.steps"), starts }, g.relations, { length, stay, p, q });
  const noise = sampleNodes(randomKey(builder, "walks.noise"), g.noise, g.count * length, o.negatives);
  return { walks, noise };
}
