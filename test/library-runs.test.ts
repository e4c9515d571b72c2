/** Runs of a program of one's own: callbacks that take time, engines that are used again, what is refused and when. */

import { describe, expect, it } from "vitest";
import { referenceEngine } from "../src/engine/reference.js";
import * as hmge from "../src/index.js";
import { call } from "./support/untyped.js";

const { graph } = hmge.generateSbm({ nodes: 60, relations: 2, pIn: 0.4, pOut: 0.05, seed: 1 });
const settings = { dim: 4, epochs: 3, threads: 1 };

/** The reference engine, and how many of its programs are not disposed of. */
function countingEngine() {
  const counts = { compiled: 0, held: 0 };
  const engine: hmge.Engine = {
    ...referenceEngine,
    compile: async (program) => {
      counts.compiled++;
      counts.held++;
      const executable = await referenceEngine.compile(program);
      const end = executable.dispose.bind(executable);
      executable.dispose = () => end().then(() => void counts.held--);
      return executable;
    },
  };
  return { engine, counts };
}

describe("callbacks that return promises", () => {
  const failing = async () => {
    throw new Error("said by the callback");
  };

  it.each([
    ["onEpoch", hmge.hmge],
    ["onStep", hmge.multiview],
  ])("fail the training from %s, and end its threads", async (name, model) => {
    const { engine, counts } = countingEngine();
    const training = hmge.train<hmge.OptionSchema, unknown, unknown>(graph, model, {
      ...settings,
      engine,
      [name]: failing,
    });
    await expect(training).rejects.toThrow("said by the callback");
    expect(counts).toEqual({ compiled: 1, held: 0 });
  });

  it("fail it from onPart as well", async () => {
    const { engine, counts } = countingEngine();
    const names = ["a", "b"];
    const features = {
      names,
      numColumns: 2,
      rowStart: Uint32Array.from({ length: 61 }, (_, i) => i),
      columns: Uint32Array.from({ length: 60 }, (_, i) => i % 2),
    };
    const training = hmge.train({ ...graph, features }, hmge.multiview, { ...settings, engine, onPart: failing });
    await expect(training).rejects.toThrow("said by the callback");
    expect(counts.compiled).toBeGreaterThan(0);
    expect(counts.held).toBe(0);
  });

  it("are awaited before the next epoch", async () => {
    const heard: string[] = [];
    const run = await hmge.train(graph, hmge.hmge, {
      ...settings,
      onEpoch: async ({ epoch }, { numEpochs }) => {
        heard.push(`${epoch} of ${numEpochs}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        heard.push("end");
      },
    });
    expect(heard).toEqual(["1 of 1", "end", "2 of 2", "end", "3 of 3", "end"]);
    expect(run.embedding).toEqual((await hmge.train(graph, hmge.hmge, settings)).embedding);
  });

  it("fail a map", async () => {
    const run = await hmge.train(graph, hmge.hmge, settings);
    await expect(hmge.tsne(run.embedding, { onProgress: failing })).rejects.toThrow("said by the callback");
  });

  it("are refused where the work does not wait", async () => {
    const { embedding } = await hmge.train(graph, hmge.hmge, settings);
    const labels = { byNode: new Map(graph.ids.map((id, i) => [id, [`${i % 2}`]])), names: ["0", "1"] };
    const classify = () => hmge.classifyNodes([embedding], labels, { split: { train: 0.5 }, onProgress: failing });
    expect(classify).toThrow("classify: onProgress: it returned a promise");
  });

  it("are functions", async () => {
    await expect(call(hmge.train, graph, hmge.hmge, { onEpoch: 5 })).rejects.toThrow(
      "hmge: onEpoch is 5; expected a function.",
    );
  });
});
