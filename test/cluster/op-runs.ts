/** Runs cases on an engine, forwards and backwards; returns hashes of the bits of all results. */

import { createHash } from "node:crypto";
import { Rng } from "../../src/core/rng.js";
import { gradients } from "../../src/engine/autograd.js";
import { type Engine, readAll } from "../../src/engine/engine.js";
import { rowDots, sumRows } from "../../src/engine/ops/index.js";
import { type Program, ProgramBuilder, type Tensor } from "../../src/engine/program.js";
import type { ClusterCase } from "./cluster-cases.js";

/** The program of a case: value, loss and gradients in the segment "run". */
function traceCase({ numNodes, shapes, build }: ClusterCase): {
  readonly program: Program;
  readonly inputs: readonly Tensor[];
  readonly results: readonly Tensor[];
} {
  const builder = new ProgramBuilder(numNodes);
  const inputs = shapes.map(([rows, cols], i) => builder.parameter(`x${i}`, rows, cols));
  // a parameter with several rows per node is an input: only parameters with one row per node are divided
  const read = shapes.map(([rows, cols], i) =>
    rows > numNodes && rows % numNodes === 0 ? builder.input(`x${i}`, rows, cols) : inputs[i],
  );
  let results: Tensor[] = [];
  builder.segment("run", () => {
    const output = build(read, builder);
    const { rows, cols } = output;
    const loss = sumRows(rowDots(output, builder.constant(weightsOf(rows * cols), rows, cols)));
    results = [output, loss, ...gradients(loss, read).filter((g) => g !== undefined)];
    return results;
  });
  return { program: builder.finish(), inputs: read, results };
}

let weights = new Float32Array(0);

/** Random numbers from −1 to 1. They are drawn once for all cases, because drawing them takes longer than most cases. */
function weightsOf(count: number): Float32Array {
  if (weights.length < count) {
    weights = new Float32Array(count);
    new Rng(11, "weights").fillSymmetric(weights, 1);
  }
  return weights.slice(0, count);
}

/** A hash of the bits of each result. */
export async function runCase(opCase: ClusterCase, engine: Engine): Promise<string[]> {
  const { program, inputs, results } = traceCase(opCase);
  const executable = await engine.compile(program);
  inputs.forEach((input, k) => {
    const stream = { seed: 5, purpose: `x${k}` };
    if (k % 2 === 0) executable.fillSymmetric(input, stream, 1);
    else {
      executable.write(input, (data) => {
        if (!(data instanceof Uint32Array)) new Rng(stream.seed, stream.purpose).fillSymmetric(data, 1);
      });
    }
  });
  for (const { purpose, tensors, fill } of program.randomInputs) {
    const arrays = tensors.map((tensor) => new Uint32Array(tensor.rows * tensor.cols));
    fill(arrays, new Rng(3, purpose, 0));
    tensors.forEach((tensor, k) => {
      executable.write(tensor, (data) => data.set(arrays[k]));
    });
  }
  executable.run("run");
  const hashes = (await readAll(executable, results)).map(hashOf);
  await executable.dispose();
  return hashes;
}

/** The first 12 digits of the SHA-256 of the bits. */
export function hashOf(data: Float32Array | Float64Array | Uint32Array): string {
  return createHash("sha256")
    .update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    .digest("hex")
    .slice(0, 12);
}
