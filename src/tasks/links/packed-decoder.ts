/**
 * A model's decoder in a compact form for storage. The vectors of different relations often have equal or proportional
 * columns: multiview scores a pair of relation d by Σ_k z_ik·r_dk·z_jk, so every relation needs multiples of the same columns
 * z. Each distinct column is stored once; a relation stores the index and a factor of each of its columns. Unpacking gives
 * the same bits.
 */

import type { Embedding, TrainedDecoder } from "../../core/embedding.js";

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

/** Packs a decoder that has `numRelations` relations. */
export function packDecoder(decoder: TrainedDecoder, numRelations: number): PackedDecoder {
  const distinct = new DistinctColumns();
  const pack = ({ dim, vectors }: Embedding): PackedColumns => {
    const n = vectors.length / dim;
    const places = new Uint32Array(dim);
    const factors = new Float32Array(dim);
    for (let k = 0; k < dim; k++) {
      const column = new Float32Array(n);
      for (let i = 0; i < n; i++) column[i] = vectors[i * dim + k];
      [places[k], factors[k]] = distinct.find(column);
    }
    return { places, factors };
  };
  const relations = Array.from({ length: numRelations }, (_, relation) => {
    const { source, target } = decoder.vectors(relation);
    // the target first: its columns are often those that the source has multiples of
    const packedTarget = target === undefined ? undefined : pack(target);
    return { source: pack(source), ...(packedTarget === undefined ? {} : { target: packedTarget }) };
  });
  return { score: decoder.score, directed: decoder.directed, columns: distinct.columns, relations };
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

class DistinctColumns {
  readonly columns: Float32Array[] = [];
  /** Indices of columns by the row of their largest entry; a multiple of a column has it in the same row. */
  readonly #byPeak = new Map<number, number[]>();

  /** Index and factor of a column; adds the column unless it is a multiple of a stored one. */
  find(column: Float32Array): [number, number] {
    const peak = peakOf(column);
    const samePeak = this.#byPeak.get(peak) ?? [];
    for (const place of samePeak) {
      for (const factor of factorsOf(column[peak], this.columns[place][peak])) {
        if (isMultiple(column, this.columns[place], factor)) return [place, factor];
      }
    }
    this.#byPeak.set(peak, [...samePeak, this.columns.length]);
    this.columns.push(column);
    return [this.columns.length - 1, 1];
  }
}

function peakOf(column: Float32Array): number {
  let peak = 0;
  for (let i = 1; i < column.length; i++) if (Math.abs(column[i]) > Math.abs(column[peak])) peak = i;
  return peak;
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

function isMultiple(column: Float32Array, of: Float32Array, factor: number): boolean {
  for (let i = 0; i < column.length; i++) if (Math.fround(of[i] * factor) !== column[i]) return false;
  return true;
}
