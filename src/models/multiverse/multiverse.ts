/**
 * MultiVERSE: vectors whose inner products approximate the random walk with restart on the multiplex.
 *
 * Pio-Lopez, Valdeolivas, Tichit, Remy, Baudot, "MultiVERSE: a multiplex and multiplex-heterogeneous network embedding
 * approach", Scientific Reports 11:8794, 2021, after VERSE (Tsitsulin et al., WWW 2018). Symbols: r restart, δ jump
 * between relations, W the vectors, n nodes, m negatives.
 *
 * Each node u has a list of the 20 nodes most similar to it by the walk, with shares (models/multiverse/random-walk-restart.ts).
 * Training distinguishes v, drawn from the list of u, from m nodes x outside the list (noise-contrastive estimation):
 *   −log σ(w_u·w_v − log n) − Σ_x log σ(log(n/m) − w_u·w_x).
 *
 * Deviations from the paper and the published code:
 *  1. A step takes every node once as u, sums the gradients of all pairs and moves W once. The code draws u at random and
 *     moves two rows per pair, from many threads without locks, so its results are not reproducible.
 *  2. The walk is iterated in single precision until the error is below its resolution, 0.3^14 = 5e-8; the code stops at
 *     1e-10. Only the lists are kept; the code keeps the ranking of all n² pairs.
 *  3. A negative is redrawn while it is u or on the list of u, at most eight times; then it is kept, which happens in graphs
 *     with few more nodes than a list has. The code draws from the ranking without its last two places.
 *  4. W starts at Normal(0, 0.001²), not Normal(0, 1): the initial values never vanish from W, and a small start lets the strong
 *     directions grow first. Learning rate, its decrease to a tenth, and steps were chosen by measurement: 400 steps with n
 *     positive pairs each. The code uses 10⁸ pairs at rate 0.01 for any graph; preset `paper` has both.
 *  5. Weights of parallel edges were added when the graph was read; the code takes their mean.
 *  6. In a directed graph the walk follows the edges; the paper has undirected graphs.
 */

import { int, number, type OptionValues } from "../../core/options.js";
import type { Rng } from "../../core/rng.js";
import { addRow, bceLogits, gatherDots } from "../../engine/ops/index.js";
import type { Tensor } from "../../engine/program.js";
import { normal } from "../../nn/init.js";
import { defineModel, type Model, type NamedArrays } from "../../nn/model.js";
import { similarityLists, similarityStage } from "./random-walk-restart.js";

const options = {
  dim: int(64, { min: 1, max: 4096, doc: "width of the vectors" }),
  restart: number(0.7, { min: 0.1, max: 1, doc: "r, probability that a walk restarts at its first node" }),
  jump: number(0.5, { min: 0, max: 0.99, doc: "δ, weight of moves to other relations" }),
  neighbors: int(20, { min: 1, max: 1000, doc: "number of most similar nodes on the list of each node" }),
  negatives: int(3, { min: 1, max: 100, doc: "m, negative nodes (not on the list) per node on the list" }),
  start: number(0.001, { min: 1e-6, doc: "standard deviation of the initial vectors" }),
  steps: int(20, { min: 1, doc: "steps per epoch, each with one positive pair per node" }),
};

type Options = OptionValues<typeof options>;

/** Maximum number of draws of a negative; the last one is kept even if it is u or on its list. */
const TRIES = 8;

interface Prepared {
  readonly numNodes: number;
  /** Node u of each row of pairs, [n, 1]. */
  readonly left: Tensor;
  /** Draws the other ends of the pairs: for each u one node of its list, then the negatives. */
  fill(right: Uint32Array, rng: Rng): void;
}

/** Cumulative shares as 32-bit words: entry e is drawn if a random word is below its bound and not below the previous bound. */
function cumulativeWords(shares: Float32Array, size: number): Uint32Array {
  const words = new Uint32Array(shares.length);
  for (let start = 0; start < shares.length; start += size) {
    let sum = 0;
    for (let e = start; e < start + size; e++) {
      sum += shares[e];
      words[e] = Math.min(0xffffffff, Math.round(sum * 0x1_0000_0000));
    }
  }
  return words;
}

