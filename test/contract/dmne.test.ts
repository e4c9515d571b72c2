/** Two steps of DMNE, before and after the coupling, against plain loops. */

import { describe, expect, test } from "vitest";
import { resolveOptions } from "../../src/core/options.js";
import { multiplyHigh, philox, Rng } from "../../src/core/rng.js";
import type { Executable } from "../../src/engine/engine.js";
import { referenceEngine } from "../../src/engine/reference.js";
import { createWasmEngine } from "../../src/engine/wasm/wasm-engine.js";
import { generateSbm } from "../../src/graph/synthetic/sbm.js";
import { partnersOf } from "../../src/models/dmne/agreement.js";
import { dmne } from "../../src/models/dmne/dmne.js";
import type { NamedArrays } from "../../src/nn/model.js";
import { type TrainingProgram, traceTraining } from "../../src/train/training-program.js";
import { relativeError } from "./check-op.js";

type Matrix = readonly (readonly number[])[];
const ZEROS = 4;
const { graph } = generateSbm({ nodes: 40, relations: 3, pIn: 0.08, pOut: 0.01, seed: 1 });
/** The nodes of each relation: not the same ones. */
const own = graph.relations.map(({ rowStart }) =>
  Array.from({ length: graph.numNodes }, (_, i) => i).filter((i) => rowStart[i + 1] > rowStart[i]),
);
const sizes = own.map((nodes) => nodes.length);

const sigma = (x: number) => 1 / (1 + Math.exp(-x));
const transpose = (a: Matrix): Matrix => a[0].map((_, j) => a.map((row) => row[j]));
const product = (a: Matrix, b: Matrix): Matrix => {
  const columns = transpose(b);
  return a.map((row) => columns.map((column) => row.reduce((sum, x, k) => sum + x * column[k], 0)));
};
const layer = (x: Matrix, weight: Matrix, [bias]: Matrix): Matrix =>
  product(x, weight).map((row) => row.map((value, j) => sigma(value + bias[j])));
const sumOfSquares = (a: Matrix) => a.flat().reduce((sum, x) => sum + x * x, 0);
const combine = (a: Matrix, b: Matrix, f: (x: number, y: number) => number): Matrix =>
  a.map((row, i) => row.map((x, j) => f(x, b[i][j])));
const minus = (a: Matrix, b: Matrix) => combine(a, b, (x, y) => x - y);

/** The stored entries of relation d, with their zeros. */
function denseInput(arrays: NamedArrays, d: number): Matrix {
  const a = own[d].map(() => new Array<number>(sizes[d]).fill(0));
  for (let i = 0; i < sizes[d]; i++) {
    for (let e = arrays[`${d}.rowStart`][i]; e < arrays[`${d}.rowStart`][i + 1]; e++) {
      a[i][arrays[`${d}.columns`][e]] = arrays[`${d}.values`][e];
    }
  }
  return a;
}

/** The parameters of now, by name. */
async function readParameters(traced: TrainingProgram, executable: Executable): Promise<(name: string) => Matrix> {
  const all = new Map<string, Matrix>();
  for (const { name, tensor } of traced.parameters) {
    const data = await executable.read(tensor);
    const row = (i: number) => [...data.slice(i * tensor.cols, (i + 1) * tensor.cols)];
    all.set(
      name,
      Array.from({ length: tensor.rows }, (_, i) => row(i)),
    );
  }
  return (name) => {
    const found = all.get(name);
    if (found === undefined) throw new Error(name);
    return found;
  };
}

/** The random columns of each row, from the key of the step. */
function drawnColumns([k0, k1]: Uint32Array, n: number): number[][] {
  const block = new Uint32Array(4);
  const drawn = Array.from({ length: n * ZEROS }, (_, e) => {
    block.set([e >> 1, 0, 0, 0]);
    philox(block, k0, k1);
    return multiplyHigh(block[2 * (e % 2)], n);
  });
  return Array.from({ length: n }, (_, i) => drawn.slice(i * ZEROS, (i + 1) * ZEROS));
}

/** Of the vectors `u` of relation `of`, the rows of the nodes that i and j share. */
function sharedRows(u: Matrix, of: number, i: number, j: number): Matrix {
  const shared = own[i].filter((node) => own[j].includes(node));
  return shared.map((node) => u[own[of].indexOf(node)]);
}

/** α·Σ_{i≠j} R_ij/(n_i·(g−1)) + β·Σ_i ‖U_i − H_i‖²/n_i, by n × n products. */
function vectorObjective(vectors: readonly Matrix[], codes: readonly Matrix[], isProximity: boolean): number {
  let sum = 0;
  vectors.forEach((u, i) => {
    sum += (0.7 * sumOfSquares(minus(u, codes[i]))) / sizes[i];
    vectors.forEach((v, j) => {
      if (i === j) return;
      const [p, f] = [sharedRows(u, i, i, j), sharedRows(v, j, i, j)];
      const apart = isProximity ? minus(product(p, transpose(p)), product(f, transpose(f))) : minus(p, f);
      sum += (0.3 * sumOfSquares(apart)) / (sizes[i] * (vectors.length - 1));
    });
  });
  return sum;
}

