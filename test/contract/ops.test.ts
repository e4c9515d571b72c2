import { describe, expect, test } from "vitest";
import * as ops from "../../src/engine/ops/index.js";
import { createWasmEngine } from "../../src/engine/wasm/wasm-engine.js";
import { checkEngine, checkGradientByDifferences, opsOf, trace } from "./check-op.js";
import { opCases } from "./op-cases.js";

/** Ops that end an epoch, serve a projection or make indices have tests of their own. */
const CHECKED_ELSEWHERE = new Set([
  ...["adam", "rmsprop", "sgd", "trackBest", "assign", "stopGradient"], // optimizer.test.ts, step-ops.test.ts
  ...["knn", "tsneLoss", "tsneGradient", "tsneUpdate"], // projection-ops.test.ts
  ...["groupIndex", "present", "sampleNodes"], // sampling-ops.test.ts
]);

test("every op has a case", () => {
  const covered = new Set(opCases.flatMap((opCase) => opsOf(trace(opCase).program).map(({ name }) => name)));
  const all = Object.entries(ops).flatMap(([name, value]) =>
    name.endsWith("Op") ? [(value as { name: string }).name] : [],
  );
  expect(all.filter((name) => !covered.has(name) && !CHECKED_ELSEWHERE.has(name))).toEqual([]);
});

describe("gradient against central differences", () => {
  for (const opCase of opCases) {
    if (opCase.noGradient === undefined) test(opCase.name, () => checkGradientByDifferences(opCase));
  }
});

// float32 sums of up to a few hundred terms: rounding 6e-8 times the square root of the terms, with room for cancellation
const TOLERANCE = 2e-5;

const engines = [
  await createWasmEngine({ threads: 1, relaxed: false }),
  await createWasmEngine({ threads: 1, relaxed: true }),
  await createWasmEngine({ threads: 2 }),
];

for (const engine of engines) {
  describe(`${engine.description} against the reference`, () => {
    for (const opCase of opCases) test(opCase.name, () => checkEngine(opCase, engine, TOLERANCE));
  });
}
