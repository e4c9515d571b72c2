/**
 * A model's decoder in little room. Vectors of relations often share their columns or have multiples of them: multiview
 * scores a pair of relation d by Σ_k z_ik·r_dk·z_jk, so that every relation needs the same columns z. Each distinct column
 * is kept once; a column of a relation is a kept one times a factor. Unpacking gives the same numbers to the last bit.
 */

import type { Embedding, TrainedDecoder } from "../../core/embedding.js";

/** Columns of one end of a relation's pairs. */
export interface PackedColumns {
  /** Places in the list of kept columns. */
  readonly places: Uint32Array;
  readonly factors: Float32Array;
}

/** A decoder as it is stored. */
export interface PackedDecoder {
  readonly score: TrainedDecoder["score"];
  readonly directed: boolean;
  /** Kept columns, one number for each node. */
  readonly columns: readonly Float32Array[];
  readonly relations: readonly { readonly source: PackedColumns; readonly target?: PackedColumns }[];
}

/** Packs the decoder of `numRelations` relations. */
export function packDecoder(decoder: TrainedDecoder, numRelations: number): PackedDecoder {
  const kept = new KeptColumns();
  const pack = ({ dim, vectors }: Embedding): PackedColumns => {
    const n = vectors.length / dim;
    const places = new Uint32Array(dim);
    const factors = new Float32Array(dim);
    for (let k = 0; k < dim; k++) {
      const column = new Float32Array(n);
      for (let i = 0; i < n; i++) column[i] = vectors[i * dim + k];
      [places[k], factors[k]] = kept.place(column);
    }
    return { places, factors };
  };
  const relations = Array.from({ length: numRelations }, (_, relation) => {
    const { source, target } = decoder.vectors(relation);
    // the target first: its columns are often the plain ones
    const packedTarget = target === undefined ? undefined : pack(target);
    return { source: pack(source), ...(packedTarget === undefined ? {} : { target: packedTarget }) };
  });
  return { score: decoder.score, directed: decoder.directed, columns: kept.columns, relations };
}

/** The decoder that was packed. */
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

class KeptColumns {
  readonly columns: Float32Array[] = [];
  /** Kept columns by the place of their largest entry, which a multiple has at the same place. */
  readonly #byPeak = new Map<number, number[]>();

  /** Place and factor of a column; keeps it if it is no multiple of a kept one. */
  place(column: Float32Array): [number, number] {
    const peak = peakOf(column);
    const alike = this.#byPeak.get(peak) ?? [];
    for (const place of alike) {
      for (const factor of factorsOf(column[peak], this.columns[place][peak])) {
        if (isMultiple(column, this.columns[place], factor)) return [place, factor];
      }
    }
    this.#byPeak.set(peak, [...alike, this.columns.length]);
    this.columns.push(column);
    return [this.columns.length - 1, 1];
  }
}

function peakOf(column: Float32Array): number {
  let peak = 0;
  for (let i = 1; i < column.length; i++) if (Math.abs(column[i]) > Math.abs(column[peak])) peak = i;
  return peak;
}

/** Steps of the last bit around the quotient that are tried: product and quotient were both rounded. */
const LAST_BITS: readonly number[] = [0, 1, -1, 2, -2];

/** Numbers in float32 that times `of` may have given `value`. */
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
