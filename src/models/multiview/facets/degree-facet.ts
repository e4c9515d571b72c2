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
 */

import { addWork, eigenWork, type Work } from "../../../core/work.js";
import { symmetricEigen } from "../../../numeric/symmetric-eigen.js";
import type { Columns } from "../columns.js";
import { MIN_DEVIATIONS, splitInHalves } from "../significance/direction-test.js";
import type { SimpleGraph } from "../weights/edge-copies.js";

/** Maximum number of columns; if there are more relations, the degrees of consecutive ones are added. Work grows with its square. */
const MAX_COLUMNS = 64;
/** Maximum size of the matrix in numbers (128 MB). */
const MAX_NUMBERS = 2 ** 24;

/** Columns of the matrix: one per relation, within the limits. */
function numColumns(numRows: number, numRelations: number): number {
  return Math.max(1, Math.min(MAX_COLUMNS, numRelations, Math.floor(MAX_NUMBERS / numRows)));
}

/** Work of `degreeFacet`; `copies` is the number of entries of all relations, copies of edges included. */
export function degreeWork(numRows: number, numRelations: number, copies: number): Work {
  const count = numColumns(numRows, numRelations);
  const gram = { loops: numRows * (count ** 2 + 12 * count) };
  return addWork({ entries: 5 * copies + 20 * numRows * numRelations }, gram, eigenWork(count), eigenWork(count));
}

/** At most `max` columns: the matrix of degrees times each chosen direction. */
export function degreeFacet(relations: readonly SimpleGraph[], max: number, seed: number): Columns {
  const [{ numRows }] = relations;
  const halves = relations.map((relation, d) => splitInHalves(relation, seed, `degrees.halves.${d}`));
  const [first, second] = [0, 1].map((side) => degreeMatrix(halves.map((half) => half[side])));
  const significant = principalDirections(first)
    .slice(0, max)
    .filter((direction) => {
      const score = correlation(along(first, direction), along(second, direction)) * Math.sqrt(numRows);
      return score > MIN_DEVIATIONS;
    });
  const whole = degreeMatrix(relations);
  const columns = nearest(principalDirections(whole), significant).map((direction) => along(whole, direction));
  const count = columns.length;
  const data = new Float32Array(numRows * count);
  columns.forEach((column, k) => {
    for (let i = 0; i < numRows; i++) data[i * count + k] = column[i];
  });
  return { data, count };
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

/** ln(1 + degree) of every node and relation. */
interface DegreeMatrix {
  readonly numRows: number;
  readonly count: number;
  /** By rows; columns are centred. */
  readonly data: Float64Array;
}

function degreeMatrix(relations: readonly SimpleGraph[]): DegreeMatrix {
  const [{ numRows }] = relations;
  const count = numColumns(numRows, relations.length);
  const data = new Float64Array(numRows * count);
  relations.forEach(({ rowStart, ordinary = 1 }, d) => {
    const column = Math.floor((d * count) / relations.length);
    for (let i = 0; i < numRows; i++) data[i * count + column] += (rowStart[i + 1] - rowStart[i]) / ordinary;
  });
  const mean = new Float64Array(count);
  for (let at = 0; at < data.length; at++) mean[at % count] += (data[at] = Math.log1p(data[at])) / numRows;
  for (let at = 0; at < data.length; at++) data[at] -= mean[at % count];
  return { numRows, count, data };
}

/** Eigenvectors of the covariance of the columns, largest variance first. */
function principalDirections({ numRows, count, data }: DegreeMatrix): readonly Float64Array[] {
  const gram = new Float64Array(count * count);
  for (let i = 0; i < numRows; i++) {
    for (let a = 0; a < count; a++) {
      const x = data[i * count + a];
      for (let b = 0; b <= a; b++) gram[a * count + b] += x * data[i * count + b];
    }
  }
  for (let a = 0; a < count; a++) for (let b = a + 1; b < count; b++) gram[a * count + b] = gram[b * count + a];
  return symmetricEigen(gram, count).vectors;
}

/** The matrix times a direction: one number per node. */
function along({ numRows, count, data }: DegreeMatrix, direction: Float64Array): Float64Array {
  return Float64Array.from({ length: numRows }, (_, i) => {
    let sum = 0;
    for (let a = 0; a < count; a++) sum += data[i * count + a] * direction[a];
    return sum;
  });
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
