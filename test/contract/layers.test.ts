/** Models that show the vectors after each layer. */

import { describe, expect, test } from "vitest";
import { generateSbm } from "../../src/graph/synthetic/sbm.js";
import * as models from "../../src/models/index.js";
import type { Model } from "../../src/nn/model.js";
import { startRun } from "../../src/train/train.js";

const { graph } = generateSbm({ nodes: 50, relations: 3, pIn: 0.3, pOut: 0.05, seed: 3 });

async function layersOf(model: Model, settings: Record<string, unknown>) {
  const run = await startRun(graph, model, { epochs: 4, seed: 2, threads: 1, ...settings });
  try {
    for await (const _ of run);
    return { layers: await run.layers(), embedding: await run.readEmbedding() };
  } finally {
    await run.dispose();
  }
}

describe("layers", () => {
  const showing: Model[] = Object.values(models).filter((model) => model.layers !== undefined);

  test.each(showing)("of $name end in the embedding, for every preset", async (model) => {
    for (const preset of Object.keys(model.presets)) {
      const { layers, embedding } = await layersOf(model, { preset, withLayers: true });
      expect(layers.length).toBeGreaterThan(1);
      expect(new Set(layers.map(({ name }) => name)).size).toBe(layers.length);
      expect(layers.at(-1)?.embedding).toEqual(embedding);
      for (const { embedding: each } of layers) expect(each.vectors.length).toBe(graph.numNodes * each.dim);
    }
  });

  test("of hmge are input, levels and final convolution", async () => {
    const names = async (settings: Record<string, unknown>) =>
      (await layersOf(models.hmge, { withLayers: true, ...settings })).layers.map(({ name }) => name);
    expect(await names({})).toEqual(["input", "level 1", "final"]);
    expect(await names({ sizes: [2, 1], finalConvolution: false })).toEqual(["input", "level 1", "level 2"]);
    expect(await names({ preset: "reference" })).toEqual(["shared input", "level 1", "final"]);
  });

  test("are absent unless requested", async () => {
    expect((await layersOf(models.hmge, {})).layers).toEqual([]);
  });
});
