/** Creates an engine by its name. */

import { InputError, suggest } from "../core/errors.js";
import { valueText } from "../core/validation.js";
import { type Engine, requireEngine } from "./engine.js";
import { referenceEngine } from "./reference.js";
import { availableThreads } from "./wasm/threads.js";
import { createWasmEngine } from "./wasm/wasm-engine.js";

export const ENGINES = ["auto", "wasm", "reference"] as const;
/** Name of an engine; `auto` is the fastest available. */
export type EngineName = (typeof ENGINES)[number];

/**
 * The engine of that name, after checking the arguments. It starts at most one thread per available CPU: more would take
 * memory and slow down the others. `numThreads` of the engine is the number of threads it uses.
 */
export async function chooseEngine(name = "auto", threads?: number): Promise<Engine> {
  if (typeof name !== "string") {
    throw new InputError(
      `engine is ${valueText(name)}; expected an Engine object or one of the names ${ENGINES.join(", ")}.`,
    );
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

/** The engine of a caller's settings: an engine, after a check, or the engine of that name. */
export async function engineOf(
  { engine, threads }: { readonly engine?: Engine | string; readonly threads?: number },
  where: string,
): Promise<Engine> {
  if (typeof engine !== "object" || engine === null) return chooseEngine(engine, threads);
  requireEngine(engine, where);
  return engine;
}

/**
 * An engine for several trainings and projections; passed as `engine`, it is chosen once instead of once per call. It holds no
 * threads between calls. Default: `auto`; default and maximum number of threads: one per available CPU.
 */
export async function createEngine(name: EngineName = "auto", threads?: number): Promise<Engine> {
  return chooseEngine(name, threads);
}
