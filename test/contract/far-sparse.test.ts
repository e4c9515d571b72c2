/**
 * Sparse products whose source fits no cache take another path through the kernels: no packed copy, all tiles of a row together.
 * The op cases are too small for that path.
 */

import { expect, test } from "vitest";
import { Rng } from "../../src/core/rng.js";
import { gradients } from "../../src/engine/autograd.js";
import { type Engine, readAll } from "../../src/engine/engine.js";
import { add, convolve, multiply, reshape, spmm, spmmSum, sumRows } from "../../src/engine/ops/index.js";
import { ProgramBuilder } from "../../src/engine/program.js";
import { referenceEngine } from "../../src/engine/reference.js";
import type { SparseOperator } from "../../src/engine/sparse.js";
import { engines as all } from "./replay.js";

/** The engines whose kernels have such a path. */
const engines = all.filter(({ name }) => name === "wasm");
/** Number of nodes: above the limit of the kernels (FAR_ROWS), and not a multiple of a block. */
const NODES = 65_579;
/** Width of the vectors: one whole tile, and a tile of whole vectors and single floats. */
const WIDTH = 39;

/** A directed graph with an empty row, a hub with more neighbours than the kernel touches ahead, and three edges per node. */
function randomMatrix(purpose: string, weighted: boolean): SparseOperator {
  const rng = new Rng(1, purpose);
  const rowStart = new Uint32Array(NODES + 1);
  const columns: number[] = [];
  for (let i = 0; i < NODES; i++) {
    const degree = i === 5 ? 0 : i === 70 ? 37 : 3;
    const row = Array.from({ length: degree }, () => rng.below(NODES)).sort((a, b) => a - b);
    columns.push(...row);
    rowStart[i + 1] = columns.length;
  }
  const scales = () => Float64Array.from({ length: NODES }, () => Math.fround(0.5 + rng.uniform()));
  return {
    numRows: NODES,
    numColumns: NODES,
    rowStart,
    columns: Uint32Array.from(columns),
    values: weighted ? Float32Array.from(columns, () => rng.uniform()) : undefined,
    left: scales(),
    right: weighted ? undefined : scales(),
    diagonal: weighted ? 0 : 1.5,
    symmetric: false,
  };
}

function randomValues(purpose: string, length: number): Float32Array {
  const rng = new Rng(2, purpose);
  return Float32Array.from({ length }, () => rng.uniform() - 0.3);
}

// drawn once for all engines, because the draws take longer than the products
const [plain, weighted] = [randomMatrix("plain", false), randomMatrix("weighted", true)];
const inputs: Readonly<Record<string, Float32Array>> = {
  x: randomValues("x", NODES * WIDTH),
  b: randomValues("b", WIDTH),
  w: randomValues("w", 2),
  factor: randomValues("factor", NODES * WIDTH),
};

async function compute(engine: Engine): Promise<ArrayLike<number>[]> {
  const builder = new ProgramBuilder();
  const x = builder.parameter("x", NODES, WIDTH);
  const b = builder.parameter("b", 1, WIDTH);
  const w = builder.parameter("w", 1, 2);
  const factor = builder.parameter("factor", NODES, WIDTH);
  let results = [x];
  builder.segment("run", () => {
    const single = spmm(plain, x);
    const active = add(convolve(plain, single, b, 0.5), convolve(weighted, single, b));
    const sum = spmmSum([plain, weighted], w, active);
    const loss = sumRows(reshape(multiply(sum, factor), NODES * WIDTH, 1));
    const [dx, db, dw] = gradients(loss, [x, b, w]);
    results = [sum, dx!, db!, dw!];
    return results;
  });
  const executable = await engine.compile(builder.finish());
  for (const tensor of [x, b, w, factor]) {
    executable.write(tensor, (data) => data.set(inputs[tensor.name ?? ""]));
  }
  executable.run("run");
  const found = await readAll(executable, results);
  await executable.dispose();
  return found;
}

test("products with a far source agree with the reference, for any number of threads", async () => {
  const expected = await compute(referenceEngine);
  const found = [];
  for (const engine of engines) found.push(await compute(engine));
  for (const results of found) {
    results.forEach((values, r) => {
      let largest = 0;
      let size = 0;
      for (let i = 0; i < values.length; i++) {
        largest = Math.max(largest, Math.abs(values[i] - expected[r][i]));
        size = Math.max(size, Math.abs(expected[r][i]));
      }
      // float32: some tens of roundings of 6e-8; the gradient of the weights sums millions of terms
      expect(largest / size).toBeLessThan(1e-5);
    });
  }
  const [, one, two] = found;
  two.forEach((values, r) => {
    let differing = 0;
    for (let i = 0; i < values.length; i++) if (values[i] !== one[r][i]) differing++;
    expect(differing).toBe(0);
  });
}, 60_000);
