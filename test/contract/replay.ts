/** Replays a small program with random inputs once; shared by the tests of index ops. */

import { expect } from "vitest";
import { Rng } from "../../src/core/rng.js";
import { type Engine, readAll } from "../../src/engine/engine.js";
import { ProgramBuilder, type Tensor } from "../../src/engine/program.js";
import { referenceEngine } from "../../src/engine/reference.js";
import { createWasmEngine } from "../../src/engine/wasm/wasm-engine.js";
import { webgpu } from "../support/webgpu.js";

export const engines = [
  await createWasmEngine({ threads: 1, relaxed: false }),
  await createWasmEngine({ threads: 1, relaxed: true }),
  await createWasmEngine({ threads: 2 }),
  ...(webgpu === undefined ? [] : [webgpu]),
];

/** The values of the tensors that `trace` returns, after one replay. */
export async function replay(engine: Engine, seed: number, trace: (builder: ProgramBuilder) => readonly Tensor[]) {
  const builder = new ProgramBuilder();
  let results: readonly Tensor[] = [];
  builder.segment("run", () => (results = trace(builder)));
  const program = builder.finish();
  const executable = await engine.compile(program);
  for (const { tensors, fill, purpose } of program.randomInputs) {
    const arrays = tensors.map((tensor) => new Uint32Array(tensor.rows * tensor.cols));
    fill(arrays, new Rng(seed, purpose));
    tensors.forEach((tensor, k) => {
      executable.write(tensor, (data) => data.set(arrays[k]));
    });
  }
  executable.run("run");
  const found = (await readAll(executable, results)).map((data) => [...data]);
  await executable.dispose();
  return found;
}

/** Expects the same indices on the engine and in the reference. */
export async function expectEqual(engine: Engine, trace: (builder: ProgramBuilder) => readonly Tensor[]) {
  const [found, expected] = await Promise.all([engine, referenceEngine].map((e) => replay(e, 4, trace)));
  expect(found).toEqual(expected);
}
