/** Computes cells one after the other: those on the disk are read, the others worked out, shown and kept. */

import { performance } from "node:perf_hooks";
import { VERSION } from "../../core/version.js";
import type { Engine } from "../../engine/engine.js";
import { formatSeconds, plural } from "../../report/format.js";
import type { EpochReport } from "../../train/run.js";
import { listenForInterrupt } from "../terminal/interrupt.js";
import type { Output } from "../terminal/output.js";
import { showBar, showParts } from "../terminal/progress.js";
import { type CellKey, CellStore } from "./cell-store.js";

/** Ctrl-C: the cells that were finished are on the disk. */
export class Interrupted extends Error {
  override name = "Interrupted";
}

/** Without a terminal every finished cell has a line; within one only long trainings are told of. */
const CELL_LINES = { seconds: 60, last: false };

export interface CellProgress {
  readonly signal: AbortSignal;
  /** Shows how far a training, or the part of that name before it, is. */
  epoch(report: EpochReport, most: number, part?: string): void;
}

export class Workbench {
  readonly engine: Engine;
  readonly #store: CellStore;
  readonly #output: Output;
  readonly #interrupt;
  #total = 0;
  #done = 0;
  /** Cells read from the disk, and cells worked out now. */
  reused = 0;
  computed = 0;

  constructor(out: string, engine: Engine, output: Output) {
    this.engine = engine;
    this.#store = new CellStore(out);
    this.#output = output;
    this.#interrupt = listenForInterrupt(() => output.note("\nstopping; press Ctrl-C again to quit now"));
  }

  /** Announces further cells, so that progress can say how many are left. */
  expect(cells: number): void {
    this.#total += cells;
  }

  /** The value of a cell. Version and instruction set belong to every key: other ones give other numbers. */
  async cell<T>(label: string, key: CellKey, work: (progress: CellProgress) => Promise<T> | T): Promise<T> {
    const whole = { ...key, version: VERSION, kernels: this.engine.kernels };
    this.#done++;
    const stored = await this.#store.read<T>(whole);
    if (stored !== undefined) {
      this.reused++;
      return stored;
    }
    this.requireGoingOn();
    const head = `${this.#done}/${Math.max(this.#total, this.#done)} ${label}`;
    const { quiet } = this.#output;
    const bar = showBar(1, quiet, CELL_LINES);
    const parts = showParts(quiet, CELL_LINES);
    bar.update(0, () => [head]);
    const begin = performance.now();
    const value = await (async () => {
      try {
        return await work({
          signal: this.#interrupt.signal,
          epoch: (report, most, part) => parts.update(part === undefined ? head : `${head}, ${part}`, report, most),
        });
      } finally {
        parts.end();
        bar.end();
      }
    })();
    this.requireGoingOn();
    await this.#store.write(whole, value);
    this.computed++;
    this.#output.note(`${head}: ${formatSeconds((performance.now() - begin) / 1000)}`);
    return value;
  }

  /** Throws when Ctrl-C was pressed. */
  requireGoingOn(): void {
    if (this.#interrupt.signal.aborted) throw new Interrupted();
  }

  /** Does the work of a command on this bench; its exit code. Ctrl-C keeps the finished cells and ends with 130. */
  async use(work: () => Promise<void>): Promise<number> {
    try {
      await work();
      return 0;
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      this.#output.note(`stopped after ${plural(this.computed, "new cell")}; the same command goes on from there`);
      return 130;
    } finally {
      this.#interrupt.stop();
    }
  }
}