/** The update of U_i, with rows of zeros for nodes that are not shared. */
function movedVectors(vectors: readonly Matrix[], i: number, code: Matrix, isProximity: boolean): Matrix {
  const u = vectors[i];
  const term = (v: Matrix) => (isProximity ? product(v, product(transpose(v), u)) : v);
  let pull: Matrix = code.map((row) => row.map((h) => 0.7 * h));
  let push: Matrix = u.map((row) => row.map((x) => 0.7 * x));
  vectors.forEach((v, j) => {
    if (i === j) return;
    const weight = ((isProximity ? 2 : 1) * 0.3 * (1 + sizes[i] / sizes[j])) / (vectors.length - 1);
    const f = own[i].map((node, row) => (own[j].includes(node) ? v[own[j].indexOf(node)] : u[row].map(() => 0)));
    const p = u.map((row, k) => (own[j].includes(own[i][k]) ? row : row.map(() => 0)));
    pull = combine(pull, term(f), (x, y) => x + weight * y);
    push = combine(push, term(p), (x, y) => x + weight * y);
  });
  const exponent = isProximity ? 0.25 : 0.5;
  return u.map((row, k) => row.map((x, c) => x * (pull[k][c] / push[k][c]) ** exponent));
}

describe.each([referenceEngine, await createWasmEngine({ threads: 2 })])("$description", (engine) => {
  test.each(["proximity", "vectors"] as const)("two steps with agreement on %s", async (variant) => {
    const settings = { dim: 4, hidden: 6, inputs: 9, zeros: ZEROS, warmup: 1, agreement: 0.3, coupling: 0.7, variant };
    const options = resolveOptions(dmne.options, "dmne", settings);
    const arrays = await dmne.precompute?.(graph, options, { engine: referenceEngine, seed: 1 });
    if (arrays === undefined) throw new Error("no inputs");
    const traced = traceTraining(dmne, graph, options, { weightDecay: 0, arrays });
    const executable = await engine.compile(traced.program);
    for (const { name, tensor, initializer } of traced.parameters) {
      executable.write(tensor, (data) => {
        if (!(data instanceof Uint32Array)) initializer(data, new Rng(1, name));
      });
    }
    const inputs = graph.relations.map((_, d) => denseInput(arrays, d));
    let parameters = await readParameters(traced, executable);
    const codesNow = () =>
      inputs.map((a, d) => {
        const p = (name: string) => parameters(`${d}.${name}`);
        return layer(layer(a, p("W1"), p("b1")), p("W2"), p("b2"));
      });
    const step = (number: number) => {
      const keys = traced.program.randomInputs.map(({ tensors, purpose, fill }) => {
        const words = new Uint32Array(2);
        fill([words], new Rng(1, purpose, number));
        executable.write(tensors[0], (data) => data.set(words));
        return words;
      });
      executable.write(traced.schedule, (data) => data.set([0.05, 1 - 0.9 ** number, 1 - 0.999 ** number]));
      executable.run("step");
      return keys;
    };
    /** Â at the parameters of now. */
    const reconstructed = (codes: readonly Matrix[]) =>
      codes.map((code, d) => {
        const p = (name: string) => parameters(`${d}.${name}`);
        return layer(layer(code, p("W3"), p("b3")), transpose(p("W4")), transpose(p("b4")));
      });
    const lossOf = (decoded: readonly Matrix[], keys: readonly Uint32Array[], apart: number) =>
      inputs.reduce((sum, a, d) => {
        let squares = 0;
        const drawn = drawnColumns(keys[d], sizes[d]);
        a.forEach((row, i) => {
          row.forEach((x, j) => {
            squares += x * x - 2 * x * decoded[d][i][j];
          });
          for (const j of drawn[i]) squares += (sizes[d] / ZEROS) * decoded[d][i][j] ** 2;
        });
        return sum + squares / sizes[d];
      }, apart);

    expect(new Set(sizes).size).toBeGreaterThan(1);
    // the first step: no coupling, U becomes the codes
    const first = codesNow();
    const firstDecoded = reconstructed(first);
    const expectedFirst = lossOf(firstDecoded, step(1), 0);
    // float32 throughout
    expect(relativeError(await executable.read(traced.loss), [expectedFirst])).toBeLessThan(1e-4);
    parameters = await readParameters(traced, executable);
    const before = graph.relations.map((_, d) => parameters(`${d}.U`));
    before.forEach((u, d) => {
      expect(relativeError(u.flat(), first[d].flat())).toBeLessThan(1e-5);
    });

    // the second: coupled, and U moves relation by relation
    const codes = codesNow();
    const decoded = reconstructed(codes);
    const apart = codes.reduce((sum, code, d) => sum + (0.7 * sumOfSquares(minus(before[d], code))) / sizes[d], 0);
    const expectedSecond = lossOf(decoded, step(2), apart);
    expect(relativeError(await executable.read(traced.loss), [expectedSecond])).toBeLessThan(1e-4);
    parameters = await readParameters(traced, executable);
    const vectors: Matrix[] = [...before];
    const isProximity = variant === "proximity";
    for (let i = 0; i < vectors.length; i++) {
      const objective = vectorObjective(vectors, codes, isProximity);
      vectors[i] = movedVectors(vectors, i, codes[i], isProximity);
      expect(vectorObjective(vectors, codes, isProximity)).toBeLessThan(objective);
    }
    vectors.forEach((u, d) => {
      expect(relativeError(parameters(`${d}.U`).flat(), u.flat())).toBeLessThan(1e-4);
    });
    await executable.dispose();
  });
});

test("partners are all others, or stand on both sides of the ring; they are mutual", () => {
  expect(partnersOf(0, 3, 8)).toEqual([1, 2]);
  expect(partnersOf(0, 1, 8)).toEqual([]);
  expect(partnersOf(0, 10, 3)).toEqual([1, 9]);
  expect(partnersOf(2, 10, 4).sort((a, b) => a - b)).toEqual([0, 1, 3, 4]);
  for (const numRelations of [2, 5, 8, 9, 10, 20]) {
    for (let i = 0; i < numRelations; i++) {
      const partners = partnersOf(i, numRelations, 8);
      expect(new Set([...partners, i]).size).toBe(Math.min(8, numRelations - 1) + 1);
      for (const j of partners) expect(partnersOf(j, numRelations, 8)).toContain(i);
    }
  }
});
