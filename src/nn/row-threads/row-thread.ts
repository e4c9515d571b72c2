/** The program of a thread: computes the rows of one job. scripts/build-threads.mjs bundles it into one text. */

import type { RowJob } from "./row-task.js";
import { findRowTask } from "./row-tasks.js";
import { arrayBuffers } from "./shared-arrays.js";

const { parentPort } = process.getBuiltinModule("node:worker_threads");

parentPort?.once("message", ({ task, input, begin, end, done, thread }: RowJob) => {
  const known = findRowTask(task);
  if (known === undefined) throw new Error(`no task is called ${task}`);
  const rows = known.run(input as never, begin, end);
  for (;;) {
    const step = rows.next();
    if (step.done) {
      parentPort.postMessage(step.value, arrayBuffers(step.value));
      return;
    }
    Atomics.store(done, thread, step.value);
  }
});
