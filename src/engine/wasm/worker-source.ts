/**
 * The helper threads. Their program is a string, so that it starts in the same way from Node, a bundle and a test run, without a
 * separate file. A helper instantiates the kernels on the shared memory. Then it repeats: wait until the job number changes, join
 * the replay. It polls for a while before it sleeps, because the next epoch starts soon.
 */

import { UnsupportedError } from "../../core/errors.js";
import { isNode, nodeBuiltin } from "../../core/node/node-builtin.js";
import { CONTROL } from "./layout.js";

/** Polls of the job number before a helper sleeps: some tens of microseconds. Not tuned. */
const SPINS = 20_000;

const BODY = `
function serve(message) {
  const { module, memory, threads } = message;
  const kernels = new WebAssembly.Instance(module, { env: { memory } }).exports;
  const words = new Int32Array(memory.buffer);
  const job = ${CONTROL.job >> 2};
  let seen = 0;
  reply("ready");
  for (;;) {
    let spins = 0;
    while (Atomics.load(words, job) === seen) {
      if (++spins > ${SPINS}) Atomics.wait(words, job, seen);
    }
    seen = Atomics.load(words, job);
    if (Atomics.load(words, ${CONTROL.stop >> 2}) !== 0) return;
    kernels.replay(words[${CONTROL.steps >> 2}], words[${CONTROL.count >> 2}], threads, ${CONTROL.barrier});
  }
}`;

const NODE = `const { parentPort } = process.getBuiltinModule("node:worker_threads");
const reply = (message) => parentPort.postMessage(message);
${BODY}
parentPort.once("message", serve);`;

const BROWSER = `const reply = (message) => postMessage(message);
${BODY}
onmessage = (event) => serve(event.data);`;

/** A started helper. */
export interface HelperThread {
  ready: Promise<void>;
  end(): Promise<void>;
}

interface Start {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  readonly threads: number;
}

/** Starts one helper thread; `end` resolves when it has ended. */
export function startHelper(start: Start): HelperThread {
  if (isNode) {
    const { Worker } = nodeBuiltin("node:worker_threads");
    // without the flags of this process: --input-type would change how the program is parsed
    const worker = new Worker(NODE, { eval: true, execArgv: [] });
    const ready = new Promise<void>((resolve, reject) => {
      worker.once("message", () => resolve());
      worker.once("error", reject);
    });
    worker.postMessage(start);
    return { ready: ready.then(() => worker.unref()), end: async () => void (await worker.terminate()) };
  }
  const { worker, ready } = startPageWorker(BROWSER);
  worker.postMessage(start);
  return { ready, end: async () => worker.terminate() };
}

/** Starts a worker of a page with this program; `ready` resolves at its first message. Some browsers throw immediately. */
export function startPageWorker(program: string): { worker: Worker; ready: Promise<void> } {
  const url = URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
  try {
    const worker = new Worker(url);
    const ready = new Promise<void>((resolve, reject) => {
      worker.onmessage = () => resolve();
      // an event without a message comes from a policy; browsers print the reason only on the console
      worker.onerror = ({ message = "the page's policy forbids it" }) => reject(new UnsupportedError(message));
    });
    return { worker, ready: ready.finally(() => URL.revokeObjectURL(url)) };
  } catch (error) {
    URL.revokeObjectURL(url);
    throw error;
  }
}
