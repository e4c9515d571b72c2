/** Rows of numbers; row-major, `width` each. */
export interface Rows {
  readonly data: Float64Array;
  readonly width: number;
}
