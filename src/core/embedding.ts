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

/** Vectors that are read in slices, because all of them may need more memory than a process has. */
export interface VectorRows {
  readonly ids: readonly string[];
  readonly dim: number;
  /** The vectors of these nodes, given by their indices, one after another; at the beginning of `into` if that has room. */
  at(nodes: Uint32Array, into?: Float32Array): Float32Array;
  /** The vectors from `first` up to `end`, in `into` or elsewhere. They may be a view of the vectors, so nobody may change them. */
  range(first: number, end: number, into?: Float32Array): Float32Array;
}

export function isVectorRows(value: unknown): value is VectorRows {
  return typeof Reflect.get(Object(value), "range") === "function";
}

/** The vectors of an embedding as rows. */
export function vectorRows(source: Embedding | VectorRows): VectorRows {
  if (isVectorRows(source)) return source;
  const { ids, dim, vectors } = source;
  return {
    ids,
    dim,
    at(nodes, into) {
      const rows = roomFor(nodes.length * dim, into);
      for (let i = 0; i < nodes.length; i++) {
        rows.set(vectors.subarray(nodes[i] * dim, (nodes[i] + 1) * dim), i * dim);
      }
      return rows;
    },
    range: (first, end) => vectors.subarray(first * dim, end * dim),
  };
}

/** All vectors in one array. */
export function wholeEmbedding(source: Embedding | VectorRows): Embedding {
  if (!isVectorRows(source)) return source;
  const { ids, dim } = source;
  return { ids, dim, vectors: source.range(0, ids.length) };
}

/** Numbers of a slice: 4 MB. Not tuned. */
const SLICE_NUMBERS = 2 ** 20;
/** Minimum number of rows of a slice: a multiple of the rows that DuckDB takes at a time and that sums over rows add together. */
const MIN_SLICE_ROWS = 2048;

/** Number of rows of a table of this width that are read or written at a time: a power of two, at least 2048. */
export function sliceRows(width: number): number {
  return Math.max(MIN_SLICE_ROWS, 2 ** Math.floor(Math.log2(SLICE_NUMBERS / width)));
}

/** Consecutive rows of a table, which are read or written at a time. */
export interface RowSlice {
  readonly first: number;
  readonly end: number;
}

/** Divides the rows of a table of this width into slices. */
export function* rowSlices(numRows: number, width: number): Generator<RowSlice> {
  const size = sliceRows(width);
  for (let first = 0; first < numRows; first += size) yield { first, end: Math.min(numRows, first + size) };
}

/** Storage for a slice of rows, so that a pass over them does not allocate each slice, which would call the garbage collector. */
export function sliceRoom(numRows: number, width: number): Float32Array {
  return new Float32Array(Math.min(numRows, sliceRows(width)) * width);
}

/** `length` numbers at the beginning of `into`, or in a new array if `into` is too short or of another type. */
export function roomFor(length: number, into?: Float32Array | Float64Array): Float32Array {
  return into instanceof Float32Array && into.length >= length ? into.subarray(0, length) : new Float32Array(length);
}

/** All vectors, slice by slice; a slice is valid until the next one is read. */
export function* vectorSlices(rows: VectorRows): Generator<RowSlice & { readonly vectors: Float32Array }> {
  const room = sliceRoom(rows.ids.length, rows.dim);
  for (const { first, end } of rowSlices(rows.ids.length, rows.dim)) {
    yield { first, end, vectors: rows.range(first, end, room) };
  }
}

/** Vectors of a model for each relation, and how a pair is scored from them. */
export interface TrainedDecoder {
  readonly score: "dot" | "cosine";
  /** Without directions a pair is scored in both orders and the scores are averaged. */
  readonly directed: boolean;
  /** A pair (i, j) is scored from source_i and target_j; without `target` both come from `source`. */
  vectors(relation: number): { readonly source: Embedding; readonly target?: Embedding };
}

/** A decoder whose vectors are read in slices; see TrainedDecoder. */
export interface SlicedDecoder extends Pick<TrainedDecoder, "score" | "directed"> {
  rows(relation: number): Promise<{ readonly source: VectorRows; readonly target?: VectorRows }>;
}

/** Throws unless this is a list of one or more embeddings. */
export function requireEmbeddings(embeddings: readonly (Embedding | VectorRows)[], where: string): void {
  if (!Array.isArray(embeddings) || embeddings.length === 0) {
    throw new InputError(`${where}: found ${valueText(embeddings)}; expected a list of one embedding or several.`);
  }
  for (const embedding of embeddings) if (!isVectorRows(embedding)) requireVectors(embedding, where);
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
  requireFinite(vectors, ids, dim, 0, where);
}

/** Throws unless all numbers of these vectors are finite; the first vector is that of node `first`. */
export function requireFinite(
  vectors: Float32Array,
  ids: readonly string[],
  dim: number,
  first: number,
  where: string,
): void {
  // a loop is 20 times as fast as findIndex here
  let bad = 0;
  while (bad < vectors.length && Number.isFinite(vectors[bad])) bad++;
  if (bad === vectors.length) return;
  const id = quoteValue(ids[first + Math.floor(bad / dim)]);
  throw new InputError(`${where}: the vector of node ${id} holds ${vectors[bad]}; expected finite numbers.`);
}
