/**
 * Estimated number of operations of a long computation. Each computation has its estimate next to its code.
 * train/estimate/work-rates.ts converts it to seconds, for `hmge inspect` and for the progress bar.
 */

/** Number of operations of each kind; a missing kind is zero. */
export interface Work {
  /** Multiply-adds of sparse products on the engine whose dense operand is in a cache. */
  readonly sparse?: number;
  /** Multiply-adds of sparse products on the engine whose dense operand is in main memory. */
  readonly sparseUncached?: number;
  /** Multiply-adds of dense products on the engine. */
  readonly dense?: number;
  /** Multiply-adds of inner products of sampled rows on the engine. */
  readonly gathered?: number;
  /** Bytes that all other ops of the engine read and write. */
  readonly streamed?: number;
  /** Entries of sparse matrices that JavaScript visits, in one thread. */
  readonly entries?: number;
  /** The same, divided among all threads. */
  readonly sharedEntries?: number;
  /** Multiply-adds of loops in JavaScript, in one thread. */
  readonly loops?: number;
  /** Bytes of files that are read or written. */
  readonly fileBytes?: number;
  /** Number of programs compiled for the engine. */
  readonly programs?: number;
}

export const WORK_KINDS = [
  "sparse",
  "sparseUncached",
  "dense",
  "gathered",
  "streamed",
  "entries",
  "sharedEntries",
  "loops",
  "fileBytes",
  "programs",
] as const satisfies readonly (keyof Work)[];

/** A named part of a computation. */
export interface Stage {
  readonly name: string;
  /** Expected work. */
  readonly work: Work;
  /** Lower and upper bound, if the amount of work depends on the data. Default: `work`. */
  readonly minWork?: Work;
  readonly maxWork?: Work;
}

export function addWork(...works: readonly Work[]): Work {
  const sum: { -readonly [kind in keyof Work]: number } = {};
  for (const work of works) {
    for (const kind of WORK_KINDS) {
      const count = work[kind];
      if (count !== undefined) sum[kind] = (sum[kind] ?? 0) + count;
    }
  }
  return sum;
}

export function scaleWork(work: Work, factor: number): Work {
  return Object.fromEntries(
    WORK_KINDS.flatMap((kind) => (work[kind] === undefined ? [] : [[kind, factor * (work[kind] ?? 0)]])),
  );
}

/** A matrix of up to CACHED_BYTES stays in a cache; a matrix of UNCACHED_BYTES or more is always read from main memory. */
const CACHED_BYTES = 2 ** 21;
const UNCACHED_BYTES = 2 ** 25;
/** Reading a narrower row from main memory takes about as long as a row of this many floats. */
const MIN_UNCACHED_WIDTH = 32;

/** Product of a sparse matrix with `entries` entries and a dense matrix of `numRows` rows and `width` columns. */
export function sparseProduct(entries: number, numRows: number, width: number): Work {
  const logShare =
    Math.log(Math.max(1, (4 * numRows * width) / CACHED_BYTES)) / Math.log(UNCACHED_BYTES / CACHED_BYTES);
  const rows = entries + numRows;
  const uncached = Math.min(1, logShare); // share of the reads
  return {
    sparse: (1 - uncached) * rows * width,
    sparseUncached: uncached * rows * Math.max(width, MIN_UNCACHED_WIDTH),
  };
}

/** Computing all eigenpairs takes this factor times size³ multiply-adds; Jacobi is used for up to 192 rows. */
const JACOBI_FACTOR = 30;
const TRIDIAGONAL_FACTOR = 9;

/** Work of computing all eigenpairs of a symmetric matrix (symmetric-eigen.ts). */
export function eigenWork(size: number): Work {
  return { loops: (size > 192 ? TRIDIAGONAL_FACTOR : JACOBI_FACTOR) * size ** 3 };
}
