import { availableParallelism } from "node:os";
import { expect, it } from "vitest";
import { createEngine } from "./create-engine.js";

it("starts no more threads than the machine runs at once", async () => {
  const most = availableParallelism();
  expect((await createEngine("auto", 1000)).numThreads).toBe(most);
  expect((await createEngine("wasm", 1)).numThreads).toBe(1);
  expect((await createEngine("wasm")).numThreads).toBe(most);
});

it("refuses numbers of threads that are no whole numbers of at least 1", async () => {
  for (const threads of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    await expect(createEngine("auto", threads)).rejects.toThrow(/threads: .*; expected a whole number of at least 1\./);
  }
});
