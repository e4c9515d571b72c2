/**
 * Collects the vectors of a file while it is read. Few vectors stay in memory; many go to a temporary file, from which they are read
 * in slices. The file loses its name at once, so nothing is left behind after a crash.
 */

import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Embedding, roomFor, type VectorRows } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { faultCode } from "../system-faults.js";

/** Numbers that stay in memory: 256 MB. Not tuned. */
const MAX_NUMBERS = 2 ** 26;
/** Numbers that are collected before they are written: 4 MB. Not tuned. */
const PIECE_NUMBERS = 2 ** 20;
/** Maximum number of bytes per call; Node's limit is 2 GiB. Not tuned. */
const MAX_BYTES = 2 ** 28;

/** Numbers in an open file. */
interface StoredNumbers {
  readonly path: string;
  readonly descriptor: number;
  /** Place of the first number, in bytes. */
  readonly start: number;
}

export class VectorStore {
  readonly #isWhole: boolean;
  readonly #maxNumbers: number;
  /** All numbers, if their count was known. */
  #array: Float32Array | undefined;
  #pieces: Float32Array[] = [];
  #piece = new Float32Array(0);
  /** Numbers in `#piece`. */
  #used = 0;
  #count = 0;
  #file: StoredNumbers | undefined;

  /** `isWhole`: the caller needs all vectors in one array. Otherwise at most `maxNumbers` stay in memory. */
  constructor(isWhole: boolean, maxNumbers = MAX_NUMBERS) {
    this.#isWhole = isWhole;
    this.#maxNumbers = maxNumbers;
  }

  /** Announces how many numbers will be added. */
  reserve(count: number): void {
    if (this.#isWhole || count <= this.#maxNumbers) this.#array = new Float32Array(count);
  }

  /** Takes all `count` numbers of a file, whose first number is `start` bytes after its begin. */
  takeFile(path: string, start: number, count: number): void {
    const file = { path, descriptor: openSync(path, "r"), start };
    this.#count = count;
    if (this.#isWhole || count <= this.#maxNumbers) {
      try {
        this.#array = readNumbers(file, 0, count);
      } finally {
        closeSync(file.descriptor);
      }
    } else this.#file = file;
  }

  add(numbers: ArrayLike<number>): void {
    const end = this.#count + numbers.length;
    if (this.#array !== undefined) {
      this.#array.set(numbers, this.#count);
      this.#count = end;
      return;
    }
    if (this.#used + numbers.length > this.#piece.length) {
      this.#endPiece();
      this.#piece = new Float32Array(Math.max(PIECE_NUMBERS, numbers.length));
    }
    this.#piece.set(numbers, this.#used);
    this.#used += numbers.length;
    this.#count = end;
  }

  #endPiece(): void {
    if (this.#used > 0) this.#pieces.push(this.#piece.subarray(0, this.#used));
    this.#used = 0;
    if (this.#file === undefined && this.#count <= this.#maxNumbers) return;
    this.#file ??= createFile();
    let at = this.#count - this.#pieces.reduce((sum, { length }) => sum + length, 0);
    for (const piece of this.#pieces) {
      writeNumbers(this.#file, piece, at);
      at += piece.length;
    }
    this.#pieces = [];
  }

  /** The vectors of these nodes, once all are added: as an embedding if they are in memory. */
  finish(ids: readonly string[], dim: number): Embedding | VectorRows {
    if (this.#file === undefined && this.#array === undefined && this.#count <= this.#maxNumbers) {
      this.#array = new Float32Array(this.#count);
      let at = 0;
      for (const piece of [...this.#pieces, this.#piece.subarray(0, this.#used)]) {
        this.#array.set(piece, at);
        at += piece.length;
      }
      this.#pieces = [];
    } else if (this.#array === undefined) this.#endPiece();
    this.#piece = new Float32Array(0);
    const file = this.#file;
    if (file === undefined) return { ids, dim, vectors: this.#array ?? new Float32Array(0) };
    const range: VectorRows["range"] = (first, end, into) => readNumbers(file, first * dim, end * dim, into);
    if (this.#isWhole) return { ids, dim, vectors: range(0, ids.length) };
    return { ids, dim, range, at: (nodes, into) => rowsAt(nodes, dim, range, into) };
  }
}

/** Rows in any order; neighbouring rows are read together. */
function rowsAt(nodes: Uint32Array, dim: number, range: VectorRows["range"], into?: Float32Array): Float32Array {
  const rows = roomFor(nodes.length * dim, into);
  for (let i = 0; i < nodes.length; ) {
    let end = i + 1;
    while (end < nodes.length && nodes[end] === nodes[end - 1] + 1) end++;
    range(nodes[i], nodes[i] + end - i, rows.subarray(i * dim));
    i = end;
  }
  return rows;
}

function createFile(): StoredNumbers {
  const folder = explained(() => mkdtempSync(join(tmpdir(), "hmge-vectors-")));
  const path = join(folder, "vectors");
  try {
    return { path, descriptor: explained(() => openSync(path, "wx+", 0o600)), start: 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeNumbers({ descriptor }: StoredNumbers, numbers: Float32Array, first: number): void {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  for (let at = 0; at < bytes.length; ) {
    at += explained(() => writeSync(descriptor, bytes, at, Math.min(MAX_BYTES, bytes.length - at), 4 * first + at));
  }
}

function readNumbers(
  { path, descriptor, start }: StoredNumbers,
  first: number,
  end: number,
  into?: Float32Array,
): Float32Array {
  const numbers = roomFor(end - first, into);
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  for (let at = 0; at < bytes.length; ) {
    const count = readSync(descriptor, bytes, at, Math.min(MAX_BYTES, bytes.length - at), start + 4 * first + at);
    if (count === 0) throw new InputError(`${path}: the file became shorter while it was read. Try again.`);
    at += count;
  }
  return numbers;
}

/** Runs `work` on the temporary file; explains a folder that is full or cannot be written. */
function explained<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (faultCode(error) === undefined) throw error;
    const reason = ["ENOSPC", "EDQUOT"].includes(faultCode(error) ?? "") ? "no space" : "no permission";
    throw new InputError(
      `${tmpdir()}: ${reason} for the vectors in this folder of temporary files. Set TMPDIR to a folder with more space.`,
    );
  }
}
