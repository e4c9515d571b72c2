/** `hmge` on the engine webgpu: choice of the engine, refusals, a device that is lost, other engines on resume, bench and inspect. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { root } from "../support/repository.js";
import { skipReason, webgpu } from "../support/webgpu.js";
import { documentOf, hmgeInProcess, refusalOf } from "./in-process.js";
import { hmge, listFolder, temporaryFolder, writeSmallGraph } from "./program.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const edges = writeSmallGraph(folder, { nodes: 60, perRelation: 200 });
const ENV = { HMGE_WEBGPU_SOFTWARE: "1", HMGE_BOUNDS_CHECKS: "" };
/** SwiftShader compiles the shaders of a training for several seconds, and test files share the cores. */
const SLOW = 300_000;

describe("the choice of an engine", () => {
  afterEach(() => {
    delete process.env["HMGE_ENGINE"];
  });

  it("comes from HMGE_ENGINE, unless it is empty, and an unknown name is refused in one line", async () => {
    const command = ["embed", edges, "--epochs", "1", "--dim", "4", "--no-report", "--model", "hmge"];
    const kernels = async (name: string) => {
      const record: unknown = await documentOf([...command, "--out", at(name)]);
      return record;
    };
    process.env["HMGE_ENGINE"] = "reference";
    expect(await kernels("by-variable")).toMatchObject({ engine: { kernels: "reference float64" } });
    process.env["HMGE_ENGINE"] = "";
    expect(await kernels("by-default")).toMatchObject({ engine: { kernels: expect.stringMatching(/^wasm/) } });
    process.env["HMGE_ENGINE"] = "webgup";
    expect(await refusalOf([...command, "--out", at("refused")])).toBe(
      'HMGE_ENGINE: unknown engine "webgup"; did you mean "webgpu"?',
    );
    expect(existsSync(at("refused"))).toBe(false);
  });

  it("is refused with several ranks before anything is read", async () => {
    const command = ["embed", at("missing.csv"), "--ranks", "2", "--out", at("ranks")];
    const reason = "webgpu runs in one process only; with several ranks choose wasm.";
    expect(await refusalOf([...command, "--engine", "webgpu"])).toBe(`--engine: ${reason}`);
    process.env["HMGE_ENGINE"] = "webgpu";
    expect(await refusalOf(command)).toBe(`HMGE_ENGINE: ${reason}`);
  });

  it("can change on resume only by a flag, which belongs to --resume", async () => {
    expect(await refusalOf(["embed", edges, "--allow-other-engine", "--out", at("flag")])).toBe(
      "--allow-other-engine: belongs to --resume, which is not given.",
    );
    const command = ["embed", edges, "--model", "hmge", "--dim", "4", "--no-report", "--out", at("other")];
    expect((await hmgeInProcess([...command, "--epochs", "2"])).code).toBe(0);
    const resumed = [...command, "--epochs", "4", "--resume", "--engine", "reference"];
    expect(await refusalOf(resumed)).toMatch(
      /^checkpoint: made with the engine wasm.*, this run has reference float64\. .* add --allow-other-engine: the vectors then differ/,
    );
    const { code, stderr } = await hmgeInProcess([...resumed, "--allow-other-engine"]);
    expect(stderr).toMatch(/note: epochs were trained with wasm.*: the vectors differ from those of an unbroken run/);
    expect(code).toBe(0);
    const { engine, epochs } = recordOf("other");
    expect(epochs).toBe(4);
    expect(engine.earlierKernels).toEqual([expect.stringMatching(/^wasm/)]);
  });
});

function recordOf(name: string) {
  return JSON.parse(readFileSync(join(at(name), "run.json"), "utf8"));
}

