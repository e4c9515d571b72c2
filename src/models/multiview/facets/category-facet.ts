/**
 * The facet of categories, such as countries or professions: features of which a node has one each.
 *
 * Every value of a category is a direction of its own, and no direction explains more than another. The leading directions of 100 values would
 * be those of the most frequent values, and all others would look alike. So the facet does not select directions: a random isometry maps all
 * values to fewer columns, in which any two values differ about equally. Quantities keep columns of their own.
 *
 * Averages of categories over neighbours would need as many columns again. So a vector of the graph without features stands next to this facet.
 */

import { Rng } from "../../../core/rng.js";
import { ALONE } from "../../../core/sharing.js";
import type { Stage } from "../../../core/work.js";
import { smoothing } from "../../../nn/diffusion/smoothing.js";
import { transitionMatrix } from "../../../nn/diffusion/transition-matrix.js";
import { type FeatureWeights, featureWeights, isQuantity } from "../../../nn/feature-weights.js";
import { type FeatureInput, type GraphInput, inStage, type PrecomputeTools } from "../../../nn/model.js";
import { sharedTranspose } from "../../../nn/shared-transpose.js";
import { scaledToLength } from "../../../numeric/columns.js";
import { columnMeans, type Rows } from "../../../numeric/rows.js";
import { CATEGORIES, SHARES } from "../constants.js";
import { orthonormalRows } from "../rotate-into.js";
import type { SimpleGraph } from "../weights/edge-copies.js";
import { categoryShare } from "./category-share.js";
import { featureFacets } from "./feature-facet.js";

const STAGE = "columns of the categories";
/** Names the random isometry. */
const PURPOSE = "features.categories";

/** Features that are mostly values of categories. */
export interface Categories {
  readonly features: FeatureInput;
  readonly numNodes: number;
  readonly numQuantities: number;
  readonly numValues: number;
}

/** Columns of the facet; those of the quantities come first. */
export interface CategoryWidths {
  readonly quantities: number;
  readonly values: number;
  /** Columns of the categories in the surroundings; none if they have nothing in common with the edges. */
  readonly smoothed: number;
}

/** The features as categories; undefined if there are no features, few, many quantities, or features that do not exclude each other. */
export function findCategories({ features, numNodes }: GraphInput, dim: number): Categories | undefined {
  // a vector holds all directions of few features anyway
  if (features === undefined || features.numColumns <= SHARES.maxWithFeatures.features * dim) return undefined;
  const { numQuantities, share } = judged(features, numNodes);
  const numValues = features.numColumns - numQuantities;
  if (Math.floor(CATEGORIES.min * dim) === 0 || numQuantities > CATEGORIES.maxQuantities * dim) return undefined;
  return share < CATEGORIES.minShare ? undefined : { features, numNodes, numQuantities, numValues };
}

interface Judged {
  readonly numQuantities: number;
  readonly share: number;
}

/** A run asks several times: for its estimate, its parts and its preparation. */
const known = new WeakMap<FeatureInput, Judged>();

function judged(features: FeatureInput, numNodes: number): Judged {
  const before = known.get(features);
  if (before !== undefined) return before;
  const quantities = isQuantity(features, numNodes);
  const numQuantities = quantities.reduce((sum, one) => sum + one, 0);
  const found = { numQuantities, share: categoryShare(features, quantities) };
  known.set(features, found);
  return found;
}

/** `numDirections`: significant directions of the graph, for which columns are left; `related`: whether neighbours share categories. */
export function categoryWidths(
  { numQuantities, numValues }: Pick<Categories, "numQuantities" | "numValues">,
  dim: number,
  numDirections: number,
  related: boolean,
): CategoryWidths {
  const { min, max, besideDirections } = CATEGORIES;
  const smoothed = related ? Math.floor(CATEGORIES.smoothed * dim) : 0;
  const left = dim - numDirections - Math.floor(besideDirections * dim) - smoothed;
  const values = Math.max(Math.floor(min * dim), Math.min(Math.floor(max * dim), left));
  return { quantities: numQuantities, values: Math.min(numValues, values), smoothed };
}

/** The facet, with rows of the length in `CATEGORIES`. */
export async function categoryFacet(
  { features, numNodes }: Categories,
  widths: Omit<CategoryWidths, "smoothed">,
  tools: PrecomputeTools,
): Promise<Rows<Float32Array>> {
  const { sharing = ALONE, seed } = tools;
  return inStage(tools, STAGE, () =>
    sharing.once(() => spreadValues(features, featureWeights(features, numNodes), widths, new Rng(seed, PURPOSE))),
  );
}

/** Leading directions of the categories in the surroundings of the nodes. */
export async function smoothedCategories(
  { features, numNodes }: Categories,
  relations: readonly SimpleGraph[],
  dim: number,
  tools: PrecomputeTools,
): Promise<Rows<Float32Array>> {
  const { sharing = ALONE } = tools;
  const walk = await sharing.once(() => transitionMatrix(relations, numNodes));
  const smooth = smoothing(walk, await sharedTranspose(walk, sharing));
  const widths = { own: 0, smoothed: Math.floor(SHARES.maxWithFeatures["smoothed features"] * dim) };
  return (await featureFacets(features, numNodes, smooth, widths, tools)).smoothed;
}

/** The stage of `categoryFacet`. */
export function categoryStage({ features: { columns, numColumns } }: Categories, width: number): Stage {
  return { name: STAGE, work: { loops: width * (columns.length + 2 * width * numColumns) } };
}

/**
 * Centred columns. A category counts as much as a quantity: an entry of a value is 1, and quantities, asinh((x − median)/deviation), have
 * variance 1. What is missing is zero.
 */
function spreadValues(
  { numColumns, rowStart, columns, values }: FeatureInput,
  { center, deviation }: FeatureWeights,
  { quantities: numQuantities, values: numSpread }: Omit<CategoryWidths, "smoothed">,
  rng: Rng,
): Rows<Float32Array> {
  const numRows = rowStart.length - 1;
  const numValues = numColumns - numQuantities;
  const width = numQuantities + numSpread;
  const directions = orthonormalRows(numSpread, numValues, rng);
  const factor = Math.sqrt(numValues / numSpread);
  // the place of a feature among the quantities, or among the values
  const place = new Uint32Array(numColumns);
  for (let c = 0, quantity = 0, value = 0; c < numColumns; c++) place[c] = deviation[c] > 0 ? quantity++ : value++;
  const rows = new Float64Array(numRows * width);
  for (let i = 0; i < numRows; i++) {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
      const c = columns[e];
      const x = values?.[e] ?? 1;
      if (deviation[c] > 0) rows[i * width + place[c]] = Math.asinh((x - center[c]) / deviation[c]);
      else if (x !== 0) {
        const first = i * width + numQuantities;
        for (let k = 0; k < numSpread; k++) rows[first + k] += factor * directions[k][place[c]];
      }
    }
  }
  const means = columnMeans(rows, width);
  for (let at = 0; at < rows.length; at++) rows[at] -= means[at % width];
  const factors = Array.from({ length: width }, (_, k) => (k < numQuantities ? 1 / deviationOf(rows, width, k) : 1));
  const scaled = Float32Array.from(rows, (x, at) => x * factors[at % width]);
  return scaledToLength({ data: scaled, width }, CATEGORIES.length);
}

/** Root mean square of a centred column. */
function deviationOf(rows: Float64Array, width: number, k: number): number {
  let square = 0;
  for (let at = k; at < rows.length; at += width) square += rows[at] ** 2;
  return Math.sqrt((square * width) / rows.length);
}
