import { InputError } from "./errors.js";

/** One vector per node. */
export interface Embedding {
  readonly ids: readonly string[];
  /** Numbers per vector. */
  readonly dim: number;
  /** `ids.length × dim`, row by row. */
  readonly vectors: Float32Array;
}

/** Fails unless there is a vector of finite numbers for each id. */
export function requireVectors({ ids, dim, vectors }: Embedding, where: string): void {
  if (vectors.length !== ids.length * dim) {
    throw new InputError(`${where}: ${vectors.length} numbers; expected ${ids.length} × ${dim}.`);
  }
  const bad = vectors.findIndex((value) => !Number.isFinite(value));
  if (bad < 0) return;
  const id = JSON.stringify(ids[Math.floor(bad / dim)]);
  throw new InputError(`${where}: the vector of node ${id} holds ${vectors[bad]}; expected finite numbers.`);
}
