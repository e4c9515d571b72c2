/** Ctrl-C, the request to terminate and a closed terminal: the first ends the work in good order, a later one at once. */

import { closeSync } from "node:fs";
import { basename } from "node:path";

/** A terminal and a wrapping process may both pass the same Ctrl-C on; within this time it counts once. */
const SAME_SIGNAL_MILLISECONDS = 700;

const SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

export interface Interrupt {
  readonly signal: AbortSignal;
  /** Restores the usual behaviour. */
  stop(): void;
}

let interrupted = false;

/** Whether the user has interrupted this process. */
export function wasInterrupted(): boolean {
  return interrupted;
}

export function listenForInterrupt(onFirst: () => void): Interrupt {
  const controller = new AbortController();
  let first = 0;
  const listener = (name: NodeJS.Signals) => {
    interrupted = true;
    if (name === "SIGHUP") process.once("exit", closeStandardStreams);
    const now = performance.now();
    if (!controller.signal.aborted) {
      first = now;
      controller.abort();
      onFirst();
    } else if (now - first > SAME_SIGNAL_MILLISECONDS) {
      process.exit(130);
    }
  };
  const signals = SIGNALS.filter((name) => name !== "SIGHUP" || !isUnderNohup());
  for (const name of signals) process.on(name, listener);
  return {
    signal: controller.signal,
    stop() {
      for (const name of signals) process.off(name, listener);
    },
  };
}

/** Node restores the settings of its terminal when it ends, and aborts if the terminal is gone by then. */
function closeStandardStreams(): void {
  for (const descriptor of [0, 1, 2]) {
    try {
      closeSync(descriptor);
    } catch {
      // it was closed before
    }
  }
}

/**
 * `nohup hmge …` asks for work that outlives its terminal. Node undoes what nohup set, and there is no other trace of it
 * than the name of the command that shells leave in the variable `_`.
 */
export function goOnUnderNohup(): void {
  if (isUnderNohup()) process.on("SIGHUP", () => {});
}

function isUnderNohup(): boolean {
  return basename(process.env["_"] ?? "") === "nohup";
}
