/**
 * Takes the steps of a run on its executable: one after the other on an engine that computes while the host waits; several at once on an
 * engine that queues work, because waiting for each result would take longer than a step.
 */

import { InputError } from "../core/errors.js";
import type { Executable } from "../engine/engine.js";
import { drawInputs } from "./draw-inputs.js";
import { BETA1, BETA2 } from "./optimizer.js";
import type { RunSettings } from "./run-settings.js";
import type { RunTables } from "./run-tables.js";
import type { TrainingTensors } from "./training-program.js";

/** Seconds of work that are queued: long next to the wait for a result, about 1 ms, and short for a user. */
const QUEUED_SECONDS = 0.1;
/** Steps that are queued at most; each holds copies of its random inputs until it runs. */
const MAX_QUEUED = 256;

/** Result of one step. */
export interface StepResult {
  readonly step: number;
  readonly loss: number;
  /** Whether the loss is the smallest so far. */
  readonly improved: boolean;
}

/** Takes single steps. */
class TrainingSteps {
  readonly #training: TrainingTensors;
  readonly #executable: Executable;
  readonly #tables: RunTables;
  readonly #settings: RunSettings;

  constructor(training: TrainingTensors, executable: Executable, tables: RunTables, settings: RunSettings) {
    this.#training = training;
    this.#executable = executable;
    this.#tables = tables;
    this.#settings = settings;
  }

  /**
   * Takes one step of the optimiser, counted from 1 over all epochs. Starts it at once: on an engine that queues work, the next step
   * may be taken before the result of this one is there.
   */
  take(step: number): Promise<StepResult> {
    const { randomInputs, schedule, loss, flag, steps } = this.#training;
    const { learningRate, finalRate, epochs, seed } = this.#settings;
    drawInputs(this.#executable, randomInputs, { seed, step });
    this.#executable.write(schedule, (data) => {
      data[0] = learningRate * (1 - ((1 - finalRate) * (step - 1)) / (epochs * steps));
      data[1] = 1 - BETA1 ** step;
      data[2] = 1 - BETA2 ** step;
    });
    this.#tables.step();
    // both before the first wait: somebody who reads the vectors meanwhile replays another segment
    return this.#result(step, this.#executable.read(loss), this.#executable.read(flag));
  }

  async #result(step: number, ...reads: readonly Promise<Float32Array | Float64Array>[]): Promise<StepResult> {
    const [[loss], [flag]] = await Promise.all(reads);
    return { step, loss, improved: flag > 0 };
  }

  /** Throws unless the loss is finite, and names the op that produced the first value that is not. */
  async requireFinite({ step, loss }: StepResult): Promise<void> {
    if (Number.isFinite(loss)) return;
    const op = (await this.#executable.findNonFinite("step")) ?? "unknown";
    throw new InputError(
      `epoch ${Math.ceil(step / this.#training.steps)}: the loss is ${loss}; the first op with a result that is not finite is ${op}. Use a smaller learning rate, or look for extreme weights or features.`,
    );
  }
}

/** Takes the steps of one or several epochs. */
export class StepQueue {
  /** Seconds of an epoch when epochs were last taken. */
  epochSeconds: number | undefined;
  readonly #steps: TrainingSteps;
  readonly #training: TrainingTensors;
  readonly #executable: Executable;
  readonly #settings: RunSettings;

  constructor(training: TrainingTensors, executable: Executable, tables: RunTables, settings: RunSettings) {
    this.#steps = new TrainingSteps(training, executable, tables, settings);
    this.#training = training;
    this.#executable = executable;
    this.#settings = settings;
  }

  /** Epochs that are started without waiting for the loss of the one before, after `done` epochs. */
  numEpochs(done: number): number {
    const { epochs, patience } = this.#settings;
    if (!this.#executable.isQueued || this.epochSeconds === undefined) return 1;
    // the last parameters are kept, so the epoch that ends the run must be known
    if (this.#training.keep === "last" && Number.isFinite(patience)) return 1;
    const wanted = Math.floor(Math.min(MAX_QUEUED, QUEUED_SECONDS / this.epochSeconds) / this.#training.steps);
    return Math.max(1, Math.min(wanted, epochs - done));
  }

  /** The results of `count` steps from step `first` on. Throws at the first loss that is not finite. */
  async take(
    first: number,
    count: number,
    requireMemory: () => void,
    letOthersIn: () => Promise<void>,
  ): Promise<StepResult[]> {
    const results: StepResult[] = [];
    const atOnce = this.#executable.isQueued ? MAX_QUEUED : 1;
    for (let done = 0; done < count; done += atOnce) {
      if (done > 0) await letOthersIn();
      requireMemory();
      const queued = Array.from({ length: Math.min(atOnce, count - done) }, (_, k) =>
        this.#steps.take(first + done + k),
      );
      for (const result of await Promise.all(queued)) {
        await this.#steps.requireFinite(result);
        results.push(result);
      }
    }
    return results;
  }
}
