/** Work of the host on rows of a result that do not depend on each other, so that threads and processes can divide them. */

/**
 * Computes the rows `begin` to `end − 1` and returns them. Yields now and then how many of them are done. The result does not
 * depend on how the rows are divided.
 */
export type RowTask<I, R> = (input: I, begin: number, end: number) => Generator<number, R>;

/** A task under the name by which a thread finds it in `row-tasks.ts`. */
export interface NamedRowTask<I, R> {
  readonly name: string;
  readonly run: RowTask<I, R>;
}

/** What a thread receives: a task, its input in shared memory, its rows, and its place in the list of rows done. */
export interface RowJob {
  readonly task: string;
  readonly input: unknown;
  readonly begin: number;
  readonly end: number;
  readonly done: Int32Array;
  readonly thread: number;
}
