/** Finds the GPU: in a page that of the browser, in Node that of Dawn, the optional package `webgpu`. */

import { InputError, UnsupportedError } from "../../core/errors.js";
import { isNode, nodeBuiltin } from "../../core/node/node-builtin.js";
import { valueText } from "../../core/validation.js";
import type { GpuAdapter, GpuDevice } from "../gpu-objects.js";
import { holdProcess } from "../held-process.js";

/** Set to 1, it allows adapters that compute on the CPU: for tests. */
const ALLOW_SOFTWARE = "HMGE_WEBGPU_SOFTWARE";
/** Part of the name of the adapter to use in Node. */
const ADAPTER = "HMGE_WEBGPU_ADAPTER";
/**
 * Set to 1, kernels are checked for reads and writes outside of their memory, as WebAssembly kernels are, and for reads of shared memory
 * before it is written.
 */
const BOUNDS_CHECKS = "HMGE_BOUNDS_CHECKS";

/** Whether kernels are checked for memory that is not theirs, and for memory that they have not written. */
export function checksMemory(): boolean {
  return isNode && process.env[BOUNDS_CHECKS] === "1";
}

/** Limits of which the engine uses all that the adapter offers. */
const USED_LIMITS = ["maxStorageBufferBindingSize", "maxBufferSize", "maxStorageBuffersPerShaderStage"] as const;

/**
 * Everything that was asked for, for as long as the process lives: if Dawn's objects are collected while the GPU works, the process
 * hangs or aborts.
 */
const kept: object[] = [];

let foundGpu: Promise<GPU> | undefined;

async function findGpu(): Promise<GPU> {
  if (!isNode) {
    if (typeof navigator !== "undefined" && navigator.gpu !== undefined) return navigator.gpu;
    throw new UnsupportedError(
      "engine: this browser has no WebGPU here",
      "use a secure page (https or localhost) in a browser that has it, or the engine wasm",
    );
  }
  const { create } = await loadDawn();
  const wanted = process.env[ADAPTER];
  // our kernels stay inside their memory: without Dawn's checks an epoch takes 17 to 40 % less time (methods of the field, 2026-11).
  // They write shared memory before they read it; clearing it takes most of the time in which SwiftShader compiles a kernel
  const unchecked = ["skip_validation", "disable_robustness"];
  const gpu = create([
    `enable-dawn-features=${[...(checksMemory() ? [] : unchecked), "disable_workgroup_init"].join(",")}`,
    ...(wanted ? [`adapter=${wanted}`] : []),
  ]);
  kept.push(gpu);
  holdProcess();
  return gpu;
}

/** Files in /dev of GPUs on Linux: NVIDIA, its boards, WSL, Arm, Qualcomm; and in /dev/dri: the others. */
const GPU_FILES = /^(nvidia\d|nvhost|nvmap|dxg$|mali|kgsl|renderD)/;

/**
 * Throws if no file of a known GPU exists. Dawn would say so too, but prints warnings of its own on machines without a driver. An
 * adapter that the user names is left to Dawn.
 */
function requireGpuFile(): void {
  if (!isNode || process.platform !== "linux" || process.env[ALLOW_SOFTWARE] === "1" || process.env[ADAPTER]) return;
  const { readdirSync } = nodeBuiltin("node:fs");
  const filesIn = (folder: string): string[] => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  };
  if ([...filesIn("/dev"), ...filesIn("/dev/dri")].some((name) => GPU_FILES.test(name))) return;
  throw new UnsupportedError(
    "engine: webgpu finds no GPU here (no /dev/dri/renderD*, /dev/nvidia* or /dev/dxg)",
    "install its driver, use the engine wasm, or set HMGE_WEBGPU_ADAPTER to the name of a GPU without such a file",
  );
}

interface Dawn {
  create(flags: readonly string[]): GPU;
}

async function loadDawn(): Promise<Dawn> {
  const { createRequire } = nodeBuiltin("node:module");
  const { pathToFileURL } = nodeBuiltin("node:url");
  let path: string;
  try {
    path = createRequire(import.meta.url).resolve("webgpu");
  } catch {
    throw new UnsupportedError(
      "engine: webgpu needs the package webgpu, which brings Dawn to Node. Install it: npm install webgpu@0.6.2",
    );
  }
  try {
    const loaded: unknown = await import(/* @vite-ignore */ pathToFileURL(path).href);
    if (isDawn(loaded)) return loaded;
  } catch (error) {
    throw new UnsupportedError(
      `engine: the package webgpu cannot be loaded here (${firstLine(error)})`,
      "on Linux it needs glibc 2.34 or later. Use --engine wasm",
    );
  }
  throw new UnsupportedError(`engine: ${path} is not the package webgpu of Dawn; expected a module with create()`);
}

function isDawn(value: unknown): value is Dawn {
  return typeof value === "object" && value !== null && "create" in value && typeof value.create === "function";
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0];
}

