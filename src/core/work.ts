/**
 * Work of long computations, counted before they begin. Each computation states its work next to its code.
 * train/estimate/work-rates.ts turns it into seconds, for `hmge inspect` and for the progress bar.
 */

/** Numbers of operations by the kind of code that does them; absent kinds are zero. */
export interface Work {
  /** Multiply-adds of sparse products on the engine, rows read from a cache. */
  readonly sparse?: number;
  /** The same with rows read from memory. */
  readonly sparseFar?: number;
  /** Multiply-adds of dense products on the engine. */
  readonly dense?: number;
  /** Multiply-adds of inner products of drawn rows on the engine. */
  readonly gathered?: number;
  /** Bytes that other ops of the engine read and write. */
  readonly streamed?: number;
  /** Entries of sparse matrices that one thread visits in JavaScript. */
  readonly entries?: number;
  /** Multiply-adds of one thread in JavaScript. */
  readonly loops?: number;
  /** Bytes of files. */
  readonly fileBytes?: number;
  /** Programs compiled for the engine. */
  readonly programs?: number;
}

export const WORK_KINDS = [
  "sparse",
  "sparseFar",
  "dense",
  "gathered",
  "streamed",
  "entries",
  "loops",
  "fileBytes",
  "programs",
] as const satisfies readonly (keyof Work)[];

/** A named part of a computation. */
export interface Stage {
  readonly name: string;
  /** On an ordinary graph. */
  readonly work: Work;
  /** Lower and upper bound, if the work depends on the data. Default: `work`. */
  readonly least?: Work;
  readonly most?: Work;
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

export function timesWork(work: Work, factor: number): Work {
  return Object.fromEntries(
    WORK_KINDS.flatMap((kind) => (work[kind] === undefined ? [] : [[kind, factor * (work[kind] ?? 0)]])),
  );
}

/** Bytes of a matrix that stays in a cache whole, and of one that is always read from memory. */
const NEAR_BYTES = 2 ** 21;
const FAR_BYTES = 2 ** 25;
/** Floats of a memory line, roughly: narrower rows from memory take as long as rows of this width. */
const MIN_FAR_WIDTH = 32;

/** One sparse product: `entries` rows of `width` floats are read from a source of `numRows` rows and added. */
export function sparseProduct(entries: number, numRows: number, width: number): Work {
  const far = Math.log(Math.max(1, (4 * numRows * width) / NEAR_BYTES)) / Math.log(FAR_BYTES / NEAR_BYTES);
  const rows = entries + numRows;
  const share = Math.min(1, far);
  return { sparse: (1 - share) * rows * width, sparseFar: share * rows * Math.max(width, MIN_FAR_WIDTH) };
}

/** Multiply-adds divided by size³ for all eigenpairs: of up to 192 rows (Jacobi), and of more (tridiagonal). */
const JACOBI = 30;
const TRIDIAGONAL = 9;

/** All eigenpairs of a symmetric matrix (symmetric-eigen.ts). */
export function eigenWork(size: number): Work {
  return { loops: (size > 192 ? TRIDIAGONAL : JACOBI) * size ** 3 };
}
