/**
 * Positive pointwise mutual information of short walks, its largest entries only.
 *
 * With Ĝ the adjacency, rows divided by their sums, and c the probability of going on,
 *   P_0 = I,  P_k = c·P_{k−1}·Ĝ + (1−c)·I,  P = P_1 + … + P_steps;
 * the diagonal of P is set to zero, rows are divided by their sums, and with total = Σ_ij p_ij and col_j = Σ_i p_ij
 *   a_ij = max(0, log(total·p_ij / col_j))                                              (rows sum to 1)
 * Of each row the `size` largest a_ij are kept: P of three steps fills in, and n² entries are what is to be avoided. Rows
 * are worked out in blocks, twice: for the col_j, and for the entries. Memory O(n·size) a relation.
 */

import { InternalError } from "../core/errors.js";
import { add, scale, spmm } from "../engine/ops/index.js";
import type { Tensor } from "../engine/program.js";
import { type SparseOperator, transposeOperator } from "../engine/sparse.js";
import type { GraphInput, PrecomputeTools, RelationInput } from "./model.js";
import { type SeedBlock, visitSeedBlocks } from "./seed-blocks.js";
import { TopEntries } from "./top-entries.js";

export interface PpmiOptions {
  readonly walkSteps: number;
  /** c. */
  readonly continuation: number;
  /** Entries kept of a row. */
  readonly size: number;
}

/** CSR, columns ascending. */
export interface SparseRows {
  readonly rowStart: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float32Array;
}

/** The kept entries of every relation. */
export async function sparsePpmi(
  graph: GraphInput,
  { walkSteps, continuation, size }: PpmiOptions,
  tools: PrecomputeTools,
): Promise<SparseRows[]> {
  const { numNodes, relations, directed } = graph;
  const maps = relations.map((relation) => {
    const forward = transposeOperator(rowStochastic(relation, numNodes, directed));
    return (seeds: Tensor) => traceWalks(seeds, forward, walkSteps, continuation);
  });
  const columnSums = relations.map(() => new Float64Array(numNodes));
  const totals = relations.map(() => 0);
  const seedMaps = { numNodes, live: 4, maps };
  await visitSeedBlocks(seedMaps, tools, (block) => {
    totals[block.map] += addColumnSums(block, numNodes, columnSums[block.map]);
  });
  const kept = relations.map(() => {
    return { columns: new Uint32Array(numNodes * size), values: new Float32Array(numNodes * size), counts: [0] };
  });
  const tops: TopEntries[] = [];
  await visitSeedBlocks(seedMaps, tools, (block) => {
    const { map, first, count } = block;
    for (let c = 0; c < count; c++) (tops[c] ??= new TopEntries(size)).clear();
    offerRatios(block, numNodes, columnSums[map], totals[map], tops);
    for (let c = 0; c < count; c++) {
      const { columns, values, counts } = kept[map];
      const start = counts[first + c];
      counts.push(start + tops[c].size);
      ascending(tops[c]).forEach(([column, ratio], e) => {
        columns[start + e] = column;
        values[start + e] = Math.log(ratio);
      });
    }
  });
  return kept.map(({ columns, values, counts }) => {
    // rows that an aborted run did not reach are empty
    const rowStart = Uint32Array.from({ length: numNodes + 1 }, (_, i) => counts[Math.min(i, counts.length - 1)]);
    return { rowStart, columns: columns.slice(0, rowStart[numNodes]), values: values.slice(0, rowStart[numNodes]) };
  });
}

/** Ĝ; a row without entries stays empty. */
function rowStochastic(
  { rowStart, columns, values }: RelationInput,
  numNodes: number,
  directed: boolean,
): SparseOperator {
  const left = Float64Array.from({ length: numNodes }, (_, i) => {
    let sum = values === undefined ? rowStart[i + 1] - rowStart[i] : 0;
    if (values !== undefined) for (let e = rowStart[i]; e < rowStart[i + 1]; e++) sum += values[e];
    return sum > 0 ? 1 / sum : 0;
  });
  const shape = { numRows: numNodes, numColumns: numNodes, diagonal: 0, symmetric: !directed };
  return { ...shape, rowStart, columns, values, left };
}

/** Columns of Pᵀ: [n, b] → [n, b]. */
function traceWalks(seeds: Tensor, forward: SparseOperator, steps: number, continuation: number): Tensor {
  if (steps < 1) throw new InternalError("walks of no step");
  const stay = scale(seeds, 1 - continuation);
  let p = seeds;
  let sum: Tensor | undefined;
  for (let k = 0; k < steps; k++) {
    p = add(scale(spmm(forward, p), continuation), stay);
    sum = sum === undefined ? p : add(sum, p);
  }
  return sum ?? p;
}

/** 1 / (row sum of P without its diagonal) of each seed; 0 for rows that hold nothing else. */
function rowFactors({ data, width, first, count }: SeedBlock, numNodes: number): Float64Array {
  const sums = new Float64Array(count);
  for (let j = 0; j < numNodes; j++) {
    for (let c = 0; c < count; c++) if (j !== first + c) sums[c] += data[j * width + c];
  }
  return sums.map((sum) => (sum > 0 ? 1 / sum : 0));
}

/** Adds the normalised rows of a block to the sums of the columns; how many rows there are. */
function addColumnSums(block: SeedBlock, numNodes: number, columnSums: Float64Array): number {
  const { data, width, first, count } = block;
  const factors = rowFactors(block, numNodes);
  for (let j = 0; j < numNodes; j++) {
    for (let c = 0; c < count; c++) if (j !== first + c) columnSums[j] += factors[c] * data[j * width + c];
  }
  return factors.filter((factor) => factor > 0).length;
}

/** The ratios total·p_ij/col_j of a block; their logarithms rank alike. */
function offerRatios(
  block: SeedBlock,
  numNodes: number,
  columnSums: Float64Array,
  total: number,
  tops: readonly TopEntries[],
): void {
  const { data, width, first, count } = block;
  const factors = rowFactors(block, numNodes);
  for (let j = 0; j < numNodes; j++) {
    const perColumn = total / columnSums[j];
    for (let c = 0; c < count; c++) {
      const ratio = perColumn * factors[c] * data[j * width + c];
      if (ratio > 1 && j !== first + c) tops[c].offer(j, ratio);
    }
  }
}

function ascending({ size, indices, values }: TopEntries): [column: number, ratio: number][] {
  return Array.from({ length: size }, (_, e): [number, number] => [indices[e], values[e]]).sort((a, b) => a[0] - b[0]);
}
