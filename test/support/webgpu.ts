/** The WebGPU engine of tests: it computes on the CPU, with the SwiftShader of Debian's Chromium. */

import { existsSync } from "node:fs";
import type { Engine } from "../../src/engine/engine.js";
import { listAdapters } from "../../src/engine/webgpu/adapter.js";
import { createWebgpuEngine, type WebgpuOptions } from "../../src/engine/webgpu/webgpu-engine.js";

const DRIVER = "/usr/lib/chromium/vk_swiftshader_icd.json";

// before Dawn loads the Vulkan loader, which reads it
if (process.env.VK_ICD_FILENAMES === undefined && existsSync(DRIVER)) process.env.VK_ICD_FILENAMES = DRIVER;

let reason = "Dawn finds none";
/** An adapter of this machine, also one that computes on the CPU; each gives one device. */
export async function findAnyAdapter(): Promise<GPUAdapter | undefined> {
  const [first] = await listAdapters().catch((error) => {
    reason = String(error.message);
    return [];
  });
  return first;
}

const adapter = await findAnyAdapter();
/** Undefined if this machine has no adapter. */
export const webgpu: Engine | undefined = adapter && (await createWebgpuEngine({ adapter }));

/** Why tests of the engine are skipped. */
export const skipReason = `no WebGPU adapter; .ci/run installs chromium and libvulkan1 (${reason})`;

/** A second engine of the same kind, with other options. */
export const createWebgpu = async (options: WebgpuOptions) =>
  createWebgpuEngine({ adapter: await findAnyAdapter(), ...options });
