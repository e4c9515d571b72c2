/** What the contract tests of ops do not reach: memory of several pages, rows with many entries, reads that are queued, limits. */

import { describe, expect, test } from "vitest";
import { createWebgpu, skipReason, webgpu } from "../../../test/support/webgpu.js";
import { Rng } from "../../core/rng.js";
import { gradients } from "../autograd.js";
import type { Engine } from "../engine.js";
import {
  add,
  assign,
  convolve,
  matmul,
  multiply,
  reciprocal,
  reshape,
  scale,
  spmm,
  spmmSum,
  sumRows,
} from "../ops/index.js";
import { type Program, ProgramBuilder, type Tensor } from "../program.js";
import { referenceEngine } from "../reference.js";
import type { SparseOperator } from "../sparse.js";

const NUM_NODES = 1500;
const DIM = 16;

/** A matrix with scales in which every tenth row is empty and row 7 has an entry in every column. */
function hubMatrix(seed: number): SparseOperator {
  const rng = new Rng(seed, "hub");
  const rowStart = [0];
  const columns: number[] = [];
  for (let i = 0; i < NUM_NODES; i++) {
    for (let j = 0; j < NUM_NODES; j++) if (i === 7 || (i % 10 !== 3 && rng.uniform() < 0.003)) columns.push(j);
    rowStart.push(columns.length);
  }
  const scales = () => Float64Array.from({ length: NUM_NODES }, () => Math.fround(0.5 + rng.uniform()));
  return {
    numRows: NUM_NODES,
    numColumns: NUM_NODES,
    rowStart: Uint32Array.from(rowStart),
    columns: Uint32Array.from(columns),
    left: scales(),
    right: scales(),
    diagonal: 0.5,
    symmetric: false,
  };
}

interface Traced {
  readonly program: Program;
  readonly inputs: readonly Tensor[];
  readonly results: readonly Tensor[];
}

/** Sparse and dense products with their gradients; about 1 MB of tensors. */
function traceProducts(): Traced {
  const matrices = [hubMatrix(1), hubMatrix(2)];
  const builder = new ProgramBuilder();
  const x = builder.parameter("x", NUM_NODES, DIM);
  const w = builder.parameter("w", DIM, DIM);
  const mixture = builder.parameter("mixture", 1, 2);
  const bias = builder.constant(new Float64Array(DIM).fill(0.1), 1, DIM);
  let results: Tensor[] = [];
  builder.segment("run", () => {
    const y = convolve(matrices[0], matmul(x, w), bias, 0.5);
    const z = add(spmmSum(matrices, mixture, y), spmm(matrices[1], x));
    const loss = scale(sumRows(reshape(multiply(z, z), NUM_NODES * DIM, 1)), 1e-3);
    results = [y, z, loss, ...gradients(loss, [x, w, mixture]).filter((g) => g !== undefined)];
    return results;
  });
  return { program: builder.finish(), inputs: [x, w, mixture], results };
}

async function runTraced(engine: Engine, { program, inputs, results }: Traced) {
  const executable = await engine.compile(program);
  for (const tensor of inputs) executable.fillSymmetric(tensor, { seed: 3, purpose: tensor.name ?? "" }, 0.5);
  executable.run("run");
  const found = await Promise.all(results.map((tensor) => executable.read(tensor)));
  await executable.dispose();
  return found;
}

function largestError(found: ArrayLike<number>, wanted: ArrayLike<number>): number {
  let [difference, magnitude] = [0, 0];
  for (let i = 0; i < wanted.length; i++) {
    difference = Math.max(difference, Math.abs(found[i] - wanted[i]));
    magnitude = Math.max(magnitude, Math.abs(wanted[i]));
  }
  return difference / magnitude;
}

describe.skipIf(webgpu === undefined)(`webgpu${webgpu === undefined ? `: ${skipReason}` : ""}`, () => {
  test("rows with many entries are cut into chunks; the same program has the same bits in every run", async () => {
    const found = await runTraced(webgpu!, traceProducts());
    const wanted = await runTraced(referenceEngine, traceProducts());
    // float32 sums of up to 96,000 terms that partly cancel
    for (const [k, values] of found.entries())
      expect(largestError(values, wanted[k]), `result ${k}`).toBeLessThan(2e-5);
    expect(await runTraced(webgpu!, traceProducts())).toEqual(found);
  });

  test("tensors may lie on several pages", async () => {
    const paged = await createWebgpu({ maxBindingBytes: 2 ** 18 });
    expect(paged.memoryLimit).toBeLessThan(2 ** 22);
    expect(await runTraced(paged, traceProducts())).toEqual(await runTraced(webgpu!, traceProducts()));
  });

  test("a program that needs more pages than there are is refused", async () => {
    const paged = await createWebgpu({ maxBindingBytes: 2 ** 16 });
    await expect(runTraced(paged, traceProducts())).rejects.toThrow(
      /^memory: this run needs 0.0\d GiB on the GPU; .* allows .* to one program/,
    );
  });

  test("steps and reads are queued: each read sees its own step, and writes wait for the steps before them", async () => {
    const builder = new ProgramBuilder();
    const state = builder.state("state", 1, 3);
    const input = builder.input("input", 1, 3);
    const large = builder.parameter("large", 2000, 3);
    builder.segment("run", () => {
      assign(state, add(state, input));
      return [];
    });
    const executable = await webgpu!.compile(builder.finish());
    const reads: Promise<Float32Array | Float64Array>[] = [];
    for (let step = 1; step <= 4000; step++) {
      executable.write(input, (data) => {
        // the second entry keeps its value
        data[0] = step;
        if (step === 1) data[1] = 1;
      });
      executable.run("run");
      if (step % 1000 === 0) executable.writeRows(large, step / 2 - 1, step / 2, [step, step, step]);
      reads.push(executable.read(state));
    }
    const found = await Promise.all(reads);
    for (const [k, values] of found.entries()) expect([...values]).toEqual([((k + 1) * (k + 2)) / 2, k + 1, 0]);
    expect([...(await executable.readRows(large, Uint32Array.of(1999, 499, 0)))]).toEqual([
      4000, 4000, 4000, 1000, 1000, 1000, 0, 0, 0,
    ]);
    expect([...(await executable.readRows(large, Uint32Array.of(498, 499)))]).toEqual([0, 0, 0, 1000, 1000, 1000]);
  });

  test("of a chain of flat ops, the one whose result is not finite is named", async () => {
    const builder = new ProgramBuilder();
    const x = builder.parameter("x", 3, 4);
    builder.segment("run", () => {
      const finite = scale(x, 2);
      return [finite, reciprocal(finite)];
    });
    const executable = await webgpu!.compile(builder.finish());
    executable.write(x, (data) => data.fill(1));
    expect(await executable.findNonFinite("run")).toBeUndefined();
    executable.write(x, (data) => data.fill(0));
    expect(await executable.findNonFinite("run")).toBe("unary");
    executable.write(x, (data) => data.fill(Number.NaN));
    expect(await executable.findNonFinite("run")).toBe("scale");
    await executable.dispose();
  });

  test("a disposed program can be read until the engine compiles another one", async () => {
    const builder = new ProgramBuilder();
    const state = builder.state("state", 1, 3);
    builder.segment("run", () => []);
    const program = builder.finish();
    const executable = await webgpu!.compile(program);
    await executable.dispose();
    expect([...(await executable.read(state))]).toEqual([0, 0, 0]);
    await webgpu!.compile(program);
    await expect(executable.read(state)).rejects.toThrow(/freed the memory/);
  });
});
