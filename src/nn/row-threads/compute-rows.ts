/** Computes the rows of a task, on this thread or on several. */

import { InternalError } from "../../core/errors.js";
import { nextTurn } from "../../core/event-loop.js";
import { collectGarbage, MIN_COLLECTED } from "../../core/node/collect-garbage.js";
import { isNode, nodeBuiltin } from "../../core/node/node-builtin.js";
import type { StopSignal } from "../../core/validation.js";
import type { NamedRowTask, RowJob } from "./row-task.js";
import { withSharedArrays } from "./shared-arrays.js";

/** Milliseconds between two reports of the progress of threads; not tuned. */
const REPORT_MILLISECONDS = 100;

export interface RowsRequest {
  readonly begin: number;
  readonly end: number;
  /** Number of threads; pages use one. */
  readonly threads: number;
  readonly signal?: StopSignal;
  /** Receives the number of rows that are done. */
  readonly onRows?: (done: number) => void | Promise<void>;
}

/** The rows `begin` to `end − 1`, in parts of consecutive rows, in their order. */
export async function computeRows<I, R>(task: NamedRowTask<I, R>, input: I, request: RowsRequest): Promise<R[]> {
  const { begin, end, threads, signal, onRows } = request;
  if (threads > 1 && isNode && end - begin >= threads) return computeOnThreads(task, input, request);
  const rows = task.run(input, begin, end);
  for (;;) {
    const step = rows.next();
    if (step.done) return [step.value];
    await onRows?.(step.value);
    await nextTurn();
    signal?.throwIfAborted();
  }
}

async function computeOnThreads<I, R>(
  { name }: NamedRowTask<I, R>,
  input: I,
  { begin, end, threads, signal, onRows }: RowsRequest,
): Promise<R[]> {
  const { ROW_THREAD } = await import("./generated/row-thread-source.js");
  const done = new Int32Array(new SharedArrayBuffer(4 * threads));
  let copied = 0;
  let shared: I | undefined = withSharedArrays(input, (bytes) => (copied += bytes));
  const firstOf = (thread: number) => begin + Math.floor(((end - begin) * thread) / threads);
  const started: Started<R>[] = [];
  try {
    for (let thread = 0; thread < threads; thread++) {
      const rows = { begin: firstOf(thread), end: firstOf(thread + 1) };
      started.push(startThread(ROW_THREAD, { task: name, input: shared, ...rows, done, thread }));
    }
    const all = Promise.all(started.map(({ rows }) => rows));
    for (let isOver = false; !isOver; ) {
      isOver = await within(REPORT_MILLISECONDS, all);
      signal?.throwIfAborted();
      await onRows?.(done.reduce((sum, count) => sum + count, 0));
    }
    return await all;
  } finally {
    await Promise.all(started.map((thread) => thread.end()));
    shared = undefined;
    if (copied >= MIN_COLLECTED) collectGarbage();
  }
}

interface Started<R> {
  readonly rows: Promise<R>;
  end(): Promise<void>;
}

/** Whether the promise settles within so many milliseconds. */
async function within(milliseconds: number, promise: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const settled = promise.then(() => true);
  return Promise.race([settled, late]).finally(() => clearTimeout(timer));
}

function startThread<R>(program: string, job: RowJob): Started<R> {
  const { Worker } = nodeBuiltin("node:worker_threads");
  const { task } = job; // the handlers must not hold the input
  // without the flags of this process, as the threads of the engine
  const worker = new Worker(program, { eval: true, execArgv: [] });
  const rows = new Promise<R>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new InternalError(`a thread of ${task} ended with code ${code}`)));
  });
  rows.catch(() => {}); // awaited with those of the other threads, unless something ends the run before
  worker.postMessage(job);
  return { rows, end: async () => void (await worker.terminate()) };
}
