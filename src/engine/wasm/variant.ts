/**
 * Which of the four kernel binaries this platform can run, and their bytes.
 *
 * Relaxed SIMD gives fused multiply-add. Node 20 has it behind a flag that must be set before the first compilation;
 * later versions have it on and some refuse the flag, so the answer comes from validating a tiny module.
 */

import { InternalError } from "../../core/errors.js";

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

const isNode = typeof process !== "undefined" && process.versions?.node !== undefined;
// Deno says it is Node, and cannot set flags
const isNode20 = isNode && process.versions["deno"] === undefined && Number.parseInt(process.versions.node, 10) < 22;

/** Whether relaxed SIMD can be used; on Node 20 it is switched on here. */
export async function supportsRelaxed(): Promise<boolean> {
  if (WebAssembly.validate(RELAXED_PROBE)) return true;
  if (!isNode20) return false;
  const { setFlagsFromString } = await import("node:v8");
  setFlagsFromString("--experimental-wasm-relaxed-simd");
  return WebAssembly.validate(RELAXED_PROBE);
}

/** Whether memory can be shared between threads here; browsers forbid it without cross-origin isolation. */
export function supportsSharedMemory(): boolean {
  return typeof SharedArrayBuffer !== "undefined" && (isNode || globalThis.crossOriginIsolated === true);
}

const modules = new Map<string, Promise<WebAssembly.Module>>();

/** The compiled kernels of a variant, compiled once per process. */
export function kernelModule({ relaxed, shared }: Variant): Promise<WebAssembly.Module> {
  const file = `kernels-${relaxed ? "relaxed" : "plain"}-${shared ? "shared" : "single"}.wasm`;
  let compiled = modules.get(file);
  if (compiled === undefined) {
    compiled = readBytes(new URL(`./generated/${file}`, import.meta.url)).then(compileKernels);
    modules.set(file, compiled);
    compiled.catch(() => modules.delete(file)); // a page that was offline may try again
  }
  return compiled;
}

/** Set to 1, kernels check every access on every platform. The tests do so. */
const KEEP_CHECKS = "HMGE_BOUNDS_CHECKS";

/**
 * Node 20 guards memory by pages that trap on x64 only. Elsewhere it compares every address with the size of the memory,
 * which takes a third of a product's rate and more where the memory is shared. There the kernels are compiled without:
 * they are this project's own, their addresses come from its planner, and the tests run them with the checks. The flag
 * is read where a module is created, so that it holds for this one alone.
 */
async function compileKernels(bytes: BufferSource): Promise<WebAssembly.Module> {
  if (!isNode20 || process.arch === "x64" || process.env[KEEP_CHECKS] === "1") return WebAssembly.compile(bytes);
  const { setFlagsFromString } = await import("node:v8");
  setFlagsFromString("--no-wasm-bounds-checks");
  try {
    return new WebAssembly.Module(bytes);
  } finally {
    setFlagsFromString("--wasm-bounds-checks");
  }
}

async function readBytes(url: URL): Promise<BufferSource> {
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return new Uint8Array(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new InternalError(`${url}: ${response.status}; the kernel files belong beside the library`);
  return response.arrayBuffer();
}

/** What a kernel binary exports. */
export interface KernelExports {
  blocksOf(kernel: number, phase: number, args: number): number;
  scratchOf(kernel: number, args: number): number;
  farRows(): number;
  fillSymmetric(to: number, count: number, key0: number, key1: number, epoch: number, bound: number): void;
  replay(steps: number, count: number, threads: number, control: number): void;
}

export function instantiate(module: WebAssembly.Module, memory: WebAssembly.Memory): KernelExports {
  return new WebAssembly.Instance(module, { env: { memory } }).exports as object as KernelExports;
}
