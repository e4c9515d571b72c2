/** One vector per node. */
export interface Embedding {
  readonly ids: readonly string[];
  /** Numbers per vector. */
  readonly dim: number;
  /** `ids.length × dim`, row by row. */
  readonly vectors: Float32Array;
}
