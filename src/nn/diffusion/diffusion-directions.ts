/** The leading directions of the diffusion over a multiplex: eigenvectors of the log-ratio matrix, times the roots of their eigenvalues. */

import { InternalError } from "../../core/errors.js";
import { nextTurn } from "../../core/event-loop.js";
import { ALONE, type Sharing } from "../../core/sharing.js";
import { type Stage, sparseProduct } from "../../core/work.js";
import { spmm } from "../../engine/ops/index.js";
import { multiplySparse, type ScaledCsr } from "../../numeric/csr.js";
import { type RowPart, stackedRows } from "../../numeric/row-parts.js";
import type { Rows } from "../../numeric/rows.js";
import { directionsWork, leadingDirections } from "../leading-directions.js";
import type { PrecomputeTools } from "../model.js";
import { computeRows } from "../row-threads/compute-rows.js";
import { logRatios } from "./log-ratio-matrix.js";
import { keptEntries, numRowThreads, pageRanks, pageRanksStage, rowsWork } from "./page-ranks.js";
import type { TransitionMatrix } from "./transition-matrix.js";

/** Products that approximate the largest eigenvalue, which need not be exact. */
const NORM_PRODUCTS = 16;
const RATIOS_STAGE = logRatios.name;
const STAGE = "directions of the diffusion";

/** The stages of `diffusionDirections` for a transition matrix with so many entries. */
export function diffusionStages(numNodes: number, entries: number, count: number): Stage[] {
  const ratios = 1.5 * numNodes * keptEntries(numNodes);
  const product = (width: number) => sparseProduct(ratios, numNodes, width);
  const work = directionsWork({ numNodes, count, eigenvalues: "bounded" }, product);
  return [
    pageRanksStage(numNodes, entries),
    { name: RATIOS_STAGE, work: rowsWork(numNodes, 24 * ratios) },
    { name: STAGE, work },
  ];
}

/**
 * At most `count` columns, the largest eigenvalue first. A column without a positive eigenvalue is left out. Rows of nodes
 * without edges are zero. `makeWalk` returns the transition matrix, which is not kept: it is as large as the graph.
 */
export async function diffusionDirections(
  makeWalk: () => Promise<TransitionMatrix>,
  count: number,
  tools: PrecomputeTools,
): Promise<Rows<Float32Array>> {
  const { sharing = ALONE } = tools;
  const { matrix, isWalked } = await normalizedRatios(makeWalk, tools);
  const { numRows } = matrix;
  const [{ data, width, values }] = await leadingDirections(
    [(x) => spmm(matrix, x)],
    { numNodes: numRows, count, eigenvalues: "bounded", purpose: "diffusion", stageName: STAGE },
    tools,
  );
  const positive = values.findIndex((value) => !(value > 0));
  const kept = positive === -1 ? width : positive;
  return sharing.once(() => {
    const out = new Float32Array(numRows * kept);
    for (let i = 0; i < numRows; i++) {
      if (isWalked[i] === 0) continue; // rounding errors otherwise
      for (let k = 0; k < kept; k++) out[i * kept + k] = data[i * width + k] * Math.sqrt(values[k]);
    }
    return { data: out, width: kept };
  });
}

interface NormalizedRatios {
  /** The log-ratio matrix divided by its largest eigenvalue. */
  readonly matrix: ScaledCsr;
  /** 1 for each node with edges. */
  readonly isWalked: Uint8Array;
}

async function normalizedRatios(
  makeWalk: () => Promise<TransitionMatrix>,
  tools: PrecomputeTools,
): Promise<NormalizedRatios> {
  const { sharing = ALONE } = tools;
  const { parts, isWalked } = await ratioParts(makeWalk, tools);
  const numRows = isWalked.length;
  const norm = await largestEigenvalue(parts, numRows, sharing);
  const stored = await sharing.once(() => stackedRows(parts, norm === 0 ? 1 : norm));
  await tools.onStep?.(RATIOS_STAGE, 2, 2);
  return { matrix: { numRows, numColumns: numRows, ...stored, diagonal: 0, symmetric: true }, isWalked };
}

/** The log-ratio matrix. The transition matrix and the PageRanks are freed when it returns, because nothing else holds them. */
async function ratioParts(
  makeWalk: () => Promise<TransitionMatrix>,
  tools: PrecomputeTools,
): Promise<{ readonly parts: readonly RowPart[]; readonly isWalked: Uint8Array }> {
  const { sharing = ALONE, onStep, signal } = tools;
  const walkAll = async () => pageRanks(await makeWalk(), tools);
  const ranks = await walkAll();
  const numRows = ranks.columnMeans.length;
  await onStep?.(RATIOS_STAGE, 0, 2);
  await nextTurn();
  signal?.throwIfAborted();
  const threads = numRowThreads(numRows, tools);
  const parts = await sharing.byRows(numRows, (begin, end) => {
    return computeRows(logRatios, ranks, { begin, end, threads, signal });
  });
  await onStep?.(RATIOS_STAGE, 1, 2);
  return { parts: parts.flat(), isWalked: rowsWithEntries(ranks.parts, numRows) };
}

function rowsWithEntries(parts: readonly RowPart[], numRows: number): Uint8Array {
  const marks = new Uint8Array(numRows);
  for (const { firstRow, rowStart } of parts) {
    for (let r = 0; r + 1 < rowStart.length; r++) marks[firstRow + r] = rowStart[r + 1] > rowStart[r] ? 1 : 0;
  }
  return marks;
}

/** The largest eigenvalue of a symmetric matrix without negative entries; 0 if it has no entries. Every process multiplies its part. */
async function largestEigenvalue(parts: readonly RowPart[], numRows: number, sharing: Sharing): Promise<number> {
  const x = new Float64Array(numRows).fill(1 / Math.sqrt(numRows));
  const multiply = (begin: number, end: number): Float64Array => {
    const image = new Float64Array(end - begin);
    let numFound = 0;
    for (const part of parts) {
      const [first, count] = [part.firstRow - begin, part.rowStart.length - 1];
      if (first < 0 || first + count > image.length) continue; // of another process
      const own = { ...part, numRows: count, numColumns: numRows, diagonal: 0, symmetric: false };
      multiplySparse(own, x, 1, image.subarray(first, first + count));
      numFound += count;
    }
    if (numFound < image.length) {
      throw new InternalError(`diffusion: the parts of the matrix have ${numFound} of the rows ${begin} to ${end}`);
    }
    return image;
  };
  let norm = 0;
  for (let product = 0; product < NORM_PRODUCTS; product++) {
    const images = await sharing.byRows(numRows, multiply);
    let square = 0;
    for (const image of images) for (let i = 0; i < image.length; i++) square += image[i] * image[i];
    norm = Math.sqrt(square);
    if (norm === 0) return 0;
    let row = 0;
    for (const image of images) for (let i = 0; i < image.length; i++) x[row++] = image[i] / norm;
  }
  return norm;
}
