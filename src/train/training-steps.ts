/** Takes the steps of a run on its executable. */

import { InputError } from "../core/errors.js";
import type { Executable } from "../engine/engine.js";
import { drawInputs } from "./draw-inputs.js";
import { BETA1, BETA2 } from "./optimizer.js";
import type { RunSettings } from "./run-settings.js";
import type { RunTables } from "./run-tables.js";
import type { TrainingProgram } from "./training-program.js";

/** Result of one step. */
export interface StepResult {
  readonly step: number;
  readonly loss: number;
  /** Whether the loss is the smallest so far. */
  readonly improved: boolean;
}

export class TrainingSteps {
  readonly #traced: TrainingProgram;
  readonly #executable: Executable;
  readonly #tables: RunTables;
  readonly #settings: RunSettings;

  constructor(traced: TrainingProgram, executable: Executable, tables: RunTables, settings: RunSettings) {
    this.#traced = traced;
    this.#executable = executable;
    this.#tables = tables;
    this.#settings = settings;
  }

  /**
   * Takes one step of the optimiser, counted from 1 over all epochs. Starts it at once: on an engine that queues work, the next step
   * may be taken before the result of this one is there.
   */
  take(step: number): Promise<StepResult> {
    const { program, schedule, loss, flag, steps } = this.#traced;
    const { learningRate, finalRate, epochs, seed } = this.#settings;
    drawInputs(this.#executable, program.randomInputs, { seed, step });
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
      `epoch ${Math.ceil(step / this.#traced.steps)}: the loss is ${loss}; the first op with a result that is not finite is ${op}. Use a smaller learning rate, or look for extreme weights or features.`,
    );
  }
}
