/**
 * What the degrees of the nodes tell: leading directions of ln(1 + degree of i in d) over the relations d, columns centred,
 * which spectral and edge views normalise away. They are found on one half of the edges and pass if the other half
 * agrees: the correlation of the two halves' columns must stand four deviations (1/√n each) above zero. Of random graphs
 * none do, since what is left of their degrees is chance. Of the directions of all edges those are taken, as many as
 * pass, that lie nearest to the ones that do: a sparse relation of chance may well have the strongest.
 */

import { addWork, eigenWork, type Work } from "../../../core/work.js";
import { symmetricEigen } from "../../../numeric/symmetric-eigen.js";
import type { Columns } from "../columns.js";
import { MIN_DEVIATIONS, splitInHalves } from "../significance/direction-test.js";
import type { SimpleGraph } from "../weights/edge-copies.js";

/** Of more relations, neighbouring ones are counted together: the work grows with the square of their number. */
const MAX_COLUMNS = 64;
/** Nor shall they take more numbers than this. */
const MAX_NUMBERS = 2 ** 24;

/** Columns of degrees: one per relation, within bounds. */
function numColumns(numRows: number, numRelations: number): number {
  return Math.max(1, Math.min(MAX_COLUMNS, numRelations, Math.floor(MAX_NUMBERS / numRows)));
}

/** Work of `degreeView`; `copies` are the entries of all relations with their copies. */
export function degreeWork(numRows: number, numRelations: number, copies: number): Work {
  const count = numColumns(numRows, numRelations);
  const gram = { loops: numRows * (count ** 2 + 12 * count) };
  return addWork({ entries: 5 * copies + 20 * numRows * numRelations }, gram, eigenWork(count), eigenWork(count));
}

/** At most `most` columns, of the length that the directions' variances give. */
export function degreeView(relations: readonly SimpleGraph[], most: number, seed: number): Columns {
  const [{ numRows }] = relations;
  const halves = relations.map((relation, d) => splitInHalves(relation, seed, `degrees.halves.${d}`));
  const [first, second] = [0, 1].map((side) => profile(halves.map((half) => half[side])));
  const passed = directions(first)
    .slice(0, most)
    .filter((direction) => {
      const score = correlation(along(first, direction), along(second, direction)) * Math.sqrt(numRows);
      return score > MIN_DEVIATIONS;
    });
  const whole = profile(relations);
  const columns = nearest(directions(whole), passed).map((direction) => along(whole, direction));
  const count = columns.length;
  const data = new Float32Array(numRows * count);
  columns.forEach((column, k) => {
    for (let i = 0; i < numRows; i++) data[i * count + k] = column[i];
  });
  return { data, count };
}

/** Of orthonormal directions as many as there are others, in their order: those with most of themselves among these. */
function nearest(directions: readonly Float64Array[], others: readonly Float64Array[]): Float64Array[] {
  const shared = directions.map((direction) =>
    others.reduce((sum, other) => sum + direction.reduce((dot, x, a) => dot + x * other[a], 0) ** 2, 0),
  );
  const ranked = [...directions.keys()].sort((a, b) => shared[b] - shared[a] || a - b);
  const chosen = new Set(ranked.slice(0, others.length));
  return directions.filter((_, k) => chosen.has(k));
}

interface Profile {
  readonly numRows: number;
  readonly count: number;
  /** By rows, centred columns. */
  readonly data: Float64Array;
}

function profile(relations: readonly SimpleGraph[]): Profile {
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

/** Eigenvectors of the columns' covariance, strongest first. */
function directions({ numRows, count, data }: Profile): readonly Float64Array[] {
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

function along({ numRows, count, data }: Profile, direction: Float64Array): Float64Array {
  return Float64Array.from({ length: numRows }, (_, i) => {
    let sum = 0;
    for (let a = 0; a < count; a++) sum += data[i * count + a] * direction[a];
    return sum;
  });
}

/** Of centred numbers; 0 where there is no variance. */
function correlation(x: Float64Array, y: Float64Array): number {
  let [product, squareX, squareY] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    product += x[i] * y[i];
    squareX += x[i] * x[i];
    squareY += y[i] * y[i];
  }
  return squareX > 0 && squareY > 0 ? product / Math.sqrt(squareX * squareY) : 0;
}
