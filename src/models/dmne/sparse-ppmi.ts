/**
 * Positive pointwise mutual information of short walks; only the largest entries of each row.
 *
 * With Ĝ the adjacency, rows divided by their sums, and c the probability of continuing,
 *   P_0 = I,  P_k = c·P_{k−1}·Ĝ + (1−c)·I,  P = P_1 + … + P_steps;
 * the diagonal of P is set to zero, rows are divided by their sums, and with total = Σ_ij p_ij and col_j = Σ_i p_ij
 *   a_ij = max(0, log(total·p_ij / col_j))                                              (rows sum to 1)
 * Only the `size` largest a_ij of each row are kept, because P becomes dense after a few steps. Rows are computed in blocks,
 * twice: first for the col_j, then for the entries. Memory O(n·(size + 64)).
 */

import { InternalError } from "../../core/errors.js";
import { addWork, type Stage, scaleWork, sparseProduct } from "../../core/work.js";
import { add, scale, spmm } from "../../engine/ops/index.js";
import type { Tensor } from "../../engine/program.js";
import { type SparseOperator, transposeOperator } from "../../engine/sparse.js";
import type { PrecomputeTools, RelationInput } from "../../nn/model.js";
import { type SeedBlock, seedBlocksStage, visitSeedBlocks } from "../../nn/walks/seed-blocks.js";
import type { WeightedCsr } from "../../numeric/csr.js";
import { TopEntries } from "../../numeric/top-entries.js";

export interface PpmiOptions {
  readonly walkSteps: number;
  /** c. */
  readonly continuation: number;
  /** Entries kept per row. */
  readonly size: number;
}

const WHAT = "similarities of nodes by walks";
/** Vectors per seed that the walks keep in memory. */
const LIVE = 4;

/** The stages of `sparsePpmi`; `entries` is the number of entries of the relation. */
export function ppmiStages(numNodes: number, entries: number, walkSteps: number): Stage[] {
  const step = (width: number) =>
    addWork(sparseProduct(entries, numNodes, width), { streamed: 4 * numNodes * width * 8 });
  const seeds = { name: WHAT, numNodes, live: LIVE };
  // the blocks are visited twice: for the sums of the columns, and for the entries
  return [3, 4].map((visit) => seedBlocksStage(seeds, (width) => scaleWork(step(width), walkSteps), visit));
}

/** The kept entries of a relation over `numNodes` nodes. */
export async function sparsePpmi(
  relation: RelationInput,
  { numNodes, directed }: { readonly numNodes: number; readonly directed: boolean },
  { walkSteps, continuation, size }: PpmiOptions,
  tools: PrecomputeTools,
): Promise<WeightedCsr> {
  const forward = transposeOperator(rowStochastic(relation, numNodes, directed));
  const map = (seeds: Tensor) => traceWalks(seeds, forward, walkSteps, continuation);
  const walks = { name: WHAT, numNodes, live: LIVE, map };
  const columnSums = new Float64Array(numNodes);
  let total = 0;
  await visitSeedBlocks(walks, tools, (block) => {
    clearDiagonal(block);
    total += addColumnSums(block, numNodes, columnSums);
  });
  const columns = new Uint32Array(numNodes * size);
  const values = new Float32Array(numNodes * size);
  const rowStart = new Uint32Array(numNodes + 1);
  const tops: TopEntries[] = [];
  let end = 0;
  await visitSeedBlocks(walks, tools, (block) => {
    clearDiagonal(block);
    for (let c = 0; c < block.count; c++) (tops[c] ??= new TopEntries(size)).clear();
    offerRatios(block, numNodes, columnSums, total, tops);
    for (let c = 0; c < block.count; c++) {
      for (const [column, ratio] of ascending(tops[c])) {
        columns[end] = column;
        values[end++] = Math.log(ratio);
      }
      // rows that an aborted run does not reach stay empty
      rowStart.fill(end, block.first + c + 1);
    }
  });
  return { rowStart, columns: columns.slice(0, end), values: values.slice(0, end) };
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

/** Columns of Pᵀ of a block of seeds: [n, b] → [n, b]. */
function traceWalks(seeds: Tensor, forward: SparseOperator, steps: number, continuation: number): Tensor {
  if (steps < 1) throw new InternalError("dmne: walkSteps is 0; expected at least 1");
  const stay = scale(seeds, 1 - continuation);
  let p = seeds;
  let sum: Tensor | undefined;
  for (let k = 0; k < steps; k++) {
    p = add(scale(spmm(forward, p), continuation), stay);
    sum = sum === undefined ? p : add(sum, p);
  }
  return sum ?? p;
}

/** Sets the diagonal of P to zero in a block of its columns. */
function clearDiagonal({ data, width, first, count }: SeedBlock): void {
  for (let c = 0; c < count; c++) data[(first + c) * width + c] = 0;
}

/** 1 / (row sum) of each seed, 0 for empty rows. */
function rowFactors({ data, width, count }: SeedBlock, numNodes: number): Float64Array {
  const sums = new Float64Array(count);
  for (let j = 0; j < numNodes; j++) {
    const start = j * width;
    for (let c = 0; c < count; c++) sums[c] += data[start + c];
  }
  return sums.map((sum) => (sum > 0 ? 1 / sum : 0));
}

/** Adds the normalised rows of a block to the column sums; returns the number of rows that are not empty. */
function addColumnSums(block: SeedBlock, numNodes: number, columnSums: Float64Array): number {
  const { data, width, count } = block;
  const factors = rowFactors(block, numNodes);
  for (let j = 0; j < numNodes; j++) {
    const start = j * width;
    let sum = 0;
    for (let c = 0; c < count; c++) sum += factors[c] * data[start + c];
    columnSums[j] += sum;
  }
  return factors.filter((factor) => factor > 0).length;
}

/** Offers the ratios total·p_ij/col_j of a block to the lists of largest entries; ratios rank like their logarithms. */
function offerRatios(
  block: SeedBlock,
  numNodes: number,
  columnSums: Float64Array,
  total: number,
  tops: readonly TopEntries[],
): void {
  const { data, width, count } = block;
  const factors = rowFactors(block, numNodes);
  for (let j = 0; j < numNodes; j++) {
    if (columnSums[j] === 0) continue;
    const perColumn = total / columnSums[j];
    const start = j * width;
    for (let c = 0; c < count; c++) {
      const ratio = perColumn * factors[c] * data[start + c];
      if (ratio > 1) tops[c].offer(j, ratio);
    }
  }
}

function ascending({ size, indices, values }: TopEntries): [column: number, ratio: number][] {
  return Array.from({ length: size }, (_, e): [number, number] => [indices[e], values[e]]).sort((a, b) => a[0] - b[0]);
}
