/** Creates an engine by its name. */

import { InputError, suggest, UnsupportedError } from "../core/errors.js";
import { valueText } from "../core/validation.js";
import { type Engine, requireEngine } from "./engine.js";
import { referenceEngine } from "./reference.js";
import { isNode } from "./wasm/node-builtin.js";
import { availableThreads } from "./wasm/threads.js";
import { createWasmEngine } from "./wasm/wasm-engine.js";

export const ENGINES = ["auto", "wasm", "webgpu", "reference"] as const;
/** Name of an engine; `auto` is `webgpu` if there is a GPU, otherwise `wasm`. */
export type EngineName = (typeof ENGINES)[number];

/** What an engine may use. */
export interface EngineOptions {
  /** Threads of `wasm`; default and maximum: one per available CPU. */
  readonly threads?: number;
  /** Adapter of `webgpu`; default: the best one that is no software. */
  readonly adapter?: GPUAdapter;
  /** Device of `webgpu`, for pages that have one already. */
  readonly device?: GPUDevice;
}

/** The engine of callers that name none: the variable HMGE_ENGINE, or `wasm`, whose results do not depend on the GPU that is there. */
export function defaultEngine(): string {
  return (isNode && process.env.HMGE_ENGINE) || "wasm";
}

/**
 * The engine of that name, after checking the arguments. It starts at most one thread per available CPU: more would take
 * memory and slow down the others. `numThreads` of the engine is the number of threads it uses.
 */
export async function chooseEngine(name: unknown = defaultEngine(), options: EngineOptions = {}): Promise<Engine> {
  if (typeof name !== "string") {
    throw new InputError(
      `engine is ${valueText(name)}; expected an Engine object or one of the names ${ENGINES.join(", ")}.`,
    );
  }
  if (!ENGINES.some((known) => known === name)) {
    throw new InputError(`engine: unknown engine "${name}"${suggest(name, ENGINES)}`);
  }
  const { threads, ...gpu } = options;
  if (threads !== undefined && !(Number.isSafeInteger(threads) && threads >= 1)) {
    throw new InputError(`threads: ${threads}; expected a whole number of at least 1.`);
  }
  if (name === "reference") return referenceEngine;
  const wasm = () =>
    createWasmEngine({ threads: threads === undefined ? undefined : Math.min(threads, availableThreads()) });
  if (name === "wasm") return wasm();
  const { createWebgpuEngine } = await import("./webgpu/webgpu-engine.js");
  if (name === "webgpu") return createWebgpuEngine(gpu);
  try {
    return await createWebgpuEngine(gpu);
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error;
    return { ...(await wasm()), choice: `wasm, because webgpu cannot be used: ${error.message}` };
  }
}

/** The engine of a caller's settings: an engine, after a check, or the engine of that name. */
export async function engineOf(
  { engine, threads }: { readonly engine?: Engine | string; readonly threads?: number },
  where: string,
): Promise<Engine> {
  if (typeof engine !== "object" || engine === null) return chooseEngine(engine, { threads });
  requireEngine(engine, where);
  return engine;
}

/**
 * An engine for several trainings and projections; passed as `engine`, it is chosen once instead of once per call. It holds no
 * threads between calls. Default: the variable HMGE_ENGINE in Node, otherwise `wasm`. The second argument is a number of threads, or
 * options.
 */
export async function createEngine(name?: EngineName, options: number | EngineOptions = {}): Promise<Engine> {
  return chooseEngine(name, typeof options === "number" ? { threads: options } : options);
}
