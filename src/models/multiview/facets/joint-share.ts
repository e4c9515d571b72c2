/**
 * Whether quantities, such as ages and amounts, have anything in common.
 *
 * The directions of a few quantities explain all of their variance, even if the quantities are noise. Their *joint share* is what directions
 * explain beyond single quantities: Σ_k max(0, λ_k − v_k) / Σ_k λ_k, where λ are the eigenvalues of the covariance matrix and v
 * the variances of the single quantities, both from the largest on. It is near 0 for independent quantities and 1 − 1/m for m copies of one.
 *
 * Words and categories are not judged: the columns of one category exclude each other, whatever the category says.
 */

import type { SparseOperator } from "../../../engine/sparse.js";
import { symmetricEigen } from "../../../numeric/eigen/symmetric-eigen.js";
import { FEATURES, LENGTHS } from "../constants.js";

/**
 * From 0 to 1: how much features are quantities that have nothing in common. 0 if quantities have at most half of the variance, or if there are too
 * many to judge. `features` are standardised, `variances` those of their columns; `isQuantity` has 1 for each quantity.
 */
export function unrelatedShare(features: SparseOperator, variances: Float64Array, isQuantity: Uint8Array): number {
  const quantities = Uint32Array.from([...isQuantity.keys()].filter((c) => isQuantity[c] === 1 && variances[c] > 0));
  if (quantities.length === 0 || quantities.length > FEATURES.maxJudged) return 0;
  const all = variances.reduce((sum, variance) => sum + variance, 0);
  const ofQuantities = quantities.reduce((sum, c) => sum + variances[c], 0) / all;
  return Math.max(0, 2 * ofQuantities - 1) * Math.max(0, 1 - jointShare(features, quantities) / LENGTHS.jointFeatures);
}

/** The joint share of these columns, from evenly spaced rows. Every row has an entry for every quantity, or none at all. */
export function jointShare(
  { numRows, numColumns, rowStart, columns, values }: SparseOperator,
  chosen: Uint32Array,
): number {
  const size = chosen.length;
  const place = new Int32Array(numColumns).fill(-1);
  chosen.forEach((column, k) => {
    place[column] = k;
  });
  const stride = Math.max(1, Math.floor(numRows / FEATURES.maxJudgedRows));
  const row = new Float64Array(size);
  const mean = new Float64Array(size);
  const covariance = new Float64Array(size * size);
  let count = 0;
  for (let i = 0; i < numRows; i += stride) {
    row.fill(0);
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
      if (place[columns[e]] >= 0) row[place[columns[e]]] = values?.[e] ?? 1;
    }
    count++;
    for (let a = 0; a < size; a++) {
      mean[a] += row[a];
      for (let b = 0; b <= a; b++) covariance[a * size + b] += row[a] * row[b];
    }
  }
  for (let a = 0; a < size; a++) {
    for (let b = 0; b <= a; b++) {
      const product = covariance[a * size + b] / count - (mean[a] / count) * (mean[b] / count);
      covariance[a * size + b] = covariance[b * size + a] = product;
    }
  }
  const single = Float64Array.from({ length: size }, (_, a) => covariance[a * size + a])
    .sort()
    .reverse();
  const { values: joint } = symmetricEigen(covariance, size);
  const all = single.reduce((sum, variance) => sum + variance, 0);
  return all > 0 ? joint.reduce((sum, value, k) => sum + Math.max(0, value - single[k]), 0) / all : 0;
}
