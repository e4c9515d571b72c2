/**
 * The `webgpu` engine: WGSL kernels on a GPU, in a page or, through Dawn, in Node.
 *
 * A program is laid out once; a replay records one dispatch for each group of instructions and waits for nothing. On one device and
 * driver the bits of every result are the same from run to run: sums go by fixed trees or in the order of rows.
 */

import { InternalError, UnsupportedError } from "../../core/errors.js";
import type { Engine } from "../engine.js";
import type { GpuAdapter, GpuDevice } from "../gpu-objects.js";
import type { Program } from "../program.js";
import {
  checksMemory,
  describeAdapter,
  findAdapter,
  isSoftware,
  readAdapter,
  readDevice,
  requestDevice,
} from "./adapter.js";
import { DeviceState, outOfMemory } from "./device-state.js";
import { INCLUDED } from "./generated/kernels.js";
import { type Layout, layOut, type ShaderVariant } from "./layout.js";
import { numPages, PagedMemory, USAGE } from "./memory.js";
import { LAUNCH_BYTES, type Pages, shaderSource } from "./shader.js";
import { WebgpuExecutable } from "./webgpu-executable.js";

/** Options of `createWebgpuEngine`. */
export interface WebgpuOptions {
  /** Adapter to use; default: the best one that is no software. */
  readonly adapter?: GpuAdapter;
  /** Device to use, with its adapter for the name; default: a device with all limits of the adapter. */
  readonly device?: GpuDevice;
  /** Threads for work of the host; default: 1. */
  readonly hostThreads?: number;
  /** Bytes of a storage binding, at most; default: what the device allows. For tests of tensors on several pages. */
  readonly maxBindingBytes?: number;
}

/** Buffers of a shader besides the pages: the arguments. */
const OTHER_BUFFERS = 1;
/**
 * Multiply-adds of a replay: about 20 ms on an H200, which compares rows at 2.9·10¹² a second, and an estimated 0.2 s on a GPU that is
 * built into a processor.
 */
const REPLAY_WORK = 5e10;
/** Largest number of words of one memory: addresses are 32-bit numbers of words. */
const MAX_WORDS = 2 ** 32;

/** Chooses the adapter and asks it for a device. */
export async function createWebgpuEngine(options: WebgpuOptions = {}): Promise<Engine> {
  const given = { adapter: readAdapter(options.adapter), device: readDevice(options.device) };
  const adapter = given.adapter ?? (given.device === undefined ? await findAdapter() : undefined);
  const device = given.device ?? (await requestDevice(adapter!));
  const name = adapter === undefined ? "device of the page" : describeAdapter(adapter);
  const state = new DeviceState(device, name);
  const { maxStorageBufferBindingSize, maxBufferSize, maxStorageBuffersPerShaderStage } = device.limits;
  const bindingBytes = Math.min(options.maxBindingBytes ?? Infinity, maxStorageBufferBindingSize, maxBufferSize);
  const pageWords = 2 ** Math.floor(Math.log2(bindingBytes / 4));
  const maxPages = maxStorageBuffersPerShaderStage - OTHER_BUFFERS;
  const compiler = new ShaderCompiler(device);
  const disposed = new Set<WebgpuExecutable>();
  return {
    name: "webgpu",
    device: name,
    description: `webgpu (${name})`,
    numThreads: 1,
    hostThreads: options.hostThreads ?? 1,
    kernels: `webgpu ${name}`,
    replayWork: REPLAY_WORK,
    memoryLimit: 4 * Math.min(maxPages * pageWords, MAX_WORDS),
    estimate: async (program) => bytesOf(layOut(program)),
    async compile(program) {
      state.require();
      // a program that was disposed of can be read until another one needs the memory
      for (const executable of disposed) executable.release();
      disposed.clear();
      const layout = layOut(program);
      const pages: Pages = {
        floats: numPages(layout.floatWords, pageWords),
        words: numPages(layout.wordWords, pageWords),
        pageWords,
        unrolls: adapter === undefined || !isSoftware(adapter),
        startsWithGarbage: checksMemory(),
      };
      if (pages.floats + pages.words > maxPages || layout.floatWords >= MAX_WORDS) {
        throw new UnsupportedError(
          `memory: this run needs ${gigabytes(bytesOf(layout))} on the GPU; ${name} allows ${gigabytes(maxPages * pageWords * 4)} to one program. Use a smaller dim or tableWidth, or --engine wasm`,
        );
      }
      const executable = await allocate(state, name, program, layout, pages, compiler);
      return Object.assign(executable, {
        dispose: async () => {
          disposed.add(executable);
        },
      });
    },
  };
}

function bytesOf({ floatWords, wordWords }: Layout): number {
  return 4 * (floatWords + wordWords);
}

function gigabytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(2)} GiB`;
}

/** Makes the buffers, uploads the constants and compiles the shaders. */
async function allocate(
  state: DeviceState,
  name: string,
  program: Program,
  layout: Layout,
  pages: Pages,
  compiler: ShaderCompiler,
): Promise<WebgpuExecutable> {
  const { device } = state;
  device.pushErrorScope("out-of-memory");
  const floats = new PagedMemory(device, layout.floatWords, pages.pageWords);
  const words = new PagedMemory(device, layout.wordWords, pages.pageWords);
  const args = upload(device, layout.args, USAGE.storage);
  const launches = upload(device, layout.launches, USAGE.uniform);
  if ((await state.wait(device.popErrorScope())) !== null) {
    for (const memory of [floats, words]) memory.destroy();
    throw outOfMemory(name);
  }
  for (const { at, make } of layout.arrays.floats) floats.write(at, make());
  for (const { at, make } of layout.arrays.words) words.write(at, make());
  const bindings = compiler.bindings(pages);
  const buffers = [args, ...floats.pages, ...words.pages];
  // one for each launch: a dynamic offset would be converted again in every epoch
  const bindGroup = (launch: number) =>
    device.createBindGroup({
      layout: bindings,
      entries: [
        { binding: 0, resource: { buffer: launches, offset: launch * LAUNCH_BYTES, size: LAUNCH_BYTES } },
        ...buffers.map((buffer, k) => ({ binding: k + 1, resource: { buffer } })),
      ],
    });
  const pipelines = await state.wait(compiler.pipelines(layout, pages));
  const executable = new WebgpuExecutable(state, layout, {
    floats,
    words,
    bindGroup,
    buffers: [args, launches],
    pipeline: (variant, entry) => pipelines.get(`${variant} ${entry}`)!,
  });
  for (const [tensor, data] of program.constants) executable.write(tensor, (array) => array.set(data));
  return executable;
}

function upload(device: GPUDevice, data: Uint32Array, usage: number): GPUBuffer {
  const buffer = device.createBuffer({
    size: Math.max(data.byteLength, LAUNCH_BYTES),
    usage: usage | USAGE.copyTarget,
  });
  device.queue.writeBuffer(buffer, 0, data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  return buffer;
}

/** Compiles each shader once for a device. */
class ShaderCompiler {
  readonly #device: GPUDevice;
  readonly #pipelines = new Map<string, Promise<GPUComputePipeline>>();
  readonly #modules = new Map<string, GPUShaderModule>();
  readonly #bindings = new Map<string, GPUBindGroupLayout>();

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  bindings({ floats, words }: Pages): GPUBindGroupLayout {
    const key = `${floats} ${words}`;
    const known = this.#bindings.get(key);
    if (known !== undefined) return known;
    const compute = 4;
    const entries: GPUBindGroupLayoutEntry[] = [
      { binding: 0, visibility: compute, buffer: { type: "uniform" } },
      { binding: 1, visibility: compute, buffer: { type: "read-only-storage" } },
    ];
    for (let k = 0; k < floats + words; k++) {
      entries.push({ binding: k + 2, visibility: compute, buffer: { type: "storage" } });
    }
    const made = this.#device.createBindGroupLayout({ entries });
    this.#bindings.set(key, made);
    return made;
  }

  /** The pipelines of all dispatches of a layout, by variant and entry. */
  async pipelines({ segments, variants }: Layout, pages: Pages): Promise<Map<string, GPUComputePipeline>> {
    const wanted = new Map<string, Promise<GPUComputePipeline>>();
    for (const { dispatches } of [...segments.values()].flat()) {
      for (const { variant, entry } of dispatches) {
        const key = `${variant} ${entry}`;
        if (!wanted.has(key)) wanted.set(key, this.#pipeline(variants.get(variant)!, entry, pages));
      }
    }
    const keys = [...wanted.keys()];
    const made = await Promise.all(wanted.values());
    return new Map(keys.map((key, k) => [key, made[k]]));
  }

  #pipeline(variant: ShaderVariant, entry: string, pages: Pages): Promise<GPUComputePipeline> {
    const moduleKey = `${variant.name} ${pages.floats} ${pages.words} ${pages.pageWords}`;
    const key = `${moduleKey} ${entry}`;
    const known = this.#pipelines.get(key);
    if (known !== undefined) return known;
    const made = this.#compile(key, this.#module(moduleKey, variant, pages), entry, pages);
    this.#pipelines.set(key, made);
    return made;
  }

  async #compile(key: string, module: GPUShaderModule, entryPoint: string, pages: Pages): Promise<GPUComputePipeline> {
    const layout = this.#device.createPipelineLayout({ bindGroupLayouts: [this.bindings(pages)] });
    try {
      return await this.#device.createComputePipelineAsync({ label: key, layout, compute: { module, entryPoint } });
    } catch (error) {
      const { messages } = await module.getCompilationInfo();
      const [found] = messages.filter(({ type }) => type === "error");
      const reason = found === undefined ? String(error) : `line ${found.lineNum}: ${found.message}`;
      throw new InternalError(`webgpu: the shader ${key} does not compile: ${reason}`);
    }
  }

  #module(key: string, variant: ShaderVariant, pages: Pages): GPUShaderModule {
    const known = this.#modules.get(key);
    if (known !== undefined) return known;
    const { source, launch } = variant.kernel;
    const included = (launch.includes ?? []).map((name) => INCLUDED[name]);
    const made = this.#device.createShaderModule({
      label: key,
      code: shaderSource([...included, source], variant, pages),
    });
    this.#modules.set(key, made);
    return made;
  }
}
