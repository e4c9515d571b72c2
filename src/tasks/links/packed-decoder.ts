/**
 * A model's decoder in a compact form for storage. The vectors of different relations often have equal or proportional
 * columns: multiview scores a pair of relation d by Σ_k z_ik·r_dk·z_jk, so every relation needs multiples of the same columns
 * z. Each distinct column is stored once; a relation stores the index and a factor of each of its columns. Unpacking gives
 * the same bits. Vectors are read in slices of rows, so only the store of the columns may need much memory.
 */

import {
  type Embedding,
  type SlicedDecoder,
  type TrainedDecoder,
  type VectorRows,
  vectorRows,
  vectorSlices,
} from "../../core/embedding.js";

/** The columns of a relation's source or target vectors. */
export interface PackedColumns {
  /** Indices into the stored columns. */
  readonly places: Uint32Array;
  readonly factors: Float32Array;
}

/** A decoder in the form in which it is stored. */
export interface PackedDecoder {
  readonly score: TrainedDecoder["score"];
  readonly directed: boolean;
  /** Distinct columns, one number per node. */
  readonly columns: readonly Float32Array[];
  readonly relations: readonly { readonly source: PackedColumns; readonly target?: PackedColumns }[];
}

/** Keeps distinct columns, one number per node. */
export interface ColumnStore {
  /** Stores the numbers of column `column` from node `first` on. */
  write(column: number, first: number, values: Float32Array): void;
  /** The numbers of the nodes from `first` up to `end`. */
  read(column: number, first: number, end: number): Float32Array;
}

/** Packs a decoder that has `numRelations` relations; the columns stay in memory. */
export async function packDecoder(decoder: TrainedDecoder, numRelations: number): Promise<PackedDecoder> {
  const columns: Float32Array[] = [];
  const numNodes = numRelations === 0 ? 0 : decoder.vectors(0).source.ids.length;
  const store: ColumnStore = {
    write(column, first, values) {
      columns[column] ??= new Float32Array(numNodes);
      columns[column].set(values, first);
    },
    read: (column, first, end) => columns[column].subarray(first, end),
  };
  const { relations } = await packColumns(decoder, numRelations, store);
  return { score: decoder.score, directed: decoder.directed, columns, relations };
}

/** Packs the relations of a decoder and puts the distinct columns into `store`. */
export async function packColumns(
  decoder: TrainedDecoder | SlicedDecoder,
  numRelations: number,
  store: ColumnStore,
): Promise<Pick<PackedDecoder, "relations"> & { readonly numColumns: number; readonly numNodes: number }> {
  const distinct = new DistinctColumns(store);
  let numNodes = 0;
  const relations: { readonly source: PackedColumns; readonly target?: PackedColumns }[] = [];
  for (let relation = 0; relation < numRelations; relation++) {
    const { source, target } = "rows" in decoder ? await decoder.rows(relation) : decoder.vectors(relation);
    numNodes = source.ids.length;
    // the target first: its columns are often those that the source has multiples of
    const packedTarget = target === undefined ? undefined : distinct.pack(vectorRows(target));
    relations.push({
      source: distinct.pack(vectorRows(source)),
      ...(packedTarget === undefined ? {} : { target: packedTarget }),
    });
  }
  return { relations, numColumns: distinct.count, numNodes };
}

/** The inverse of `packDecoder`. */
export function unpackDecoder(packed: PackedDecoder, ids: readonly string[]): TrainedDecoder {
  const unpack = ({ places, factors }: PackedColumns): Embedding => {
    const dim = places.length;
    const vectors = new Float32Array(ids.length * dim);
    for (let k = 0; k < dim; k++) {
      const column = packed.columns[places[k]];
      for (let i = 0; i < ids.length; i++) vectors[i * dim + k] = column[i] * factors[k];
    }
    return { ids, dim, vectors };
  };
  return {
    score: packed.score,
    directed: packed.directed,
    vectors(relation) {
      const { source, target } = packed.relations[relation];
      return { source: unpack(source), ...(target === undefined ? {} : { target: unpack(target) }) };
    },
  };
}

/** The entry of a column with the largest absolute value, the first of equal ones. */
interface Peak {
  readonly row: number;
  readonly value: number;
}

/** A column of which another one may be a multiple: a stored one, or an earlier one of the same table. */
interface Candidate {
  readonly stored?: number;
  readonly earlier?: number;
  /** Factors that no row has refuted yet. */
  factors: number[];
}

class DistinctColumns {
  readonly #store: ColumnStore;
  /** Peaks of the stored columns: a multiple of a column has its peak in the same row. */
  readonly #peaks: Peak[] = [];

