/** The numbers of sparse matrices: where they lie in the memory of the device, and what the kernels read of a matrix. */

import type { SparseOperator } from "../sparse.js";

/** Address of an array that a matrix does not have. */
const NONE = 0xffffffff;
/**
 * Entries of a row from which on it is cut into chunks of so many: one workgroup would take as long for it as all other workgroups
 * together. Not tuned.
 */
export const HUB_ENTRIES = 1024;
/** Arrays begin at multiples of this number of words. */
const ALIGNMENT = 16;

/** An array that is uploaded once. */
export interface StoredArray {
  /** Address in words. */
  readonly at: number;
  readonly length: number;
  make(): Float32Array | Uint32Array;
}

/** Rows of a matrix that are cut into chunks. */
export interface Hubs {
  /** Per row: row, first chunk, end of the chunks. */
  readonly rows: readonly number[];
  /** Per chunk: row, first entry, end of the entries. */
  readonly chunks: readonly number[];
}

const known = new WeakMap<SparseOperator, Hubs>();

/** The long rows of a matrix. */
export function hubsOf(matrix: SparseOperator): Hubs {
  const found = known.get(matrix) ?? findHubs(matrix);
  known.set(matrix, found);
  return found;
}

function findHubs({ numRows, rowStart }: SparseOperator): Hubs {
  const rows: number[] = [];
  const chunks: number[] = [];
  for (let i = 0; i < numRows; i++) {
    if (rowStart[i + 1] - rowStart[i] <= HUB_ENTRIES) continue;
    const first = chunks.length / 3;
    for (let e = rowStart[i]; e < rowStart[i + 1]; e += HUB_ENTRIES) {
      chunks.push(i, e, Math.min(e + HUB_ENTRIES, rowStart[i + 1]));
    }
    rows.push(i, first, chunks.length / 3);
  }
  return { rows, chunks };
}

/** Gives the arrays of all matrices their places. An array that several matrices use is stored once. */
export class StoredArrays {
  readonly floats: StoredArray[] = [];
  readonly words: StoredArray[] = [];
  floatWords = 0;
  wordWords = 0;
  readonly #places = new Map<object, number>();

  /** The words that kernels read of a matrix (included/matrix.wgsl). */
  describe(matrix: SparseOperator): readonly number[] {
    const { rowStart, columns, values, left, right, diagonal, numRows, numColumns } = matrix;
    const hubs = hubsOf(matrix);
    return [
      this.#word(rowStart, rowStart.length, () => rowStart),
      this.#word(columns, columns.length, () => columns),
      values === undefined && right === undefined
        ? NONE
        : this.#float(right === undefined ? (values ?? matrix) : matrix, columns.length, () => entryWeights(matrix)),
      left === undefined ? NONE : this.#float(left, left.length, () => Float32Array.from(left)),
      right === undefined ? NONE : this.#float(right, right.length, () => Float32Array.from(right)),
      floatBits(diagonal),
      numRows,
      numColumns,
      columns.length,
      this.#word(hubs.rows, hubs.rows.length, () => Uint32Array.from(hubs.rows)),
      hubs.rows.length / 3,
      this.#word(hubs.chunks, hubs.chunks.length, () => Uint32Array.from(hubs.chunks)),
      hubs.chunks.length / 3,
    ];
  }

  #float(key: object, length: number, make: () => Float32Array): number {
    const place = this.#places.get(key);
    if (place !== undefined) return place;
    const at = this.floatWords;
    this.#places.set(key, at);
    this.floats.push({ at, length, make });
    this.floatWords = alignWords(at + length);
    return at;
  }

  #word(key: object, length: number, make: () => Uint32Array): number {
    const place = this.#places.get(key);
    if (place !== undefined) return place;
    const at = this.wordWords;
    this.#places.set(key, at);
    this.words.push({ at, length, make });
    this.wordWords = alignWords(at + length);
    return at;
  }
}

/** Value of each entry times the right scale of its column, rounded as in the kernels of the CPU. */
function entryWeights({ columns, values, right }: SparseOperator): Float32Array {
  if (right === undefined) return Float32Array.from(values ?? []);
  const scales = Float32Array.from(right);
  const weights = new Float32Array(columns.length);
  for (let e = 0; e < columns.length; e++) {
    weights[e] = values === undefined ? scales[columns[e]] : Math.fround(values[e]) * scales[columns[e]];
  }
  return weights;
}

export function alignWords(words: number): number {
  return Math.ceil(words / ALIGNMENT) * ALIGNMENT;
}

const scratchFloat = new Float32Array(1);
const scratchBits = new Uint32Array(scratchFloat.buffer);

export function floatBits(value: number): number {
  scratchFloat[0] = value;
  return scratchBits[0];
}
