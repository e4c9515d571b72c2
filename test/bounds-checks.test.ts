/** All other tests run kernels with bounds checks. On some platforms users run them without, and so do these tests. */

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { hmge, temporaryFolder, writeSmallGraph } from "./cli/program.js";

const ENGINE = new URL("../dist/engine/wasm/wasm-engine.js", import.meta.url).href;

test("WebAssembly modules of other libraries keep their bounds checks", async () => {
  // (module (memory 1 1) (func (export "f") (param i32) (result i32) (i32.load (local.get 0))))
  const module = [0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 127, 1, 127, 3, 2, 1, 0, 5, 4, 1, 1, 1, 1, 7, 5, 1, 1];
  const body = [102, 0, 0, 10, 9, 1, 7, 0, 32, 0, 40, 2, 0, 11];
  const program = `
    const { createWasmEngine } = await import("${ENGINE}");
    await createWasmEngine({ threads: 1 });
    const module = new WebAssembly.Module(Uint8Array.of(${[...module, ...body]}));
    const { f } = new WebAssembly.Instance(module).exports;
    for (let i = 0; i < 1e6; i++) f(0);
    try { console.log(f(0x10000)); } catch (error) { console.log(error.name); }`;
  const env = { ...process.env, HMGE_BOUNDS_CHECKS: "0" };
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], { env });
  expect(stdout.trim()).toBe("RuntimeError");
});

/** On other platforms kernels always have the same checks, so there is nothing to compare. */
const checksCanBeOff = process.arch !== "x64" && Number.parseInt(process.versions.node, 10) < 22;

async function sameBits(): Promise<void> {
  const folder = temporaryFolder();
  const edges = writeSmallGraph(folder);
  const vectors = async (checks: string) => {
    const out = join(folder, checks);
    const words = [
      "embed",
      edges,
      "--dim",
      "16",
      "--epochs",
      "5",
      "--format",
      "npy",
      "--no-report",
      "--quiet",
      "--out",
      out,
    ];
    expect(await hmge(words, { env: { HMGE_BOUNDS_CHECKS: checks } })).toMatchObject({ code: 0 });
    return readFileSync(join(out, "embeddings.npy"));
  };
  expect(await vectors("0")).toEqual(await vectors("1"));
}

if (checksCanBeOff) test("the same bits with and without checks", sameBits);
