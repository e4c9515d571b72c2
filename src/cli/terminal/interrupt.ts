/** Ctrl-C, termination and a closed terminal: the first signal ends the work cleanly, a later one quits at once. */

import { closeSync } from "node:fs";
import { basename } from "node:path";

/**
 * A terminal and a wrapping process, such as npx, may both pass on the same Ctrl-C; signals within this time count once. A person who presses it twice
 * takes longer.
 */
const SAME_SIGNAL_MILLISECONDS = 200;

const SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

export interface Interrupt {
  readonly signal: AbortSignal;
  /** Stops listening, which restores the default behaviour. */
  stop(): void;
}

/** Never interrupts. */
export const NO_INTERRUPT = { signal: new AbortController().signal, stop() {}, begin(_: RunPhase) {} };

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

/** What the first signal does in each phase of a run, in words for the user. */
const ENDINGS = {
  preparation: "stopping the preparation",
  training: "stopping after this epoch",
  report: "writing the files without further work on the map",
  files: "writing the files",
};
export type RunPhase = keyof typeof ENDINGS;

/** The first signal ends the preparation, the training after its epoch, or the map of the report. */
export function interruptRun(note: (text: string) => void): Interrupt & { begin(phase: RunPhase): void } {
  let now: RunPhase = "preparation";
  const interrupt = listenForInterrupt(() => note(`\n${ENDINGS[now]}; press Ctrl-C again to quit now`));
  return {
    ...interrupt,
    begin(phase) {
      now = phase;
    },
  };
}

/** Node restores the terminal's settings at exit, and aborts if the terminal is gone. Closed streams prevent that. */
function closeStandardStreams(): void {
  for (const descriptor of [0, 1, 2]) {
    try {
      closeSync(descriptor);
    } catch {
      // already closed
    }
  }
}

/**
 * `nohup hmge …` must survive its terminal. Node resets the signal that nohup ignores. The only other trace of nohup is its
 * name, which shells leave in the variable `_`.
 */
export function goOnUnderNohup(): void {
  if (isUnderNohup()) process.on("SIGHUP", () => {});
}

function isUnderNohup(): boolean {
  return basename(process.env["_"] ?? "") === "nohup";
}
