/** R² of predicted vectors on held-out nodes, which the fit did not use. */

/** One of this many nodes is held out. */
const HELD_OUT_EVERY = 5;
/** Minimum number of held-out nodes; with fewer, R² is not reported. */
export const MIN_HELD_OUT = 10;

/** Whether the sampled node with this index is held out of the fit. */
export function isHeldOut(place: number): boolean {
  return place % HELD_OUT_EVERY === HELD_OUT_EVERY - 1;
}

/** Sums of squared errors and of squared deviations from the mean, for every column. */
export class SumsOfSquares {
  readonly #dim: number;
  readonly #errors: Float64Array;
  readonly #sum: Float64Array;
  readonly #squares: Float64Array;
  count = 0;

  constructor(dim: number) {
    this.#dim = dim;
    this.#errors = new Float64Array(dim);
    this.#sum = new Float64Array(dim);
    this.#squares = new Float64Array(dim);
  }

  add(predicted: ArrayLike<number>, vector: ArrayLike<number>): void {
    this.count++;
    for (let k = 0; k < this.#dim; k++) {
      this.#errors[k] += (vector[k] - predicted[k]) ** 2;
      this.#sum[k] += vector[k];
      this.#squares[k] += vector[k] ** 2;
    }
  }

  #deviations(): Float64Array {
    return this.#squares.map((square, k) => square - this.#sum[k] ** 2 / this.count);
  }

  /** R² of every column; negative values become 0. */
  columnR2(): Float64Array {
    return this.#deviations().map((total, k) => (total > 0 ? Math.max(0, 1 - this.#errors[k] / total) : 0));
  }

  /** R² of all columns together; null with too few nodes, or if the vectors are all equal. */
  overallR2(): number | null {
    const total = this.#deviations().reduce((sum, x) => sum + x, 0);
    if (this.count < MIN_HELD_OUT || total <= 0) return null;
    return 1 - this.#errors.reduce((sum, x) => sum + x, 0) / total;
  }
}
