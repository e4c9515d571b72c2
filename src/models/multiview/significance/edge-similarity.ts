/**
 * Whether node features have anything in common with the edges.
 *
 * y_i are the features of node i with centred columns. If features and edges are unrelated, the products y_i·y_j over the edges of a
 * relation are those of random pairs: uncorrelated, with the same mean and the same mean square. The *edge similarity* is the
 * distance of their sum from its mean, in standard deviations; it is negative if neighbours differ.
 */

import type { Rng } from "../../../core/rng.js";
import type { SparseOperator } from "../../../engine/sparse.js";
import type { CsrPattern } from "../../../numeric/csr.js";
import { SIGNIFICANCE } from "../constants.js";

/** A variance of the products below this is the rounding error of equal rows; rows have a length of about one. */
const ROUNDING = 1e-20;

/** The edge similarity of the relation that is furthest from zero, or of all relations together; undefined if the features are constant or there are no edges. */
export function edgeSimilarity(
  features: SparseOperator,
  relations: readonly CsrPattern[],
  rng: Rng,
): number | undefined {
  const { numRows } = features;
  const product = centredProducts(features);
  if (numRows < 2) return undefined;
  // the products of a centred row with all rows add up to zero
  let mean = 0;
  for (let i = 0; i < numRows; i++) mean -= product(i, i) / numRows / (numRows - 1);
  let squares = 0;
  const count = numComparedPairs(features, relations.length);
  for (let pair = 0; pair < count; pair++) {
    const i = rng.below(numRows);
    squares += product(i, (i + 1 + rng.below(numRows - 1)) % numRows) ** 2;
  }
  const variance = squares / count - mean * mean;
  if (!(variance > ROUNDING)) return undefined;
  const compared = relations.map(({ rowStart, columns }) => {
    const stride = Math.max(1, Math.ceil(columns.length / (2 * count))); // every edge is stored twice
    let distance = 0;
    let numEdges = 0;
    for (let i = 0, e = 0; i < numRows; i++) {
      for (; e < rowStart[i + 1]; e++) {
        if (columns[e] <= i || e % stride !== 0) continue;
        distance += product(i, columns[e]) - mean;
        numEdges++;
      }
    }
    return { distance, numEdges };
  });
  const all = { distance: total(compared, "distance"), numEdges: total(compared, "numEdges") };
  if (all.numEdges === 0) return undefined;
  const deviations = [...compared, all].map(({ distance, numEdges }) =>
    numEdges === 0 ? 0 : distance / Math.sqrt(numEdges * variance),
  );
  return deviations.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a), 0);
}

/** Number of random pairs, and about the maximum number of edges of each relation. */
function numComparedPairs({ numRows, rowStart }: SparseOperator, numRelations: number): number {
  const { maxComparedPairs, minComparedPairs, maxComparedEntries } = SIGNIFICANCE;
  const entriesOfPair = (2 * rowStart[numRows]) / numRows;
  const affordable = Math.floor(maxComparedEntries / entriesOfPair / (1 + numRelations));
  return Math.max(minComparedPairs, Math.min(maxComparedPairs, affordable));
}

function total<Name extends string>(items: readonly Readonly<Record<Name, number>>[], name: Name): number {
  return items.reduce((sum, item) => sum + item[name], 0);
}

/** (i, j) ↦ (y_i − μ)·(y_j − μ), μ the mean row. Columns ascend in every row. */
function centredProducts({ numRows, numColumns, rowStart, columns, values }: SparseOperator) {
  const entry = (e: number) => values?.[e] ?? 1;
  const mean = new Float64Array(numColumns);
  for (let e = 0; e < rowStart[numRows]; e++) mean[columns[e]] += entry(e) / numRows;
  const withMean = new Float64Array(numRows);
  for (let i = 0; i < numRows; i++) {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) withMean[i] += entry(e) * mean[columns[e]];
  }
  const meanSquare = mean.reduce((sum, x) => sum + x * x, 0);
  return (i: number, j: number): number => {
    let product = meanSquare - withMean[i] - withMean[j];
    let [a, b] = [rowStart[i], rowStart[j]];
    while (a < rowStart[i + 1] && b < rowStart[j + 1]) {
      if (columns[a] === columns[b]) product += entry(a++) * entry(b++);
      else if (columns[a] < columns[b]) a++;
      else b++;
    }
    return product;
  };
}
