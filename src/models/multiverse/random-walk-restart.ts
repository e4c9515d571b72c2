/**
 * Random walk with restart on a multiplex (RWR-M; Valdeolivas et al., Bioinformatics 35(3), 2019). The result is a short list
 * of similar nodes per node.
 *
 * Every node has a copy in each of the D relations. From the copy of v in relation k the walk follows an edge v → w with
 * weight (1−δ)·A_k[v, w] and moves to each other copy of v with weight δ/(D−1), both divided by their sum c_k(v) =
 * (1−δ)·d_k(v) + δ. With probability r it restarts at one of the D copies of its seed. With p_k the probabilities in relation k,
 *   p_k ← (1−r)·[ (1−δ)·A_kᵀ·(p_k/c_k) + δ/(D−1)·(Σ_l p_l/c_l − p_k/c_k) ] + r/D·e_seed,
 * where "− p_k/c_k" is a diagonal inside the sparse matrix: one sparse product per relation, no supra-adjacency. The
 * similarity of seed and w is Σ_k p_k[w]. A copy without outgoing weight (only if D = 1) loses the probability that reaches it.
 */

import { addWork, type Stage, scaleWork, sparseProduct } from "../../core/work.js";
import { add, scale, scaleRows, spmm } from "../../engine/ops/index.js";
import type { ProgramBuilder, Tensor } from "../../engine/program.js";
import { type SparseOperator, transposeOperator } from "../../engine/sparse.js";
import type { GraphInput, PrecomputeTools, RelationInput } from "../../nn/model.js";
import { seedBlocksStage, visitSeedBlocks } from "../../nn/walks/seed-blocks.js";
import { TopEntries } from "../../numeric/top-entries.js";

export interface WalkOptions {
  /** r, the probability of a restart; in (0, 1]. */
  readonly restart: number;
  /** δ, weight of moves to other relations; in [0, 1). No effect in a graph of one relation. */
  readonly jump: number;
}

/** The k most similar nodes of each node, most similar first, with shares that sum to 1. */
export interface SimilarityLists {
  /** n × k; unused entries repeat the last node with share 0. */
  readonly nodes: Uint32Array;
  readonly shares: Float32Array;
}

/** Number of steps after which the error, (1−r)^steps, is below single precision. */
export function walkSteps(restart: number): number {
  return restart >= 1 ? 1 : Math.ceil(Math.log(2 ** -24) / Math.log(1 - restart));
}

/** The walk traced for a block of seeds: unit vectors [n, b] → similarities [n, b]. */
function traceWalk(graph: GraphInput, { restart, jump }: WalkOptions): (seeds: Tensor) => Tensor {
  const { numNodes, relations } = graph;
  const numRelations = relations.length;
  const delta = numRelations === 1 ? 0 : jump;
  const toOthers = delta === 0 ? 0 : delta / (numRelations - 1);
  const inverse = relations.map((relation) =>
    outWeights(relation, numNodes).map((degree) => {
      const sum = (1 - delta) * degree + delta;
      return sum > 0 ? (1 - restart) / sum : 0;
    }),
  );
  const matrices = relations.map((relation, k) => alongEdges(relation, inverse[k], delta, toOthers, graph.directed));
  return (seeds) => {
    const { builder } = seeds;
    const leaving = inverse.map((factors) => column(builder, factors, toOthers));
    const again = scale(seeds, restart / numRelations);
    const start = scale(seeds, 1 / numRelations);
    let parts = relations.map(() => start);
    for (let step = walkSteps(restart); step > 0; step--) {
      const arriving =
        toOthers === 0 ? again : parts.reduce((sum, part, k) => add(sum, scaleRows(part, leaving[k])), again);
      parts = parts.map((part, k) => add(spmm(matrices[k], part), arriving)); // [n, b] each
    }
    return parts.reduce((sum, part) => add(sum, part));
  };
}

function outWeights({ rowStart, values }: RelationInput, numNodes: number): Float64Array {
  return Float64Array.from({ length: numNodes }, (_, i) => {
    if (values === undefined) return rowStart[i + 1] - rowStart[i];
    let sum = 0;
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) sum += values[e];
    return sum;
  });
}

/** (1−δ)·Aᵀ·diag(inverse) − δ/(D−1)·diag(inverse). */
function alongEdges(
  { rowStart, columns, values }: RelationInput,
  inverse: Float64Array,
  delta: number,
  toOthers: number,
  directed: boolean,
): SparseOperator {
  const numNodes = inverse.length;
  const plain = { numRows: numNodes, numColumns: numNodes, rowStart, columns, values, symmetric: !directed };
  return transposeOperator({
    ...plain,
    left: inverse.map((factor) => (1 - delta) * factor),
    diagonal: toOthers === 0 ? 0 : -toOthers / (1 - delta),
  });
}

function column(builder: ProgramBuilder, data: Float64Array, factor: number): Tensor {
  return builder.constant(
    data.map((x) => x * factor),
    data.length,
    1,
  );
}

const WHAT = "similar nodes by random walks";

/** Vectors per seed that a walk keeps in memory. */
function liveVectors(numRelations: number): number {
  return 3 * numRelations + 4;
}

/** The stage of `similarityLists`. */
export function similarityStage({ numNodes, relations }: GraphInput, { restart }: WalkOptions): Stage {
  const step = (width: number) =>
    addWork(...relations.map(({ columns }) => sparseProduct(columns.length, numNodes, width)), {
      streamed: 4 * numNodes * width * 8 * relations.length,
    });
  const seeds = { name: WHAT, numNodes, live: liveVectors(relations.length) };
  return seedBlocksStage(seeds, (width) => scaleWork(step(width), walkSteps(restart)), 3);
}

/**
 * The lists of all nodes. A node's similarity to itself is replaced by its smallest positive similarity. A node is therefore
 * the last entry of its own list if fewer than `size` others are reachable, and the only entry if none is. Memory
 * O(n·size + n·64·D).
 */
export async function similarityLists(
  graph: GraphInput,
  options: WalkOptions,
  size: number,
  tools: PrecomputeTools,
): Promise<SimilarityLists> {
  const { numNodes, relations } = graph;
  const nodes = new Uint32Array(numNodes * size);
  const shares = new Float32Array(numNodes * size);
  for (let v = 0; v < numNodes; v++) nodes.fill(v, v * size, (v + 1) * size);
  const tops: TopEntries[] = [];
  const smallest: number[] = [];
  const seeds = { name: WHAT, numNodes, live: liveVectors(relations.length), map: traceWalk(graph, options) };
  await visitSeedBlocks(seeds, tools, ({ first, count, data, width }) => {
    for (let c = 0; c < count; c++) {
      tops[c] ??= new TopEntries(size);
      tops[c].clear();
      smallest[c] = Number.POSITIVE_INFINITY;
    }
    for (let w = 0; w < numNodes; w++) {
      for (let c = 0; c < count; c++) {
        const value = data[w * width + c];
        if (!(value > 0) || w === first + c) continue;
        tops[c].offer(w, value);
        if (value < smallest[c]) smallest[c] = value;
      }
    }
    for (let c = 0; c < count; c++) {
      const top = tops[c];
      top.offer(first + c, smallest[c] === Number.POSITIVE_INFINITY ? 1 : smallest[c]);
      let sum = 0;
      for (let e = 0; e < top.size; e++) sum += top.values[e];
      const start = (first + c) * size;
      nodes.fill(top.indices[top.size - 1], start, start + size);
      for (let e = 0; e < top.size; e++) {
        nodes[start + e] = top.indices[e];
        shares[start + e] = top.values[e] / sum;
      }
    }
  });
  return { nodes, shares };
}
