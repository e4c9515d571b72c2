/**
 * The kernels that this platform can run, and their bytes. Both builds are imported as text: with a dynamic import a page would
 * load only one of them, but some bundlers cannot split the program of a worker, and fail.
 *
 * Relaxed SIMD has fused multiply-add. Node 20 needs a flag that must be set before the first compilation; later versions need
 * none, and some reject the flag. So support is detected by validating a tiny module.
 */

import { UnsupportedError } from "../../core/errors.js";
import { isNode, nodeBuiltin } from "../../core/node/node-builtin.js";
import * as plainKernels from "./generated/kernels-plain.js";
import * as relaxedKernels from "./generated/kernels-relaxed.js";
import { PAGE } from "./header-writer.js";

/** A build of the kernels. */
export interface Variant {
  readonly relaxed: boolean;
  readonly shared: boolean;
}

/** (module (func (drop (f32x4.relaxed_madd (v128.const 0) (v128.const 0) (v128.const 0))))) */
const RELAXED_PROBE = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 10, 0x3e, 1, 0x3c, 0],
  ...[0xfd, 12, ...new Array(16).fill(0), 0xfd, 12, ...new Array(16).fill(0), 0xfd, 12, ...new Array(16).fill(0)],
  ...[0xfd, 0x85, 0x02, 0x1a, 0x0b],
]);

// Deno claims to be Node, but cannot set flags
const isNode20 = isNode && process.versions["deno"] === undefined && Number.parseInt(process.versions.node, 10) < 22;

/** Whether relaxed SIMD can be used; on Node 20 this switches it on. */
export function supportsRelaxed(): boolean {
  if (WebAssembly.validate(RELAXED_PROBE)) return true;
  if (!isNode20) return false;
  nodeBuiltin("node:v8").setFlagsFromString("--experimental-wasm-relaxed-simd");
  return WebAssembly.validate(RELAXED_PROBE);
}

const modules = new Map<string, Promise<WebAssembly.Module>>();

/** The compiled kernels of a variant, compiled once per process. */
export function kernelModule({ relaxed, shared }: Variant): Promise<WebAssembly.Module> {
  const name = `${relaxed ? "relaxed" : "plain"} ${shared ? "shared" : "single"}`;
  let compiled = modules.get(name);
  if (compiled === undefined) {
    compiled = compileKernels(kernelBytes({ relaxed, shared }));
    modules.set(name, compiled);
    compiled.catch(() => modules.delete(name)); // after a lack of memory the next attempt may succeed
  }
  return compiled;
}

/** If this environment variable is 1, kernels check every memory access on every platform. The tests set it. */
const KEEP_CHECKS = "HMGE_BOUNDS_CHECKS";

/**
 * On x64 Node 20 protects memory by pages that trap. On other processors it compares every address with the size of the memory,
 * which costs a third of the speed of a product, and more with shared memory. There the kernels are compiled without checks: their
 * addresses come from this project's planner, and the tests run them with checks. The flag is read when a module is created, so
 * it applies to this module only.
 */
async function compileKernels(bytes: BufferSource): Promise<WebAssembly.Module> {
  if (!isNode) return WebAssembly.compile(bytes).catch(refuseOnPage);
  if (!isNode20 || process.arch === "x64" || process.env[KEEP_CHECKS] === "1") return WebAssembly.compile(bytes);
  const { setFlagsFromString } = nodeBuiltin("node:v8");
  setFlagsFromString("--no-wasm-bounds-checks");
  try {
    return new WebAssembly.Module(bytes);
  } finally {
    setFlagsFromString("--wasm-bounds-checks");
  }
}

function refuseOnPage({ message }: Error): never {
  throw new UnsupportedError(
    `engine: wasm does not start here: ${message} The page's policy has to allow script-src 'wasm-unsafe-eval'; or use the engine "reference".`,
  );
}

function kernelBytes({ relaxed, shared }: Variant): Uint8Array<ArrayBuffer> {
  const { base64, memoryFlags } = relaxed ? relaxedKernels : plainKernels;
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  if (shared) bytes[memoryFlags.at] = memoryFlags.shared;
  return bytes;
}

/** The exports of a kernel binary. */
export interface KernelExports {
  blocksOf(kernel: number, phase: number, args: number): number;
  scratchOf(kernel: number, args: number): number;
  farRows(): number;
  fillSymmetric(
    to: number,
    count: number,
    key0: number,
    key1: number,
    epoch: number,
    bound: number,
    first: number,
  ): void;
  replay(steps: number, count: number, threads: number, control: number): void;
}

/** A new memory, or an error that says how much could not be had; systems also limit the addresses that a process reserves. */
export function allocateMemory(descriptor: WebAssembly.MemoryDescriptor): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory(descriptor);
  } catch {
    const bytes = descriptor.initial * PAGE;
    const size = bytes < 2 ** 24 ? `${bytes / 2 ** 10} KiB` : `${(bytes / 2 ** 30).toFixed(2)} GiB`;
    throw new UnsupportedError(
      `memory: ${size} of WebAssembly memory could not be allocated; close other programs, use a smaller dim or tableWidth, or raise the limit of this process`,
    );
  }
}

export function instantiate(module: WebAssembly.Module, memory: WebAssembly.Memory): KernelExports {
  return new WebAssembly.Instance(module, { env: { memory } }).exports as object as KernelExports;
}
