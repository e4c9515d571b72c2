/**
 * How several processes share the work of the host before a training: reading, ordering, matrices. A process alone does everything
 * itself.
 *
 * Calls are collective: every process makes the same calls in the same order. Results have one copy in the memory of each machine,
 * so nobody may change them. They hold typed arrays, strings, numbers, booleans, null, undefined, and lists and plain records of
 * those.
 */

/** The processes of a run, as the preparation sees them. */
export interface Sharing {
  /** Number of processes. */
  readonly size: number;
  /** One process of each machine calls `make`; all processes receive the result. */
  once<T>(make: () => T | Promise<T>): Promise<T>;
  /** Every process calls `make` for its own range of rows; all processes receive all results, in the order of the rows. */
  byRows<T>(numRows: number, make: (begin: number, end: number) => T | Promise<T>): Promise<readonly T[]>;
}

/** A process that shares nothing. */
export const ALONE: Sharing = {
  size: 1,
  once: async (make) => make(),
  byRows: async (numRows, make) => [await make(0, numRows)],
};
