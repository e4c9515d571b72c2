/** Number of threads of an engine: in Node those of the machine, on a page those that browser and server allow. */

import { UnsupportedError } from "../../core/errors.js";
import { isNode, nodeBuiltin } from "../../core/node/node-builtin.js";
import { startPageWorker } from "./worker-source.js";

/** The requested number, or an error with the reason. Without a request, 1 if threads cannot be used. */
export async function chooseThreads(requested: number | undefined): Promise<number> {
  const wanted = requested ?? availableThreads();
  const obstacle = wanted === 1 ? undefined : await obstacleToThreads();
  if (obstacle === undefined) return wanted;
  if (requested === undefined) return 1;
  throw new UnsupportedError(`threads: ${requested} were requested, but ${obstacle}`);
}

/** Number of threads that run at the same time on this machine. */
export function availableThreads(): number {
  return isNode ? nodeBuiltin("node:os").availableParallelism() : navigator.hardwareConcurrency;
}

/** The reason why there can be no second thread, and what to do; undefined if there can. */
async function obstacleToThreads(): Promise<string | undefined> {
  if (typeof SharedArrayBuffer === "undefined" || !(isNode || globalThis.crossOriginIsolated)) {
    return "memory cannot be shared here; use 1, or serve the page with cross-origin isolation";
  }
  if (!mayWait()) return "a page's own thread may not wait for others; use 1, or train in a worker of the page";
  if (isNode) return undefined;
  // whether the page's policy allows such workers is only known after trying to start one
  try {
    const { worker, ready } = startPageWorker("postMessage(0)");
    await ready.finally(() => worker.terminate());
    return undefined;
  } catch (error) {
    return `no worker could be started: ${(error as Error).message}; use 1, or allow worker-src blob: in the page's policy`;
  }
}

/** Whether this thread may wait for others: browsers forbid it to the thread that shows the page. */
function mayWait(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0);
    return true;
  } catch {
    return false;
  }
}