/** A function that draws the pairs of a step from the lists. */
export function pairSampler(arrays: NamedArrays, numNodes: number, { neighbors, negatives }: Options) {
  const nodes = arrays.nodes as Uint32Array;
  const bounds = cumulativeWords(arrays.shares as Float32Array, neighbors);
  const isExcluded = (u: number, x: number): boolean => {
    if (x === u) return true;
    for (let e = u * neighbors; e < (u + 1) * neighbors; e++) if (nodes[e] === x) return true;
    return false;
  };
  return (right: Uint32Array, rng: Rng): void => {
    let next = 0;
    for (let u = 0; u < numNodes; u++) {
      const word = rng.uint32();
      let e = u * neighbors;
      const last = e + neighbors - 1;
      while (e < last && word >= bounds[e]) e++;
      right[next++] = nodes[e];
      for (let k = 0; k < negatives; k++) {
        let x = rng.below(numNodes);
        for (let tries = 1; tries < TRIES && isExcluded(u, x); tries++) x = rng.below(numNodes);
        right[next++] = x;
      }
    }
  };
}

export const multiverse: Model<typeof options> = defineModel({
  name: "multiverse",
  paper: "Pio-Lopez, Valdeolivas, Tichit, Remy, Baudot 2021, arXiv:2008.10085",
  year: 2021,
  summary: "vectors whose products approximate random walks across relations; for links and neighbourhoods",
  cost: "3·steps·n·(1 + negatives)·dim; and 14·n·nnz once before training",
  options,
  training: { epochs: 20, patience: 20, learningRate: 0.05, weightDecay: 0 },
  optimization: { optimizer: "sgd", finalRate: 0.1, keep: "last" },
  presets: {
    measured: {
      doc: "initial values, learning rate and steps that were chosen by measurement (the default)",
      options: {},
    },
    paper: {
      doc: "width, initial values and learning rate of the published code, and as many pairs as it draws for 5,000 nodes",
      options: { dim: 128, start: 1 },
      training: { epochs: 1000, patience: 1000, learningRate: 0.01 },
    },
  },

  steps: (_, o) => o.steps,

  stages: (graph, o) => [similarityStage(graph, o)],

  async precompute(graph, o, tools) {
    const { nodes, shares } = await similarityLists(graph, o, o.neighbors, tools);
    return { nodes, shares };
  },

  prepare({ numNodes }, o, builder, arrays): Prepared {
    const left = builder.constant(
      Uint32Array.from({ length: numNodes }, (_, u) => u),
      numNodes,
      1,
      "index",
    );
    return { numNodes, left, fill: arrays === undefined ? () => {} : pairSampler(arrays, numNodes, o) };
  },

  init(parameter, { numNodes }, o) {
    return { vectors: parameter("vectors", numNodes, o.dim, normal(o.start)) };
  },

  loss({ vectors }, { numNodes, left, fill }, { negatives }, builder) {
    const width = 1 + negatives;
    const [right] = builder.random("pairs", [{ rows: numNodes, cols: width, dtype: "index" }], ([array], rng) => {
      if (array instanceof Uint32Array) fill(array, rng);
    });
    const products = gatherDots(vectors, vectors, left, right); // [n, 1 + m]
    const biases = new Float64Array(width).fill(-Math.log(numNodes / negatives));
    biases[0] = -Math.log(numNodes);
    const targets = new Float32Array(numNodes * width);
    for (let u = 0; u < numNodes; u++) targets[u * width] = 1;
    const logits = addRow(products, builder.constant(biases, 1, width));
    return bceLogits(logits, builder.constant(targets, numNodes, width), 1);
  },

  embed: ({ vectors }) => vectors,
});
