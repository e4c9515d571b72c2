/** Creates an engine by its name. */

import { InputError, suggest, UnsupportedError } from "../core/errors.js";
import { isNode } from "../core/node/node-builtin.js";
import { valueText } from "../core/validation.js";
import { type Engine, requireEngine } from "./engine.js";
import type { GpuAdapter, GpuDevice } from "./gpu-objects.js";
import { referenceEngine } from "./reference.js";
import { availableThreads } from "./wasm/threads.js";
import { createWasmEngine } from "./wasm/wasm-engine.js";

export const ENGINES = ["auto", "wasm", "webgpu", "reference"] as const;
/** Name of an engine; `auto` is `webgpu` if there is a GPU, otherwise `wasm`. */
export type EngineName = (typeof ENGINES)[number];

/** What an engine may use. */
export interface EngineOptions {
  /** Threads of `wasm`, and of the work that `webgpu` leaves to the CPU; default and maximum: one per available CPU. */
  readonly threads?: number;
  /** Adapter of `webgpu`; default: the best one that is no software. */
  readonly adapter?: GpuAdapter;
  /** Device of `webgpu`, for pages that have one already. */
  readonly device?: GpuDevice;
}

/** The variable that chooses the engine of callers that name none. */
export const ENGINE_VARIABLE = "HMGE_ENGINE";

/** The name of an engine, checked. Default: the variable HMGE_ENGINE unless it is empty, or `wasm`, whose results depend on no GPU. */
export function engineName(name?: unknown): EngineName {
  const variable = name === undefined && isNode ? process.env[ENGINE_VARIABLE] : undefined;
  const [where, wanted] = variable ? [ENGINE_VARIABLE, variable] : ["engine", name ?? "wasm"];
  if (typeof wanted !== "string") {
    throw new InputError(
      `engine is ${valueText(wanted)}; expected an Engine object or one of the names ${ENGINES.join(", ")}.`,
    );
  }
  const known = ENGINES.find((engine) => engine === wanted);
  if (known !== undefined) return known;
  throw new InputError(`${where}: unknown engine "${wanted}"${suggest(wanted, ENGINES)}`);
}

/**
 * The engine of that name, after checking the arguments. It starts at most one thread per available CPU: more would take
 * memory and slow down the others. `numThreads` of the engine is the number of threads it uses.
 */
export async function chooseEngine(requested?: unknown, options: EngineOptions = {}): Promise<Engine> {
  const name = engineName(requested);
  const { threads, ...gpu } = options;
  if (threads !== undefined && !(Number.isSafeInteger(threads) && threads >= 1)) {
    throw new InputError(`threads: ${threads}; expected a whole number of at least 1.`);
  }
  if (name === "reference") return referenceEngine;
  const wasm = () =>
    createWasmEngine({ threads: threads === undefined ? undefined : Math.min(threads, availableThreads()) });
  if (name === "wasm") return wasm();
  const { createWebgpuEngine } = await import("./webgpu/webgpu-engine.js");
  const onGpu = { ...gpu, hostThreads: Math.min(threads ?? Infinity, isNode ? availableThreads() : 1) };
  if (name === "webgpu") return createWebgpuEngine(onGpu);
  try {
    const engine = await createWebgpuEngine(onGpu);
    return { ...engine, choice: engine.description };
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error;
    // without the advice, which is to use wasm
    const reason = error.reason.replace(/^engine: /, "");
    return { ...(await wasm()), choice: `wasm, because webgpu cannot be used: ${reason}` };
  }
}

/** An adapter of WebGPU. */
export interface AdapterFacts {
  readonly name: string;
  /** Whether it computes on the CPU. */
  readonly software: boolean;
}

/** The adapters that this platform offers to the engine webgpu, best first. */
export async function listGpus(): Promise<AdapterFacts[]> {
  const { describeAdapter, isSoftware, listAdapters } = await import("./webgpu/adapter.js");
  return (await listAdapters()).map((adapter) => ({ name: describeAdapter(adapter), software: isSoftware(adapter) }));
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
