/** The WebGPU engine when it is used by two runs at once, when its device is lost, and when a run is read too late. */

import { describe, expect, test } from "vitest";
import type { Engine } from "../src/engine/engine.js";
import { generateSbm } from "../src/graph/synthetic/sbm.js";
import { pmne } from "../src/models/pmne.js";
import { train } from "../src/train/train.js";
import { createWebgpu, findAnyAdapter, skipReason, webgpu } from "./support/webgpu.js";

const { graph } = generateSbm({ nodes: 60, relations: 2, pIn: 0.3, pOut: 0.05, seed: 1 });
const trainOn = (engine: Engine, seed: number) => train(graph, pmne, { dim: 4, epochs: 4, seed, engine });

describe.sequential("the engine webgpu", () => {
  test("serves two runs at once with the bits of one after the other", async ({ skip }) => {
    if (webgpu === undefined) return skip(skipReason);
    const together = await Promise.all([trainOn(webgpu, 1), trainOn(webgpu, 2)]);
    for (const [r, run] of together.entries()) {
      const alone = await trainOn(webgpu, r + 1);
      expect(run.embedding.vectors).toEqual(alone.embedding.vectors);
      expect(run.losses).toEqual(alone.losses);
    }
    expect(together[0].losses).not.toEqual(together[1].losses);
    // its memory belongs to a later run by now
    await expect(together[0].parameters()).rejects.toThrow(
      "engine: webgpu has freed the memory of this run for a later one; read its parameters before the next run starts.",
    );
  }, 300_000);

  test("stops a run whose device is lost, and all later runs, with one line", async ({ skip }) => {
    const adapter = await findAnyAdapter();
    if (adapter === undefined) return skip(skipReason);
    const device = await adapter.requestDevice();
    const engine = await createWebgpu({ adapter, device });
    const message = /^engine: the GPU .* was lost \(.*\): .* Try again, or use --engine wasm\.$/;
    const onEpoch = ({ epoch }: { epoch: number }) => {
      if (epoch === 2) device.destroy();
    };
    await expect(train(graph, pmne, { dim: 4, epochs: 1000, engine, onEpoch })).rejects.toThrow(message);
    await expect(trainOn(engine, 1)).rejects.toThrow(message);
  }, 300_000);
});
