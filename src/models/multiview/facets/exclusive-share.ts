/**
 * Whether features are values of categories, such as countries, which exclude each other.
 *
 * Let k_i be the number of features that node i has, quantities not counted. It is the same for all nodes with features if these are values of one
 * category, or of several. If features are independent, its variance is the sum of the variances of the single features. The *exclusive share* is 1 minus
 * the variance of k_i divided by this sum: 1 for categories, 0 for independent answers, below 0 for the words of long and short texts.
 */

import type { FeatureInput } from "../../../nn/model.js";

/** From 0 to 1; 0 if there are only quantities. `isQuantity` has 1 for each quantity. */
export function exclusiveShare(
  { numColumns, rowStart, columns, values }: FeatureInput,
  isQuantity: Uint8Array,
): number {
  const holders = new Float64Array(numColumns);
  let numRows = 0;
  let sum = 0;
  let squares = 0;
  for (let i = 0; i + 1 < rowStart.length; i++) {
    if (rowStart[i] === rowStart[i + 1]) continue;
    let count = 0;
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
      if (isQuantity[columns[e]] === 1 || (values?.[e] ?? 1) === 0) continue;
      holders[columns[e]]++;
      count++;
    }
    numRows++;
    sum += count;
    squares += count * count;
  }
  const variance = squares / numRows - (sum / numRows) ** 2;
  const independent = holders.reduce((total, count) => total + (count / numRows) * (1 - count / numRows), 0);
  return independent > 0 ? Math.max(0, 1 - variance / independent) : 0;
}
