/** Engines by their names. */

import { InputError, suggest } from "../core/errors.js";
import { valueText } from "../core/given.js";
import type { Engine } from "../engine/engine.js";
import { referenceEngine } from "../engine/reference.js";
import { createWasmEngine } from "../engine/wasm/wasm-engine.js";

export const ENGINES = ["auto", "wasm", "reference"] as const;
/** An engine's name; `auto` is the fastest there is. */
export type EngineName = (typeof ENGINES)[number];
/** Beyond any machine: each takes a worker and its memory. */
const MOST_THREADS = 1024;

/** The engine by its name, of words that a user may have given. */
export async function chooseEngine(name = "auto", threads?: number): Promise<Engine> {
  if (typeof name !== "string") {
    throw new InputError(`engine is ${valueText(name)}; expected an engine, or one of ${ENGINES.join(", ")}.`);
  }
  if (!ENGINES.some((known) => known === name)) {
    throw new InputError(`engine: unknown engine "${name}"${suggest(name, ENGINES)}`);
  }
  if (threads !== undefined && !(Number.isInteger(threads) && threads >= 1 && threads <= MOST_THREADS)) {
    throw new InputError(`threads: ${threads}; expected a whole number from 1 to ${MOST_THREADS}.`);
  }
  return name === "reference" ? referenceEngine : createWasmEngine({ threads });
}

/**
 * An engine for several trainings and maps: given as `engine`, it spares each of them to look for the fastest kernels. It holds no
 * threads itself; default: `auto`, with as many threads as the machine runs at once.
 */
export async function createEngine(name: EngineName = "auto", threads?: number): Promise<Engine> {
  return chooseEngine(name, threads);
}
