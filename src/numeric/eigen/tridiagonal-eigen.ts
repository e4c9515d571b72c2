/**
 * Eigenpairs of a dense symmetric matrix (Golub, Van Loan, §8.3): Householder reflections turn it into a tridiagonal matrix
 * T with A = Q·T·Qᵀ, and rotations with Wilkinson's shift make T diagonal. All inner loops run along rows.
 */

/** Limit of steps for one eigenvalue; two or three are usual. */
const MAX_STEPS = 60;

/** A sum of squares below this is zero; the entries are of order 1. */
const ZERO_SQUARE = 1e-60;

export interface Eigenpairs {
  readonly values: Float64Array;
  /** Row k is the vector of value k; size × size. */
  readonly vectors: Float64Array;
}

/** All eigenpairs in no particular order. The matrix is stored row by row, has entries of order 1, and is overwritten. */
export function tridiagonalEigen(a: Float64Array, size: number): Eigenpairs {
  const vectors = new Float64Array(size * size);
  for (let k = 0; k < size; k++) vectors[k * size + k] = 1;
  const { values, offDiagonal, factors } = tridiagonalized(a, size);
  accumulate(a, size, factors, vectors);
  diagonalize(values, offDiagonal, size, (k, c, s) => rotate(vectors, k * size, size, c, s));
  return { values, vectors };
}

/** The eigenvalues only, with the same bits. */
export function tridiagonalEigenvalues(a: Float64Array, size: number): Float64Array {
  const { values, offDiagonal } = tridiagonalized(a, size);
  diagonalize(values, offDiagonal, size, () => {});
  return values;
}

function tridiagonalized(a: Float64Array, size: number) {
  const offDiagonal = new Float64Array(size); // offDiagonal[k] is the entry in row k and column k + 1
  const factors = reduce(a, size, offDiagonal);
  const values = Float64Array.from({ length: size }, (_, k) => a[k * size + k]);
  return { values, offDiagonal, factors };
}

/**
 * Reflection k, I − factor·u·uᵀ, makes row and column k zero except for the diagonal and the entry next to it. Its u
 * replaces the part of row k right of the diagonal, which is not read any more. Returns the factors.
 */
function reduce(a: Float64Array, size: number, offDiagonal: Float64Array): Float64Array {
  const factors = new Float64Array(size);
  const image = new Float64Array(size);
  for (let k = 0; k < size - 1; k++) {
    const row = k * size;
    let square = 0;
    for (let j = k + 2; j < size; j++) square += a[row + j] ** 2;
    const first = a[row + k + 1];
    if (square < ZERO_SQUARE) {
      offDiagonal[k] = first;
      continue;
    }
    const length = Math.sqrt(first * first + square);
    const leading = first >= 0 ? first + length : first - length; // away from zero: nothing cancels
    offDiagonal[k] = first >= 0 ? -length : length;
    const factor = 2 / (leading * leading + square);
    factors[k] = factor;
    a[row + k + 1] = leading;
    // A ← A − u·wᵀ − w·uᵀ with p = factor·A·u, w = p − ½·factor·(pᵀu)·u
    let along = 0;
    for (let i = k + 1; i < size; i++) {
      let sum = 0;
      for (let j = k + 1; j < size; j++) sum += a[i * size + j] * a[row + j];
      image[i] = factor * sum;
      along += image[i] * a[row + i];
    }
    for (let i = k + 1; i < size; i++) image[i] -= 0.5 * factor * along * a[row + i];
    for (let i = k + 1; i < size; i++) {
      const [u, w] = [a[row + i], image[i]];
      for (let j = k + 1; j < size; j++) a[i * size + j] -= u * image[j] + w * a[row + j];
    }
  }
  return factors;
}

/** Turns the identity into Qᵀ: applies the reflections from the last to the first, each to the rows that the later ones changed. */
function accumulate(a: Float64Array, size: number, factors: Float64Array, vectors: Float64Array): void {
  for (let k = size - 2; k >= 0; k--) {
    if (factors[k] === 0) continue;
    const row = k * size;
    for (let i = k + 1; i < size; i++) {
      let along = 0;
      for (let j = k + 1; j < size; j++) along += vectors[i * size + j] * a[row + j];
      along *= factors[k];
      for (let j = k + 1; j < size; j++) vectors[i * size + j] -= along * a[row + j];
    }
  }
}

/** Rotates neighbouring rows until the matrix is diagonal; calls `turn` for every rotation of k and k + 1. */
function diagonalize(
  values: Float64Array,
  offDiagonal: Float64Array,
  size: number,
  turn: (k: number, c: number, s: number) => void,
): void {
  let largest = 0;
  for (let k = 0; k < size; k++) largest = Math.max(largest, Math.abs(values[k]) + Math.abs(offDiagonal[k]));
  const negligible = (k: number) => Math.abs(offDiagonal[k]) <= Number.EPSILON * largest;
  let steps = 0;
  for (let last = size - 1; last > 0; ) {
    if (negligible(last - 1) || steps === MAX_STEPS) {
      last--;
      steps = 0;
      continue;
    }
    steps++;
    let first = last - 1;
    while (first > 0 && !negligible(first - 1)) first--;
    // Wilkinson's shift: the eigenvalue of the last 2 × 2 block that is nearer to its last entry
    const half = (values[last - 1] - values[last]) / 2;
    const b = offDiagonal[last - 1];
    const shift = values[last] - (b * b) / (half + (half >= 0 ? 1 : -1) * Math.hypot(half, b));
    let x = values[first] - shift;
    let bulge = offDiagonal[first];
    for (let k = first; k < last; k++) {
      const length = Math.hypot(x, bulge);
      const [c, s] = length === 0 ? [1, 0] : [x / length, bulge / length];
      if (k > first) offDiagonal[k - 1] = length;
      const [low, high, side] = [values[k], values[k + 1], offDiagonal[k]];
      values[k] = c * c * low + 2 * c * s * side + s * s * high;
      values[k + 1] = s * s * low - 2 * c * s * side + c * c * high;
      offDiagonal[k] = c * s * (high - low) + (c * c - s * s) * side;
      turn(k, c, s);
      if (k + 1 === last) break;
      x = offDiagonal[k];
      bulge = s * offDiagonal[k + 1];
      offDiagonal[k + 1] *= c;
    }
  }
}

/** Rotates two successive rows. */
function rotate(m: Float64Array, at: number, size: number, c: number, s: number): void {
  for (let k = at; k < at + size; k++) {
    const x = m[k];
    const y = m[k + size];
    m[k] = c * x + s * y;
    m[k + size] = c * y - s * x;
  }
}