/** The GPU of this process or page, asked for once. */
function gpuOf(): Promise<GPU> {
  foundGpu ??= findGpu();
  foundGpu.catch(() => {
    foundGpu = undefined;
  });
  return foundGpu;
}

/** Adapters that the platform offers, best first, each once. */
export async function listAdapters(): Promise<GPUAdapter[]> {
  const gpu = await gpuOf();
  const found: GPUAdapter[] = [];
  const settings: GPURequestAdapterOptions[] = [
    { powerPreference: "high-performance" },
    { powerPreference: "low-power" },
    { forceFallbackAdapter: true },
  ];
  for (const options of settings) {
    const adapter = await requestAdapter(gpu, options);
    if (adapter === null || found.some((other) => describeAdapter(other) === describeAdapter(adapter))) continue;
    kept.push(adapter);
    found.push(adapter);
  }
  return found;
}

/** Names of adapters in the error of Dawn about a name that no adapter has. */
const LISTED_NAME = /name: '([^']*)'/g;

async function requestAdapter(gpu: GPU, options: GPURequestAdapterOptions): Promise<GPUAdapter | null> {
  try {
    return await gpu.requestAdapter(options);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const names = [...message.matchAll(LISTED_NAME)].map(([, name]) => name);
    const wanted = isNode ? process.env[ADAPTER] : undefined;
    if (wanted) {
      throw new InputError(
        `${ADAPTER}: no adapter has "${wanted}" in its name; expected a part of ${names.length === 0 ? "one, but there is none" : names.map((name) => `"${name}"`).join(" or ")}`,
      );
    }
    throw new UnsupportedError(`engine: webgpu finds no GPU here (${firstLine(error)})`);
  }
}

/** The adapter of a caller, after a check. */
export function readAdapter(value: GpuAdapter | undefined): GPUAdapter | undefined {
  if (value === undefined || isAdapter(value)) return value;
  throw new InputError(`adapter is ${valueText(value)}; expected a GPUAdapter, from navigator.gpu.requestAdapter().`);
}

/** The device of a caller, after a check. */
export function readDevice(value: GpuDevice | undefined): GPUDevice | undefined {
  if (value === undefined || isDevice(value)) return value;
  throw new InputError(`device is ${valueText(value)}; expected a GPUDevice, from adapter.requestDevice().`);
}

function isAdapter(value: unknown): value is GPUAdapter {
  return typeof value === "object" && value !== null && "requestDevice" in value && "limits" in value;
}

function isDevice(value: unknown): value is GPUDevice {
  return typeof value === "object" && value !== null && "createComputePipelineAsync" in value && "limits" in value;
}

/** Whether the adapter computes on the CPU. Some browsers do not say so, therefore names count too. */
export function isSoftware({ info }: GPUAdapter): boolean {
  if (info.isFallbackAdapter) return true;
  return /swiftshader|llvmpipe|lavapipe|softpipe|basic render/i.test(
    `${info.vendor} ${info.architecture} ${info.device} ${info.description}`,
  );
}

/** Name of the adapter in messages and records: the card, and the driver where it is known. Results depend on both. */
export function describeAdapter({ info }: GPUAdapter): string {
  const card = info.device.replace(/-+$/, "") || [info.vendor, info.architecture].filter(Boolean).join(" ");
  return [card, info.description].filter(Boolean).join(", ") || "unnamed adapter";
}

/** The best adapter that computes on a GPU. */
export async function findAdapter(): Promise<GPUAdapter> {
  requireGpuFile();
  const allowSoftware = isNode && process.env[ALLOW_SOFTWARE] === "1";
  const adapters = await listAdapters();
  const adapter = adapters.find((candidate) => allowSoftware || !isSoftware(candidate));
  if (adapter !== undefined) return adapter;
  const [software] = adapters;
  if (software === undefined) {
    const driver = "install the driver of the GPU and the Vulkan loader (libvulkan1), or ";
    const advice = `${isNode && process.platform === "linux" ? driver : ""}use the engine wasm`;
    throw new UnsupportedError("engine: webgpu finds no GPU here", advice);
  }
  throw new UnsupportedError(
    `engine: the only WebGPU adapter is ${describeAdapter(software)}, which computes on the CPU and is slower than the engine wasm`,
    `use that, or ${isNode ? `set ${ALLOW_SOFTWARE}=1` : "pass this adapter to createEngine"}`,
  );
}

/** A device with the limits of its adapter. */
export async function requestDevice(adapter: GPUAdapter): Promise<GPUDevice> {
  const requiredLimits = Object.fromEntries(USED_LIMITS.map((name) => [name, adapter.limits[name]]));
  let device: GPUDevice;
  try {
    device = await adapter.requestDevice({ requiredLimits });
  } catch (error) {
    throw new UnsupportedError(`engine: ${describeAdapter(adapter)} gives no device (${firstLine(error)})`);
  }
  kept.push(device);
  return device;
}
