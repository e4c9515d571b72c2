/** Computes cells one after the other: those on the disk are read, the others worked out, shown and kept. */

import { performance } from "node:perf_hooks";
import { VERSION } from "../../core/version.js";
import type { Engine } from "../../engine/engine.js";
import { formatSeconds, plural } from "../../report/format.js";
import type { EpochReport } from "../../train/run.js";
import { listenForInterrupt } from "../interrupt.js";
import { type Output, showsUnicode, terminalColumns } from "../output.js";
import { type CellKey, CellStore } from "./cell-store.js";

/** Ctrl-C: the cells that were finished are on the disk. */
export class Interrupted extends Error {
  override name = "Interrupted";
}

/** Between two refreshes of the line on a terminal. */
const REFRESH_SECONDS = 0.1;

export interface CellProgress {
  readonly signal: AbortSignal;
  /** Shows how far a training is. */
  epoch(report: EpochReport, most: number): void;
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
    this.#interrupt = listenForInterrupt(() => output.note("\nstopping; once more ends at once"));
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
    const line = new ProgressLine(head, this.#output.quiet);
    const begin = performance.now();
    const value = await (async () => {
      try {
        return await work({ signal: this.#interrupt.signal, epoch: (report, most) => line.epoch(report, most) });
      } finally {
        line.clear();
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

/** One refreshed line on a terminal; nothing elsewhere, where finished cells are told of. */
class ProgressLine {
  readonly #head: string;
  readonly #shows: boolean;
  #shown = 0;

  constructor(head: string, quiet: boolean) {
    this.#head = head;
    this.#shows = !quiet && process.stderr.isTTY === true && process.env["TERM"] !== "dumb";
    this.#draw("");
  }

  epoch({ epoch, loss, seconds }: EpochReport, most: number): void {
    const now = performance.now() / 1000;
    if (now - this.#shown < REFRESH_SECONDS) return;
    const atMost = showsUnicode() ? "≤" : "at most";
    const left = `${atMost} ${formatSeconds((most - epoch) * seconds)} left`;
    this.#draw(`epoch ${epoch}/${most}  loss ${loss.toFixed(4)}  ${left}`);
  }

  #draw(text: string): void {
    if (!this.#shows) return;
    this.#shown = performance.now() / 1000;
    const columns = terminalColumns(process.stderr) - 1;
    process.stderr.write(`\r\u001b[K${`${this.#head}  ${text}`.slice(0, columns)}`);
  }

  clear(): void {
    if (this.#shows) process.stderr.write("\r\u001b[K");
  }
}
