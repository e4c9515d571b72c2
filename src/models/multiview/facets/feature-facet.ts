/**
 * The two feature facets: leading directions of the nodes' features, and of the features smoothed over the graph.
 *
 * Y are the features without units: a quantity (nn/feature-weights.ts) becomes asinh((x − median)/deviation); any other feature
 * ±ln(1 + |x|/m), m the mean size of its entries. Columns are divided by their standard deviation, rows by their length, and columns centred. The first facet holds the
 * leading left singular vectors of Y, the second those of R·Y (nn/diffusion/smoothing.ts).
 *
 * A column is as long as the share of the variance that it explains: √(λ_k / Σλ). So 82 related counts give long columns, and
 * 2,000 unrelated words short ones, which matter little to a regularised probe.
 */

import { ALONE } from "../../../core/sharing.js";
import { addWork, type Stage, scaleWork, sparseProduct, type Work } from "../../../core/work.js";
import { addRow, meanRows, scale, spmm } from "../../../engine/ops/index.js";
import type { Tensor } from "../../../engine/program.js";
import type { SparseOperator } from "../../../engine/sparse.js";
import { type Smoothing, smoothingWork } from "../../../nn/diffusion/smoothing.js";
import { isQuantity, standardizedFeatures } from "../../../nn/feature-weights.js";
import { directionsWork, leadingDirections } from "../../../nn/leading-directions.js";
import type { FeatureInput, PrecomputeTools } from "../../../nn/model.js";
import { sharedTranspose } from "../../../nn/shared-transpose.js";
import { NO_COLUMNS } from "../../../numeric/columns.js";
import type { Rows } from "../../../numeric/rows.js";
import { FEATURES } from "../constants.js";
import type { FeatureSizes } from "./feature-directions.js";
import { columnVariances, numProbes, varianceOfMap } from "./feature-variance.js";
import { unrelatedShare } from "./joint-share.js";

const OWN = "leading directions of the features";
const SMOOTHED = "leading directions of the smoothed features";

/** The map X ↦ M·X from features to nodes, and its transpose. */
interface FeatureMap {
  apply(x: Tensor): Tensor;
  applyTransposed(x: Tensor): Tensor;
}

export interface FeatureFacets {
  readonly own: Rows<Float32Array>;
  readonly smoothed: Rows<Float32Array>;
  /** See `unrelatedShare`. */
  readonly unrelated: number;
}

/** The stages of `featureFacets`; `walkEntries`: entries of the transition matrix. */
export function featureFacetStages(
  { numNodes, numColumns, entries }: FeatureSizes,
  walkEntries: number,
  max: { readonly own: number; readonly smoothed: number },
): Stage[] {
  const both = (width: number): Work =>
    addWork(sparseProduct(entries, numColumns, width), sparseProduct(entries, numNodes, width));
  const directions = (count: number, product: (width: number) => Work) =>
    directionsWork({ numNodes, count, eigenvalues: "positive", rounds: FEATURES.rounds }, product);
  const smoothing = (width: number) => smoothingWork(numNodes, walkEntries, width);
  const smoothed = (width: number) => addWork(both(width), scaleWork(smoothing(width), 2));
  const probes = numProbes(numColumns);
  const variance = addWork(sparseProduct(entries, numColumns, probes), smoothing(probes), { programs: 1 });
  return [
    { name: OWN, work: addWork(directions(max.own, both), { entries: 2 * entries }) },
    { name: SMOOTHED, work: addWork(directions(max.smoothed, smoothed), variance) },
  ];
}

/** At most `max` columns of each facet. */
export async function featureFacets(
  features: FeatureInput,
  numNodes: number,
  { apply, applyTransposed }: Smoothing,
  max: { readonly own: number; readonly smoothed: number },
  tools: PrecomputeTools,
): Promise<FeatureFacets> {
  const { sharing = ALONE } = tools;
  const { matrix, map, variances, variance } = await readFeatures(features, numNodes, tools);
  const over: FeatureMap = {
    apply: (x) => apply(map.apply(x)),
    applyTransposed: (x) => map.applyTransposed(applyTransposed(x)),
  };
  // columns with one value stay so when they are averaged
  if (variance === 0) return { own: NO_COLUMNS, smoothed: NO_COLUMNS, unrelated: 0 };
  return {
    own: await explainedColumns(matrix, map, { count: max.own, stageName: OWN, variance }, tools),
    smoothed: await explainedColumns(matrix, over, { count: max.smoothed, stageName: SMOOTHED }, tools),
    unrelated: await sharing.once(() => unrelatedShare(matrix, variances, isQuantity(features, numNodes))),
  };
}

/** So many columns of the features' own facet, at most one for each feature; the features must not be constant. */
export async function ownDirections(
  features: FeatureInput,
  numNodes: number,
  count: number,
  tools: PrecomputeTools,
): Promise<Rows<Float32Array>> {
  const { matrix, map, variance } = await readFeatures(features, numNodes, tools);
  return explainedColumns(matrix, map, { count, stageName: OWN, variance }, tools);
}

async function readFeatures(features: FeatureInput, numNodes: number, tools: PrecomputeTools) {
  const { sharing = ALONE } = tools;
  const matrix = await sharing.once(() => standardizedFeatures(features, numNodes));
  const transposed = await sharedTranspose(matrix, sharing);
  const map: FeatureMap = { apply: (x) => spmm(matrix, x), applyTransposed: (x) => spmm(transposed, x) };
  const variances = await sharing.once(() => columnVariances(matrix));
  return { matrix, map, variances, variance: total(variances) };
}

function total(numbers: Float64Array): number {
  return numbers.reduce((sum, x) => sum + x, 0);
}

/** The share of the variance that columns of `featureFacets` explain. */
export function explainedShare({ data, width }: Rows<Float32Array>): number {
  if (data.length === 0) return 0;
  let square = 0;
  for (const x of data) square += x * x;
  return Math.min(1, (square * width) / data.length);
}

/** Leading left singular vectors of the map with centred columns, each of length √(share of the variance). */
async function explainedColumns(
  { numRows: numNodes, numColumns }: SparseOperator,
  map: FeatureMap,
  request: {
    readonly count: number;
    readonly stageName: string;
    /** Variance of all columns; computed if not known. */
    readonly variance?: number;
  },
  tools: PrecomputeTools,
): Promise<Rows<Float32Array>> {
  const { count, stageName } = request;
  if (count === 0) return NO_COLUMNS;
  const centred = (x: Tensor): Tensor => addRow(x, scale(meanRows(x), -1));
  const gram = (x: Tensor) => scale(centred(map.apply(map.applyTransposed(x))), 1 / numNodes);
  const options = {
    count,
    purpose: stageName,
    stageName,
    numNodes,
    eigenvalues: "positive" as const,
    rounds: FEATURES.rounds,
  };
  const [leading] = await leadingDirections([gram], options, tools);
  const sizes = { numNodes, numColumns };
  const variance = request.variance ?? (await varianceOfMap((x) => centred(map.apply(x)), sizes, leading, tools));
  const { values, data, width } = leading;
  const lengths = values.map((value) => Math.sqrt((numNodes * Math.max(0, value)) / variance));
  const { sharing = ALONE } = tools;
  return sharing.once(() => ({ data: data.map((x, at) => x * lengths[at % width]), width }));
}
