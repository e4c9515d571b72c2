/**
 * Eigenpairs of a symmetric matrix by way of a tridiagonal one (Golub, Van Loan, §8.3): Householder reflections make
 * A = Q·T·Qᵀ, rotations with Wilkinson's shift make T diagonal. All inner loops run along rows.
 */

/** Steps for one value; two or three are usual. */
const MAX_STEPS = 60;

/** Beside entries of the order of one. */
const NO_SQUARE = 1e-60;

export interface Eigenpairs {
  readonly values: Float64Array;
  /** Row k is the vector of value k; size × size. */
  readonly vectors: Float64Array;
}

/** In no order. The matrix is given by rows, has entries of the order of one, and is used up. */
export function tridiagonalEigen(a: Float64Array, size: number): Eigenpairs {
  const vectors = new Float64Array(size * size);
  for (let k = 0; k < size; k++) vectors[k * size + k] = 1;
  const { values, beside, factors } = tridiagonalized(a, size);
  accumulate(a, size, factors, vectors);
  diagonalize(values, beside, size, (k, c, s) => rotate(vectors, k * size, size, c, s));
  return { values, vectors };
}

/** The values alone, in the same bits. */
export function tridiagonalEigenvalues(a: Float64Array, size: number): Float64Array {
  const { values, beside } = tridiagonalized(a, size);
  diagonalize(values, beside, size, () => {});
  return values;
}

function tridiagonalized(a: Float64Array, size: number) {
  const beside = new Float64Array(size); // beside[k] couples k and k + 1
  const factors = reduce(a, size, beside);
  const values = Float64Array.from({ length: size }, (_, k) => a[k * size + k]);
  return { values, beside, factors };
}

/**
 * Reflection k, I − factor·u·uᵀ, zeroes row and column k beyond the entry beside the diagonal. Its u replaces row k
 * right of the diagonal, which nothing reads any more; the factors are returned.
 */
function reduce(a: Float64Array, size: number, beside: Float64Array): Float64Array {
  const factors = new Float64Array(size);
  const image = new Float64Array(size);
  for (let k = 0; k < size - 1; k++) {
    const row = k * size;
    let square = 0;
    for (let j = k + 2; j < size; j++) square += a[row + j] ** 2;
    const first = a[row + k + 1];
    if (square < NO_SQUARE) {
      beside[k] = first;
      continue;
    }
    const length = Math.sqrt(first * first + square);
    const leading = first >= 0 ? first + length : first - length; // away from zero: nothing cancels
    beside[k] = first >= 0 ? -length : length;
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

/** Makes the identity Qᵀ: the reflections from the last to the first, each upon the rows that later ones have touched. */
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

/** Rotates neighbours until nothing stands beside the diagonal; `turn` hears of every rotation of k and k + 1. */
function diagonalize(
  values: Float64Array,
  beside: Float64Array,
  size: number,
  turn: (k: number, c: number, s: number) => void,
): void {
  let largest = 0;
  for (let k = 0; k < size; k++) largest = Math.max(largest, Math.abs(values[k]) + Math.abs(beside[k]));
  const negligible = (k: number) => Math.abs(beside[k]) <= Number.EPSILON * largest;
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
    // the eigenvalue of the last two by two that is nearer to its corner
    const half = (values[last - 1] - values[last]) / 2;
    const b = beside[last - 1];
    const shift = values[last] - (b * b) / (half + (half >= 0 ? 1 : -1) * Math.hypot(half, b));
    let x = values[first] - shift;
    let bulge = beside[first];
    for (let k = first; k < last; k++) {
      const length = Math.hypot(x, bulge);
      const [c, s] = length === 0 ? [1, 0] : [x / length, bulge / length];
      if (k > first) beside[k - 1] = length;
      const [low, high, side] = [values[k], values[k + 1], beside[k]];
      values[k] = c * c * low + 2 * c * s * side + s * s * high;
      values[k + 1] = s * s * low - 2 * c * s * side + c * c * high;
      beside[k] = c * s * (high - low) + (c * c - s * s) * side;
      turn(k, c, s);
      if (k + 1 === last) break;
      x = beside[k];
      bulge = s * beside[k + 1];
      beside[k + 1] *= c;
    }
  }
}

/** Of two rows one after the other. */
function rotate(m: Float64Array, at: number, size: number, c: number, s: number): void {
  for (let k = at; k < at + size; k++) {
    const x = m[k];
    const y = m[k + size];
    m[k] = c * x + s * y;
    m[k + size] = c * y - s * x;
  }
}
