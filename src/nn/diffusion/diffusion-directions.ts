/** The leading directions of the diffusion over a multiplex: eigenvectors of the log-ratio matrix, times the roots of their eigenvalues. */

import { type Stage, sparseProduct } from "../../core/work.js";
import { spmm } from "../../engine/ops/index.js";
import { multiplySparse, type ScaledCsr, type WeightedCsr } from "../../numeric/csr.js";
import type { Rows } from "../../numeric/rows.js";
import { directionsWork, leadingDirections } from "../leading-directions.js";
import { inStage, type PrecomputeTools } from "../model.js";
import { logRatioMatrix } from "./log-ratio-matrix.js";
import { keptEntries, pageRanks, pageRanksStage } from "./page-ranks.js";
import type { TransitionMatrix } from "./transition-matrix.js";

/** Added to the map while it is iterated: its few negative eigenvalues must not take columns. */
const SHIFT = 0.5;
/** Products that approximate the largest eigenvalue, which need not be exact. */
const NORM_PRODUCTS = 16;
const RATIOS_STAGE = "log-ratios of the PageRanks";
const STAGE = "directions of the diffusion";

/** The stages of `diffusionDirections` for a transition matrix with so many entries. */
export function diffusionStages(numNodes: number, entries: number, count: number): Stage[] {
  const ratios = 1.5 * numNodes * keptEntries(numNodes);
  const product = (width: number) => sparseProduct(ratios, numNodes, width);
  const work = directionsWork({ numNodes, count, shift: SHIFT }, product);
  return [
    pageRanksStage(numNodes, entries),
    { name: RATIOS_STAGE, work: { entries: 24 * ratios } },
    { name: STAGE, work },
  ];
}

/**
 * At most `count` columns, the largest eigenvalue first. A column without a positive eigenvalue is left out. Rows of nodes
 * without edges are zero.
 */
export async function diffusionDirections(
  walk: TransitionMatrix,
  count: number,
  tools: PrecomputeTools,
): Promise<Rows<Float32Array>> {
  const ranks = await pageRanks(walk, tools);
  const matrix = await inStage(tools, RATIOS_STAGE, () => dividedByNorm(logRatioMatrix(ranks)));
  const [{ data, width, values }] = await leadingDirections(
    [(x) => spmm(matrix, x)],
    { numNodes: walk.numRows, count, shift: SHIFT, purpose: "diffusion", stageName: STAGE },
    tools,
  );
  const positive = values.findIndex((value) => !(value > 0));
  const kept = positive === -1 ? width : positive;
  const out = new Float32Array(walk.numRows * kept);
  for (let i = 0; i < walk.numRows; i++) {
    if (walk.rowStart[i] === walk.rowStart[i + 1]) continue; // rounding errors otherwise
    for (let k = 0; k < kept; k++) out[i * kept + k] = data[i * width + k] * Math.sqrt(values[k]);
  }
  return { data: out, width: kept };
}

/** The matrix divided by its largest eigenvalue; it is symmetric and has no negative entries. */
function dividedByNorm({ rowStart, columns, values }: WeightedCsr): ScaledCsr {
  const numRows = rowStart.length - 1;
  const matrix = { numRows, numColumns: numRows, rowStart, columns, values, diagonal: 0, symmetric: true };
  let x = new Float64Array(numRows).fill(1 / Math.sqrt(numRows));
  let y = new Float64Array(numRows);
  let norm = 0;
  for (let product = 0; product < NORM_PRODUCTS; product++) {
    multiplySparse(matrix, x, 1, y);
    norm = Math.sqrt(y.reduce((sum, number) => sum + number * number, 0));
    if (norm === 0) return matrix;
    for (let i = 0; i < numRows; i++) y[i] /= norm;
    [x, y] = [y, x];
  }
  return { ...matrix, values: values.map((value) => value / norm) };
}
