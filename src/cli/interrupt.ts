/** Ctrl-C and the request to terminate: the first ends the work in good order, a later one at once. */

/** A terminal and a wrapping process may both pass the same Ctrl-C on; within this time it counts once. */
const SAME_SIGNAL_MILLISECONDS = 700;

export interface Interrupt {
  readonly signal: AbortSignal;
  /** Restores the usual behaviour. */
  stop(): void;
}

export function listenForInterrupt(onFirst: () => void): Interrupt {
  const controller = new AbortController();
  let first = 0;
  const listener = () => {
    const now = performance.now();
    if (!controller.signal.aborted) {
      first = now;
      controller.abort();
      onFirst();
    } else if (now - first > SAME_SIGNAL_MILLISECONDS) {
      process.exit(130);
    }
  };
  process.on("SIGINT", listener);
  process.on("SIGTERM", listener);
  return {
    signal: controller.signal,
    stop() {
      process.off("SIGINT", listener);
      process.off("SIGTERM", listener);
    },
  };
}
