/** The WebGPU engine of tests: it computes on the CPU, with the SwiftShader of Debian's Chromium. */

import { existsSync } from "node:fs";
import type { Engine } from "../../src/engine/engine.js";
import { createWebgpuEngine, type WebgpuOptions } from "../../src/engine/webgpu/webgpu-engine.js";

const DRIVER = "/usr/lib/chromium/vk_swiftshader_icd.json";

// before Dawn loads the Vulkan loader, which reads it
if (process.env.VK_ICD_FILENAMES === undefined && existsSync(DRIVER)) process.env.VK_ICD_FILENAMES = DRIVER;
process.env.HMGE_WEBGPU_SOFTWARE = "1";

let reason = "";
/** Undefined if this machine has no adapter. */
export const webgpu: Engine | undefined = await createWebgpuEngine().catch((error) => {
  reason = String(error.message);
  return undefined;
});

/** Why tests of the engine are skipped. */
export const skipReason = `no WebGPU adapter; .ci/run installs chromium and libvulkan1 (${reason})`;

/** A second engine of the same kind, with other options. */
export const createWebgpu = (options: WebgpuOptions) => createWebgpuEngine(options);
