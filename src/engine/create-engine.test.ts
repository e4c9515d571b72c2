import { availableParallelism } from "node:os";
import { expect, it } from "vitest";
import { createEngine } from "./create-engine.js";

it("starts at most one thread per available CPU", async () => {
  const available = availableParallelism();
  expect((await createEngine("auto", 1000)).numThreads).toBe(available);
  expect((await createEngine("wasm", 1)).numThreads).toBe(1);
  expect((await createEngine("wasm")).numThreads).toBe(available);
});

it("rejects a number of threads that is not a whole number of at least 1", async () => {
  for (const threads of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    await expect(createEngine("auto", threads)).rejects.toThrow(/threads: .*; expected a whole number of at least 1\./);
  }
});
