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

import { Rng } from "../../../core/rng.js";
import { addWork, type Stage, scaleWork, sparseProduct, type Work } from "../../../core/work.js";
import { addRow, meanRows, scale, spmm, sumSquares } from "../../../engine/ops/index.js";
import { ProgramBuilder, type Tensor } from "../../../engine/program.js";
import { type SparseOperator, transposeOperator } from "../../../engine/sparse.js";
import { type Smoothing, smoothingWork } from "../../../nn/diffusion/smoothing.js";
import { standardizedFeatures } from "../../../nn/feature-weights.js";
import { directionsWork, leadingDirections } from "../../../nn/leading-directions.js";
import type { FeatureInput, PrecomputeTools } from "../../../nn/model.js";
import type { Rows } from "../../../numeric/rows.js";
import { FEATURES } from "../constants.js";
import type { FeatureSizes } from "./feature-directions.js";

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
}

/** The stages of `featureFacets`; `walkEntries`: entries of the transition matrix. */
export function featureFacetStages(
  { numNodes, numColumns, entries }: FeatureSizes,
  walkEntries: number,
  max: { readonly own: number; readonly smoothed: number },
): Stage[] {
  const both = (width: number): Work =>
    addWork(sparseProduct(entries, numColumns, width), sparseProduct(entries, numNodes, width));
  const work = (count: number, product: (width: number) => Work) =>
    addWork(
      directionsWork({ numNodes, count, shift: 0, rounds: FEATURES.rounds }, product),
      product(FEATURES.varianceProjections),
      {
        programs: 1,
      },
    );
  const smoothed = (width: number) => addWork(both(width), scaleWork(smoothingWork(numNodes, walkEntries, width), 2));
  return [
    { name: OWN, work: work(max.own, both) },
    { name: SMOOTHED, work: work(max.smoothed, smoothed) },
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
  const matrix = standardizedFeatures(features, numNodes);
  const transposed = transposeOperator(matrix);
  const plain: FeatureMap = { apply: (x) => spmm(matrix, x), applyTransposed: (x) => spmm(transposed, x) };
  const over: FeatureMap = {
    apply: (x) => apply(plain.apply(x)),
    applyTransposed: (x) => plain.applyTransposed(applyTransposed(x)),
  };
  const directions = (map: FeatureMap, count: number, stageName: string) =>
    explainedColumns(matrix, map, { count, stageName, purpose: stageName }, tools);
  return { own: await directions(plain, max.own, OWN), smoothed: await directions(over, max.smoothed, SMOOTHED) };
}

/** Leading left singular vectors of the map with centred columns, each of length √(share of the variance). */
async function explainedColumns(
  { numRows: numNodes, numColumns }: SparseOperator,
  map: FeatureMap,
  request: { readonly count: number; readonly purpose: string; readonly stageName: string },
  tools: PrecomputeTools,
): Promise<Rows<Float32Array>> {
  const centred = (x: Tensor): Tensor => addRow(x, scale(meanRows(x), -1));
  const variance = await totalVariance((x) => centred(map.apply(x)), numNodes, numColumns, tools);
  if (variance === 0) return { data: new Float32Array(0), width: 0 };
  const gram = (x: Tensor) => scale(centred(map.apply(map.applyTransposed(x))), 1 / numNodes);
  const options = { ...request, numNodes, shift: 0, rounds: FEATURES.rounds };
  const [{ values, data, width }] = await leadingDirections([gram], options, tools);
  const lengths = values.map((value) => Math.sqrt((numNodes * Math.max(0, value)) / variance));
  return { data: data.map((x, at) => x * lengths[at % width]), width };
}

/** Variance of all columns together, from random projections. */
async function totalVariance(
  map: (x: Tensor) => Tensor,
  numNodes: number,
  numColumns: number,
  { engine, seed }: PrecomputeTools,
): Promise<number> {
  const builder = new ProgramBuilder();
  const rng = new Rng(seed, "features.variance");
  const random = Float32Array.from({ length: numColumns * FEATURES.varianceProjections }, () => rng.normal());
  const projection = builder.constant(random, numColumns, FEATURES.varianceProjections);
  let squares!: Tensor;
  builder.segment("variance", () => {
    squares = sumSquares(map(projection));
    return [squares];
  });
  const executable = await engine.compile(builder.finish());
  try {
    executable.run("variance");
    return executable.read(squares)[0] / (FEATURES.varianceProjections * numNodes);
  } finally {
    await executable.dispose();
  }
}
