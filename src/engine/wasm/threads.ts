/** How many threads an engine gets: Node has what the machine has, a page only what browser and server allow it. */

import { UnsupportedError } from "../../core/errors.js";
import { isNode, nodeBuiltin } from "./node-builtin.js";
import { startPageWorker } from "./worker-source.js";

/** As many as asked for, or an error that says why not; of a default that cannot be had, 1 is left. */
export async function chooseThreads(asked: number | undefined): Promise<number> {
  const wanted = asked ?? availableThreads();
  const obstacle = wanted === 1 ? undefined : await obstacleToThreads();
  if (obstacle === undefined) return wanted;
  if (asked === undefined) return 1;
  throw new UnsupportedError(`threads: ${asked} were asked for, but ${obstacle}`);
}

/** Threads that run at once on this machine. */
export function availableThreads(): number {
  return isNode ? nodeBuiltin("node:os").availableParallelism() : navigator.hardwareConcurrency;
}

/** Why there can be no second thread here, and what to do. */
async function obstacleToThreads(): Promise<string | undefined> {
  if (typeof SharedArrayBuffer === "undefined" || !(isNode || globalThis.crossOriginIsolated)) {
    return "memory cannot be shared here; use 1, or serve the page with cross-origin isolation";
  }
  if (!mayWait()) return "a page's own thread may not wait for others; use 1, or train in a worker of the page";
  if (isNode) return undefined;
  // only trying tells whether the page's policy lets such workers start
  try {
    const { worker, ready } = startPageWorker("postMessage(0)");
    await ready.finally(() => worker.terminate());
    return undefined;
  } catch (error) {
    return `no worker could be started: ${(error as Error).message}; use 1, or allow worker-src blob: in the page's policy`;
  }
}

/** Browsers forbid it to the thread that shows the page. */
function mayWait(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0);
    return true;
  } catch {
    return false;
  }
}
