import { InputError } from "./errors.js";
import { quoteValue } from "./text.js";
import { requireCount, valueText } from "./validation.js";

/** One vector per node. */
export interface Embedding {
  readonly ids: readonly string[];
  /** Numbers per vector. */
  readonly dim: number;
  /** `ids.length × dim`, row by row. */
  readonly vectors: Float32Array;
}

/** Vectors of a model for each relation, and how a pair is scored from them. */
export interface TrainedDecoder {
  readonly score: "dot" | "cosine";
  /** Without directions a pair is scored in both orders and the scores are averaged. */
  readonly directed: boolean;
  /** A pair (i, j) is scored from source_i and target_j; without `target` both come from `source`. */
  vectors(relation: number): { readonly source: Embedding; readonly target?: Embedding };
}

/** Throws unless this is a list of one or more embeddings. */
export function requireEmbeddings(embeddings: readonly Embedding[], where: string): void {
  if (!Array.isArray(embeddings) || embeddings.length === 0) {
    throw new InputError(`${where}: found ${valueText(embeddings)}; expected a list of one embedding or several.`);
  }
  for (const embedding of embeddings) requireVectors(embedding, where);
}

/** Throws if an id is empty or two nodes have the same id. */
export function requireDistinctIds(ids: readonly string[], where: string): void {
  const seen = new Set<string>();
  for (const id of ids) {
    if (id === "") throw new InputError(`${where}: a node has an empty id; expected a name for each.`);
    if (seen.has(id)) throw new InputError(`${where}: node ${quoteValue(id)} has two vectors; expected one.`);
    seen.add(id);
  }
}

/** Throws unless there is a vector of finite numbers for each id. */
export function requireVectors(embedding: Embedding, where: string): void {
  const { ids, dim, vectors } = embedding ?? {};
  if (!Array.isArray(ids) || Object.prototype.toString.call(vectors) !== "[object Float32Array]") {
    throw new InputError(
      `${where}: ${valueText(embedding)} is not an embedding; expected { ids, dim, vectors } with a list of ids and vectors as a Float32Array, such as run.embedding.`,
    );
  }
  requireCount(dim, `${where}: dim`);
  const wrong = ids.findIndex((id) => typeof id !== "string");
  if (wrong >= 0) {
    throw new InputError(`${where}: id ${wrong} is ${valueText(ids[wrong])}; expected a string, as of String(id).`);
  }
  if (vectors.length !== ids.length * dim) {
    throw new InputError(`${where}: ${vectors.length} numbers; expected ${ids.length} × ${dim}.`);
  }
  const bad = vectors.findIndex((value) => !Number.isFinite(value));
  if (bad < 0) return;
  const id = quoteValue(ids[Math.floor(bad / dim)]);
  throw new InputError(`${where}: the vector of node ${id} holds ${vectors[bad]}; expected finite numbers.`);
}
