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
  diagonalize(values, offDiagonal, size, (rotations) => rotate(vectors, size, rotations));
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
    multiply(a, size, k, a, image);
    for (let i = k + 1; i < size; i++) {
      image[i] *= factor;
      along += image[i] * a[row + i];
    }
    for (let i = k + 1; i < size; i++) image[i] -= 0.5 * factor * along * a[row + i];
    for (let i = k + 1; i < size; i++) {
      const u = a[row + i];
      const w = image[i];
      for (let j = k + 1, at = i * size + j; j < size; j++, at++) a[at] -= u * image[j] + w * a[row + j];
    }
  }
  return factors;
}

/** image ← M·u for the rows and columns after k, where row k of `a` holds u. Four sums at a time, which do not wait for each other. */
function multiply(m: Float64Array, size: number, k: number, a: Float64Array, image: Float64Array): void {
  const row = k * size;
  let i = k + 1;
  for (; i + 3 < size; i += 4) {
    let [p, q, r, s] = [0, 0, 0, 0];
    for (let j = k + 1, at = i * size + j; j < size; j++, at++) {
      const u = a[row + j];
      p += m[at] * u;
      q += m[at + size] * u;
      r += m[at + 2 * size] * u;
      s += m[at + 3 * size] * u;
    }
    image[i] = p;
    image[i + 1] = q;
    image[i + 2] = r;
    image[i + 3] = s;
  }
  for (; i < size; i++) {
    let sum = 0;
    for (let j = k + 1; j < size; j++) sum += m[i * size + j] * a[row + j];
    image[i] = sum;
  }
}

/** Turns the identity into Qᵀ: applies the reflections from the last to the first, each to the rows that the later ones changed. */
function accumulate(a: Float64Array, size: number, factors: Float64Array, vectors: Float64Array): void {
  const along = new Float64Array(size);
  for (let k = size - 2; k >= 0; k--) {
    if (factors[k] === 0) continue;
    const row = k * size;
    multiply(vectors, size, k, a, along);
    for (let i = k + 1; i < size; i++) {
      const share = along[i] * factors[k];
      for (let j = k + 1, at = i * size + j; j < size; j++, at++) vectors[at] -= share * a[row + j];
    }
  }
}

/** Rotations of the rows k and k + 1, for k from `first` to `last` − 1, one after the other. */
interface Rotations {
  readonly first: number;
  readonly last: number;
  /** By k. */
  readonly cosines: Float64Array;
  readonly sines: Float64Array;
}

/** Rotates neighbouring rows until the matrix is diagonal; calls `turn` after every step with its rotations. */
function diagonalize(
  values: Float64Array,
  offDiagonal: Float64Array,
  size: number,
  turn: (rotations: Rotations) => void,
): void {
  const cosines = new Float64Array(size);
  const sines = new Float64Array(size);
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
    const shift = values[last] - (b * b) / (half + (half >= 0 ? 1 : -1) * hypotenuse(half, b));
    let x = values[first] - shift;
    let bulge = offDiagonal[first];
    for (let k = first; k < last; k++) {
      const length = hypotenuse(x, bulge);
      const c = length === 0 ? 1 : x / length;
      const s = length === 0 ? 0 : bulge / length;
      cosines[k] = c;
      sines[k] = s;
      if (k > first) offDiagonal[k - 1] = length;
      const low = values[k];
      const high = values[k + 1];
      const side = offDiagonal[k];
      values[k] = c * c * low + 2 * c * s * side + s * s * high;
      values[k + 1] = s * s * low - 2 * c * s * side + c * c * high;
      offDiagonal[k] = c * s * (high - low) + (c * c - s * s) * side;
      if (k + 1 === last) break;
      x = offDiagonal[k];
      bulge = s * offDiagonal[k + 1];
      offDiagonal[k + 1] *= c;
    }
    turn({ first, last, cosines, sines });
  }
}

/** √(x² + y²) without overflow, with the bits of Math.hypot in V8, which takes several times as long. */
function hypotenuse(x: number, y: number): number {
  const largest = Math.max(Math.abs(x), Math.abs(y));
  if (largest === 0) return 0;
  return Math.sqrt((x / largest) ** 2 + (y / largest) ** 2) * largest;
}

/** Applies the rotations to four columns at a time, so that every entry is read and written once. */
function rotate(m: Float64Array, size: number, { first, last, cosines, sines }: Rotations): void {
  let column = 0;
  for (; column + 3 < size; column += 4) {
    let at = first * size + column;
    let x0 = m[at];
    let x1 = m[at + 1];
    let x2 = m[at + 2];
    let x3 = m[at + 3];
    for (let k = first; k < last; k++) {
      const c = cosines[k];
      const s = sines[k];
      const next = at + size;
      const y0 = m[next];
      const y1 = m[next + 1];
      const y2 = m[next + 2];
      const y3 = m[next + 3];
      m[at] = c * x0 + s * y0;
      m[at + 1] = c * x1 + s * y1;
      m[at + 2] = c * x2 + s * y2;
      m[at + 3] = c * x3 + s * y3;
      x0 = c * y0 - s * x0;
      x1 = c * y1 - s * x1;
      x2 = c * y2 - s * x2;
      x3 = c * y3 - s * x3;
      at = next;
    }
    m[at] = x0;
    m[at + 1] = x1;
    m[at + 2] = x2;
    m[at + 3] = x3;
  }
  for (; column < size; column++) {
    let at = first * size + column;
    let x = m[at];
    for (let k = first; k < last; k++, at += size) {
      const y = m[at + size];
      m[at] = cosines[k] * x + sines[k] * y;
      x = cosines[k] * y - sines[k] * x;
    }
    m[at] = x;
  }
}
