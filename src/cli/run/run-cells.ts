/** Computes the cells of a table with progress on the terminal. Ctrl-C keeps the finished cells. */

import type { Engine } from "../../engine/engine.js";
import { type CellMonitor, CellRunner, Interrupted } from "../../experiments/cells/cell-runner.js";
import { plural } from "../../report/format.js";
import { listenForInterrupt } from "../terminal/interrupt.js";
import type { Output } from "../terminal/output.js";
import { showBar, showParts } from "../terminal/progress.js";

/** Without a terminal every finished cell has a line, so a training gets a line only once a minute. */
const CELL_LINES = { seconds: 60, last: false };

/** Returns the exit code of the command: 0, or 130 after Ctrl-C. */
export async function runCells(
  out: string,
  engine: Engine,
  output: Output,
  work: (runner: CellRunner) => Promise<void>,
): Promise<number> {
  const interrupt = listenForInterrupt(() => output.note("\nstopping; press Ctrl-C again to quit now"));
  const runner = new CellRunner(out, engine, terminalMonitor(interrupt.signal, output));
  try {
    await work(runner);
    return 0;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    output.note(`stopped after ${plural(runner.computed, "new cell")}; run the same command again to continue`);
    return 130;
  } finally {
    interrupt.stop();
  }
}

function terminalMonitor(signal: AbortSignal, output: Output): CellMonitor {
  return {
    signal,
    note: (text) => output.note(text),
    show(title) {
      const bar = showBar(1, output.quiet, CELL_LINES);
      const parts = showParts(output.quiet, CELL_LINES);
      bar.update(0, () => [title]);
      return {
        epoch: (report, maxEpochs, part) =>
          parts.update(part === undefined ? title : `${title}, ${part}`, report, maxEpochs),
        end() {
          parts.end();
          bar.end();
        },
      };
    },
  };
}
