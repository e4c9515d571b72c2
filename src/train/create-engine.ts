/** Engines by their names. */

import { InputError, suggest } from "../core/errors.js";
import { valueText } from "../core/validation.js";
import type { Engine } from "../engine/engine.js";
import { referenceEngine } from "../engine/reference.js";
import { availableThreads } from "../engine/wasm/threads.js";
import { createWasmEngine } from "../engine/wasm/wasm-engine.js";

export const ENGINES = ["auto", "wasm", "reference"] as const;
/** An engine's name; `auto` is the fastest there is. */
export type EngineName = (typeof ENGINES)[number];

/**
 * The engine by its name, of words that a user may have given. More threads than the machine runs at once are not started:
 * each would take memory and slow the others down. `numThreads` of the engine says how many there are.
 */
export async function chooseEngine(name = "auto", threads?: number): Promise<Engine> {
  if (typeof name !== "string") {
    throw new InputError(`engine is ${valueText(name)}; expected an engine, or one of ${ENGINES.join(", ")}.`);
  }
  if (!ENGINES.some((known) => known === name)) {
    throw new InputError(`engine: unknown engine "${name}"${suggest(name, ENGINES)}`);
  }
  if (threads !== undefined && !(Number.isSafeInteger(threads) && threads >= 1)) {
    throw new InputError(`threads: ${threads}; expected a whole number of at least 1.`);
  }
  if (name === "reference") return referenceEngine;
  return createWasmEngine({ threads: threads === undefined ? undefined : Math.min(threads, availableThreads()) });
}

/**
 * An engine for several trainings and maps: given as `engine`, it spares each of them to look for the fastest kernels. It holds no
 * threads itself; default: `auto`, with as many threads as the machine runs at once, which is also the maximum.
 */
export async function createEngine(name: EngineName = "auto", threads?: number): Promise<Engine> {
  return chooseEngine(name, threads);
}
