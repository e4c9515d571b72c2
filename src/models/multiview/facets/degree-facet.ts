/**
 * The degrees facet: principal components of the nodes' degrees, which the edges and spectral facets normalise away.
 *
 * The matrix holds ln(1 + degree of node i in relation d), columns centred. Its leading directions are computed from one half
 * of the edges. A direction is significant if the other half agrees: the correlation of the two halves' columns must be at
 * least four standard deviations (1/√n each) above zero. Random graphs have no significant direction, because their degrees
 * differ by chance only.
 *
 * The facet uses the directions of all edges. If k directions are significant, it takes the k directions nearest to them,
 * not the k strongest: random degrees of a sparse relation can have the largest variance.
 *
 * With at most as many relations as columns, distances are those of the matrix. With more, columns are scaled to the root of their standard
 * deviation: the strongest direction, the activity in all relations, would hide the others, of which most are left out.
 */

import { addWork, eigenWork, type Work } from "../../../core/work.js";
import { symmetricEigen } from "../../../numeric/eigen/symmetric-eigen.js";
import type { Rows } from "../../../numeric/rows.js";
import { DEGREES, SIGNIFICANCE } from "../constants.js";
import { splitDegrees } from "../significance/direction-test.js";
import type { DegreeGraph, SimpleGraph } from "../weights/edge-copies.js";

/** Columns of the matrix: one per relation, within the limits. */
function numColumns(numRows: number, numRelations: number): number {
  const { maxColumns, maxNumbers, maxWork } = DEGREES;
  const affordable = Math.min(maxNumbers / numRows, Math.sqrt(maxWork / numRows));
  return Math.max(1, Math.min(maxColumns, numRelations, Math.floor(affordable)));
}

/** Work of `degreeFacet`; `copies` is the number of entries of all relations, copies of edges included. */
export function degreeWork(numRows: number, numRelations: number, copies: number): Work {
  const count = numColumns(numRows, numRelations);
  const gram = { loops: numRows * (count ** 2 + 12 * count) };
  return addWork({ entries: 5 * copies + 20 * numRows * numRelations }, gram, eigenWork(count), eigenWork(count));
}

/** At most `max` columns: the matrix of degrees times each chosen direction, scaled. */
export function degreeFacet(relations: readonly SimpleGraph[], max: number, seed: number): Rows<Float32Array> {
  const [{ numRows }] = relations;
  const halves = relations.map((relation, d) => splitDegrees(relation, seed, `degrees.halves.${d}`));
  const [first, second] = [0, 1].map((side) => degreeMatrix(halves.map((half) => half[side])));
  const significant = principalDirections(first)
    .slice(0, max)
    .filter((direction) => {
      const score = correlation(along(first, direction), along(second, direction)) * Math.sqrt(numRows);
      return score > SIGNIFICANCE.minDeviations;
    });
  const whole = degreeMatrix(relations);
  const columns = nearest(principalDirections(whole), significant).map((direction) => along(whole, direction));
  const width = columns.length;
  const power = relations.length > max ? DEGREES.powerOfMany : 1;
  const data = new Float32Array(numRows * width);
  columns.forEach((column, k) => {
    const deviation = Math.sqrt(column.reduce((sum, x) => sum + x * x, 0) / numRows);
    const factor = deviation > 0 ? deviation ** (power - 1) : 0;
    for (let i = 0; i < numRows; i++) data[i * width + k] = column[i] * factor;
  });
  return { data, width };
}

/** The directions nearest to the span of `others`, as many as there are others, in their own order; all are orthonormal. */
function nearest(directions: readonly Float64Array[], others: readonly Float64Array[]): Float64Array[] {
  const shared = directions.map((direction) =>
    others.reduce((sum, other) => sum + direction.reduce((dot, x, a) => dot + x * other[a], 0) ** 2, 0),
  );
  const ranked = [...directions.keys()].sort((a, b) => shared[b] - shared[a] || a - b);
  const chosen = new Set(ranked.slice(0, others.length));
  return directions.filter((_, k) => chosen.has(k));
}

/** ln(1 + degree) of every node and relation, with centred columns. */
function degreeMatrix(relations: readonly DegreeGraph[]): Rows {
  const [{ numRows }] = relations;
  const width = numColumns(numRows, relations.length);
  const data = new Float64Array(numRows * width);
  relations.forEach(({ rowStart, ordinary = 1 }, d) => {
    const column = Math.floor((d * width) / relations.length);
    for (let i = 0; i < numRows; i++) data[i * width + column] += (rowStart[i + 1] - rowStart[i]) / ordinary;
  });
  const mean = new Float64Array(width);
  for (let at = 0; at < data.length; at++) mean[at % width] += (data[at] = Math.log1p(data[at])) / numRows;
  for (let at = 0; at < data.length; at++) data[at] -= mean[at % width];
  return { data, width };
}

/** Eigenvectors of the covariance of the columns, largest variance first. */
function principalDirections({ data, width }: Rows): readonly Float64Array[] {
  const numRows = data.length / width;
  const gram = new Float64Array(width * width);
  for (let i = 0; i < numRows; i++) {
    for (let a = 0; a < width; a++) {
      const x = data[i * width + a];
      for (let b = 0; b <= a; b++) gram[a * width + b] += x * data[i * width + b];
    }
  }
  for (let a = 0; a < width; a++) for (let b = a + 1; b < width; b++) gram[a * width + b] = gram[b * width + a];
  return symmetricEigen(gram, width).vectors;
}

/** The matrix times a direction: one number per node. */
function along({ data, width }: Rows, direction: Float64Array): Float64Array {
  const found = new Float64Array(data.length / width);
  for (let i = 0; i < found.length; i++) {
    let sum = 0;
    for (let a = 0; a < width; a++) sum += data[i * width + a] * direction[a];
    found[i] = sum;
  }
  return found;
}

/** Correlation of centred numbers; 0 without variance. */
function correlation(x: Float64Array, y: Float64Array): number {
  let [product, squareX, squareY] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    product += x[i] * y[i];
    squareX += x[i] * x[i];
    squareY += y[i] * y[i];
  }
  return squareX > 0 && squareY > 0 ? product / Math.sqrt(squareX * squareY) : 0;
}