  constructor(store: ColumnStore) {
    this.#store = store;
  }

  /** Number of stored columns. */
  get count(): number {
    return this.#peaks.length;
  }

  /** Index and factor of each column of a table; adds the columns that are no multiples of a stored one. */
  pack(rows: VectorRows): PackedColumns {
    const peaks = peaksOf(rows);
    const candidates = peaks.map((peak, k) => this.#candidates(peak, peaks.slice(0, k)));
    if (candidates.some((list) => list.length > 0)) this.#refute(rows, candidates);
    const places = new Uint32Array(rows.dim);
    const factors = new Float32Array(rows.dim);
    const added: number[] = [];
    candidates.forEach((list, k) => {
      const found = list.find((candidate) => {
        // an earlier column counts only if it was stored itself
        return candidate.factors.length > 0 && (candidate.earlier === undefined || added.includes(candidate.earlier));
      });
      if (found === undefined) {
        places[k] = this.#peaks.push(peaks[k]) - 1;
        factors[k] = 1;
        added.push(k);
        return;
      }
      places[k] = found.stored ?? places[found.earlier ?? 0];
      factors[k] = found.factors[0];
    });
    if (added.length > 0) this.#add(rows, added, places);
    return { places, factors };
  }

  #candidates(peak: Peak, earlier: readonly Peak[]): Candidate[] {
    const find = (others: readonly Peak[], name: "stored" | "earlier"): Candidate[] =>
      others.flatMap((other, i) =>
        other.row === peak.row ? [{ [name]: i, factors: factorsOf(peak.value, other.value) }] : [],
      );
    return [...find(this.#peaks, "stored"), ...find(earlier, "earlier")];
  }

  /** Removes the factors that a row refutes. */
  #refute(rows: VectorRows, candidates: readonly (readonly Candidate[])[]): void {
    const { dim } = rows;
    for (const { first, end, vectors } of vectorSlices(rows)) {
      // each column is read once for all candidates
      const stored = cached((column) => this.#store.read(column, first, end));
      const earlier = cached((column) => columnOf(vectors, dim, column));
      candidates.forEach((list, k) => {
        for (const candidate of list) {
          if (candidate.factors.length === 0) continue;
          const other = candidate.stored === undefined ? earlier(candidate.earlier ?? 0) : stored(candidate.stored);
          candidate.factors = candidate.factors.filter((factor) => isMultiple(vectors, dim, k, other, factor));
        }
      });
    }
  }

  #add(rows: VectorRows, added: readonly number[], places: Uint32Array): void {
    for (const { first, vectors } of vectorSlices(rows)) {
      for (const k of added) this.#store.write(places[k], first, columnOf(vectors, rows.dim, k));
    }
  }
}

function cached(read: (column: number) => Float32Array): (column: number) => Float32Array {
  const found = new Map<number, Float32Array>();
  return (column) => {
    const values = found.get(column) ?? read(column);
    found.set(column, values);
    return values;
  };
}

function columnOf(vectors: Float32Array, dim: number, k: number): Float32Array {
  const column = new Float32Array(vectors.length / dim);
  for (let i = 0; i < column.length; i++) column[i] = vectors[i * dim + k];
  return column;
}

function peaksOf(rows: VectorRows): Peak[] {
  const { dim } = rows;
  const places = new Uint32Array(dim);
  const values = new Float32Array(dim);
  for (const { first, end, vectors } of vectorSlices(rows)) {
    if (first === 0) values.set(vectors.subarray(0, dim));
    for (let i = first, at = 0; i < end; i++) {
      for (let k = 0; k < dim; k++, at++) {
        if (Math.abs(vectors[at]) <= Math.abs(values[k])) continue;
        values[k] = vectors[at];
        places[k] = i;
      }
    }
  }
  return Array.from(places, (row, k) => ({ row, value: values[k] }));
}

/** Steps from the quotient to the factors that are tried, in units of its last bit: product and quotient were rounded. */
const LAST_BITS: readonly number[] = [0, 1, -1, 2, -2];

/** Candidates in float32 for the factor f with f · `of` = `value`. */
function factorsOf(value: number, of: number): number[] {
  if (of === 0) return value === 0 ? [1] : [];
  return LAST_BITS.map((step) => {
    const quotient = Float32Array.of(value / of);
    new Int32Array(quotient.buffer)[0] += step;
    return quotient[0];
  });
}

/** Whether column k of these rows is the multiple of another column. */
function isMultiple(vectors: Float32Array, dim: number, k: number, of: Float32Array, factor: number): boolean {
  for (let i = 0, at = k; i < of.length; i++, at += dim) if (Math.fround(of[i] * factor) !== vectors[at]) return false;
  return true;
}
