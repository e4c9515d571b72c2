import { afterAll, describe, expect, test } from "vitest";
import { Rng } from "../../src/core/rng.js";
import * as ops from "../../src/engine/ops/index.js";
import { spmmDropout } from "../../src/engine/ops/index.js";
import { ProgramBuilder, type Tensor } from "../../src/engine/program.js";
import { referenceEngine } from "../../src/engine/reference.js";
import { createWasmEngine } from "../../src/engine/wasm/wasm-engine.js";
import { multiplySparse } from "../../src/numeric/csr.js";
import { checkEngine, compileTogether, opsOf, trace } from "./check-op.js";
import { opCases } from "./op-cases.js";
import { randomSparse } from "./sparse-cases.js";

/** Ops that other files test: they end a step, serve a projection or make indices. */
const CHECKED_ELSEWHERE = new Set([
  ...["adam", "rmsprop", "sgd", "trackBest", "assign", "stopGradient"], // optimizer.test.ts, step-ops.test.ts
  ...["knn", "tsneLoss", "tsneGradient", "tsneUpdate"], // projection-ops.test.ts
  ...["searchLists"], // search-ops.test.ts
  ...["groupIndex", "present", "sampleNodes"], // sampling-ops.test.ts
  ...["randomWalks", "windowPairs", "interleaveIndex"], // walk-ops.test.ts
  ...["sampleEntries", "sampleByGroup", "sampleNonEdges"], // edge-sampling-ops.test.ts
]);

test("every op has a case", () => {
  const covered = new Set(opCases.flatMap((opCase) => opsOf(trace(opCase).program).map(({ name }) => name)));
  const all = Object.entries(ops).flatMap(([name, value]) =>
    name.endsWith("Op") ? [(value as { name: string }).name] : [],
  );
  expect(all.filter((name) => !covered.has(name) && !CHECKED_ELSEWHERE.has(name))).toEqual([]);
});

// float32 sums of up to a few hundred terms: rounding of 6e-8 times the square root of the number of terms, with room for cancellation
const TOLERANCE = 2e-5;

const engines = [
  await createWasmEngine({ threads: 1, relaxed: false }),
  await createWasmEngine({ threads: 1, relaxed: true }),
];

for (const engine of engines) {
  describe(`${engine.description} against the reference`, () => {
    for (const opCase of opCases) test(opCase.name, () => checkEngine(opCase, engine, TOLERANCE));
  });
}

const threaded = await createWasmEngine({ threads: 2 });
describe(`${threaded.description} against the reference`, async () => {
  const cases = await compileTogether(opCases, threaded);
  afterAll(() => cases.dispose());
  for (const opCase of opCases) test(opCase.name, () => cases.check(opCase, TOLERANCE));
});

test("spmmDropout drops stored entries at the rate and scales the others", async () => {
  const matrix = randomSparse({ rows: 60, cols: 50, density: 0.5, weighted: true, left: true });
  const builder = new ProgramBuilder();
  const identity = builder.constant(
    Array.from({ length: 2500 }, (_, k) => (k % 51 === 0 ? 1 : 0)),
    50,
    50,
  );
  let product!: Tensor;
  builder.segment("run", () => {
    product = spmmDropout(matrix, identity, 0.3, "drop");
    return [product];
  });
  const program = builder.finish();
  const executable = await referenceEngine.compile(program);
  const [{ tensors, fill }] = program.randomInputs;
  executable.write(tensors[0], (data) => fill([data as Uint32Array], new Rng(1, "drop", 1)));
  executable.run("run");
  const dropped = await executable.read(product);
  const whole = new Float64Array(3000);
  multiplySparse(
    matrix,
    Float64Array.from({ length: 2500 }, (_, k) => (k % 51 === 0 ? 1 : 0)),
    50,
    whole,
  );
  let kept = 0;
  dropped.forEach((value, k) => {
    if (value === 0) return;
    kept++;
    expect(value).toBeCloseTo(whole[k] / 0.7, 12);
  });
  // about 1200 entries: three standard deviations are 0.04
  expect(Math.abs(kept / matrix.columns.length - 0.7)).toBeLessThan(0.04);
});
