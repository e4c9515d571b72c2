/** Computes the cells of tables, one after the other. A cell that is on the disk is read; any other is computed and stored. */

import { performance } from "node:perf_hooks";
import { VERSION } from "../../core/version.js";
import type { Engine } from "../../engine/engine.js";
import { formatSeconds } from "../../report/format.js";
import type { EpochReport } from "../../train/run.js";
import { type CellKey, CellStore } from "./cell-store.js";

/** The user pressed Ctrl-C. The finished cells are on the disk. */
export class Interrupted extends Error {
  override name = "Interrupted";
}

/** A training took longer than its limit. */
export class TooSlow extends Error {
  override name = "TooSlow";
  readonly limitSeconds: number;

  constructor(limitSeconds: number) {
    super(`training takes longer than ${formatSeconds(limitSeconds)}`);
    this.limitSeconds = limitSeconds;
  }
}

/** Conditions for computing cells. Cells that are on the disk are read in any case. */
export interface CellRules {
  /** Seconds that one training may take; a longer one ends with TooSlow. Default: no limit. */
  readonly limitSeconds?: number;
  /** Called before a cell is computed; throws if it must not be. */
  readonly check?: () => Promise<void>;
}

/** Receives every epoch of a training; `part` names a training that comes before the model's own. */
export type EpochListener = (report: EpochReport, maxEpochs: number, part?: string) => void;

/** Shows progress to the user and lets the user stop the work. */
export interface CellMonitor {
  readonly signal: AbortSignal;
  /** Shows the progress of one cell until `end` is called. */
  show(title: string): { readonly epoch: EpochListener; end(): void };
  note(text: string): void;
}

/** What the computation of one cell may use. */
export interface CellProgress {
  readonly signal: AbortSignal;
  readonly epoch: EpochListener;
  /** Seconds that one training may take. */
  readonly limitSeconds?: number;
}

export class CellRunner {
  readonly engine: Engine;
  readonly #store: CellStore;
  readonly #monitor: CellMonitor;
  #announced = 0;
  #requested = 0;
  #rules: CellRules = {};
  /** Cells read from the disk. */
  reused = 0;
  /** Cells computed by this process. */
  computed = 0;

  /** Cells are stored in the folder `out`. */
  constructor(out: string, engine: Engine, monitor: CellMonitor) {
    this.engine = engine;
    this.#store = new CellStore(out);
    this.#monitor = monitor;
  }

  /** Announces further cells, so that progress can show how many are left. */
  announce(cells: number): void {
    this.#announced += cells;
  }

  /** Calls `work`; the cells that it requests obey the rules. A training that was too slow once is not tried again. */
  async withRules<T>(rules: CellRules, work: () => Promise<T>): Promise<T> {
    const previous = this.#rules;
    this.#rules = rules;
    try {
      return await work();
    } finally {
      this.#rules = previous;
    }
  }

  /** The value of a cell. Version and instruction set belong to every key, because they change the numbers. */
  async cell<T>(label: string, key: CellKey, compute: (progress: CellProgress) => Promise<T> | T): Promise<T> {
    const fullKey = { ...key, version: VERSION, kernels: this.engine.kernels };
    this.#requested++;
    const stored = await this.#store.read<T>(fullKey);
    if (stored !== undefined) {
      this.reused++;
      return stored;
    }
    const { limitSeconds, check } = this.#rules;
    const slowKey = { ...fullKey, tooSlow: true };
    if (limitSeconds !== undefined) await this.#throwIfTooSlow(slowKey, limitSeconds);
    this.throwIfInterrupted();
    await check?.();
    const title = `${this.#requested}/${Math.max(this.#announced, this.#requested)} ${label}`;
    const display = this.#monitor.show(title);
    const begin = performance.now();
    let value: T;
    try {
      value = await compute({ signal: this.#monitor.signal, epoch: display.epoch, limitSeconds });
    } catch (error) {
      // stored like a result, so that the limit is waited for only once
      if (error instanceof TooSlow) await this.#store.write(slowKey, { limitSeconds: error.limitSeconds });
      throw error;
    } finally {
      display.end();
    }
    this.throwIfInterrupted();
    await this.#store.write(fullKey, value);
    this.computed++;
    this.#monitor.note(`${title}: ${formatSeconds((performance.now() - begin) / 1000)}`);
    return value;
  }

  /** Throws if an earlier training exceeded this limit or a longer one. */
  async #throwIfTooSlow(slowKey: CellKey, limitSeconds: number): Promise<void> {
    const stored = await this.#store.read<{ readonly limitSeconds: number }>(slowKey);
    if (stored === undefined || stored.limitSeconds < limitSeconds) return;
    this.reused++;
    throw new TooSlow(limitSeconds);
  }

  throwIfInterrupted(): void {
    if (this.#monitor.signal.aborted) throw new Interrupted();
  }
}
