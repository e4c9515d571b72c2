/** How well vectors are told, measured on nodes left out of a fit. */

/** Every so many-th node is left out. */
const LEFT_OUT = 5;
/** With fewer of them nothing is said. */
export const MIN_MEASURED = 10;

export function isLeftOut(place: number): boolean {
  return place % LEFT_OUT === LEFT_OUT - 1;
}

/** Squares of errors beside squares of deviations, for every column. */
export class SumsOfSquares {
  readonly #dim: number;
  readonly #rest: Float64Array;
  readonly #sum: Float64Array;
  readonly #squares: Float64Array;
  count = 0;

  constructor(dim: number) {
    this.#dim = dim;
    this.#rest = new Float64Array(dim);
    this.#sum = new Float64Array(dim);
    this.#squares = new Float64Array(dim);
  }

  add(predicted: ArrayLike<number>, vector: ArrayLike<number>): void {
    this.count++;
    for (let k = 0; k < this.#dim; k++) {
      this.#rest[k] += (vector[k] - predicted[k]) ** 2;
      this.#sum[k] += vector[k];
      this.#squares[k] += vector[k] ** 2;
    }
  }

  #deviations(): Float64Array {
    return this.#squares.map((square, k) => square - this.#sum[k] ** 2 / this.count);
  }

  /** R² of every column, at least 0. */
  determination(): Float64Array {
    return this.#deviations().map((all, k) => (all > 0 ? Math.max(0, 1 - this.#rest[k] / all) : 0));
  }

  /** R² of all columns together; null with too few nodes, or where nothing varies. */
  overall(): number | null {
    const all = this.#deviations().reduce((sum, x) => sum + x, 0);
    if (this.count < MIN_MEASURED || all <= 0) return null;
    return 1 - this.#rest.reduce((sum, x) => sum + x, 0) / all;
  }
}