describe("hmge on webgpu", () => {
  /** A test in which the program finds SwiftShader. */
  function testOnGpu(name: string, run: () => Promise<void>): void {
    it(
      name,
      async ({ skip }) => {
        if (webgpu === undefined) return skip(skipReason);
        await run();
      },
      SLOW,
    );
  }
  const embed = (name: string, ...more: string[]) => [
    ...["embed", edges, "--model", "hmge", "--dim", "8", "--no-report", "--engine", "webgpu", "--out", at(name)],
    ...more,
  ];

  it("refuses a machine without GPU in one line, before Dawn prints warnings", async ({ skip }) => {
    if (readdirSync("/dev").some((name) => /^(nvidia\d|dri$|dxg$)/.test(name))) return skip("this machine has a GPU");
    const none = await hmge(embed("refused"), { env: { HMGE_WEBGPU_SOFTWARE: "", VK_ICD_FILENAMES: "/none.json" } });
    expect(none).toMatchObject({ code: 2, stdout: "" });
    expect(none.stderr).toMatch(
      /^hmge: engine: webgpu finds no GPU here \(no \/dev\/[^\n]*, use the engine wasm, [^\n]*\n$/,
    );
    expect(existsSync(at("refused"))).toBe(false);
  });

  testOnGpu("refuses an adapter on the CPU, and a name that no adapter has, in one line", async () => {
    const software = await hmge(embed("refused"), {
      env: { HMGE_WEBGPU_SOFTWARE: "", HMGE_WEBGPU_ADAPTER: "SwiftShader" },
    });
    expect(software).toMatchObject({ code: 2, stdout: "" });
    expect(software.stderr).toMatch(
      /^hmge: engine: the only WebGPU adapter is .*, which computes on the CPU [^\n]*\n$/,
    );
    const unknown = await hmge(embed("refused"), { env: { ...ENV, HMGE_WEBGPU_ADAPTER: "none such" } });
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toMatch(/^hmge: HMGE_WEBGPU_ADAPTER: no adapter has "none such" in its name; [^\n]*\n$/);
    expect(existsSync(at("refused"))).toBe(false);
  });

  testOnGpu("keeps the checkpoint when the device is lost, and resumes from it", async () => {
    const words = ["--epochs", "400", "--patience", "400", "--checkpoint-every", "0"];
    const checkpoint = join(at("lost"), "checkpoint", "state.safetensors");
    const lost = await hmge(embed("lost", ...words, "--quiet"), {
      env: {
        ...ENV,
        LOSE_DEVICE_AT: checkpoint,
        NODE_OPTIONS: `--import ${pathToFileURL(join(root, "test/support/lose-device.mjs")).href}`,
      },
    });
    expect(lost.stderr).toMatch(
      /^hmge: engine: the GPU .* was lost \([^\n]*The training is saved in [^\n]*checkpoint; repeat the command with --resume to continue\.\n$/,
    );
    expect([lost.code, lost.stdout]).toEqual([2, ""]);
    expect(listFolder(at("lost"))).toEqual(["checkpoint"]);
    const onCpu = embed("lost", ...words, "--resume", "--quiet", "--json").map((word) => {
      return word === "webgpu" ? "wasm" : word;
    });
    expect((await hmge(onCpu)).stderr).toMatch(/^hmge: checkpoint: made with the engine webgpu .*\n$/);
    const allowed = await hmge([...onCpu, "--allow-other-engine"]);
    expect(allowed.code).toBe(0);
    expect(JSON.parse(allowed.stdout)).toMatchObject({
      epochs: 400,
      engine: { earlierKernels: [expect.stringMatching(/^webgpu/)] },
    });
  });

  testOnGpu("says in inspect what a run needs on the device, and estimates no time", async () => {
    const { code, stdout } = await hmge(["inspect", edges, "--model", "hmge", "--engine", "webgpu"], { env: ENV });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}GPU memory {2}[\d.]+ [kM]B on .*, which allows a run [\d.]+ GB$/m);
    expect(stdout).toContain("no estimate for webgpu yet");
  });

  testOnGpu("lists the adapters in bench, and measures the limits of the one in use", async () => {
    const words = ["bench", "--engine", "webgpu", "--no-kernels", "--shapes", "none", "--samples", "1", "--json"];
    const { code, stdout } = await hmge(words, { env: ENV });
    expect(code).toBe(0);
    const { adapters, engines, limits } = JSON.parse(stdout);
    expect(adapters).toContainEqual({ name: expect.any(String), software: true, used: true });
    expect(engines).toEqual([expect.stringMatching(/^wasm/), expect.stringMatching(/^webgpu/)]);
    for (const { multiplyAdds, bytes } of limits) {
      expect(multiplyAdds).toBeGreaterThan(1e6);
      expect(bytes).toBeGreaterThan(1e6);
    }
  });
});
