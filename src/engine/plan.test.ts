import { expect, test } from "vitest";
import { add, assign, reshape, scale } from "./ops/index.js";
import { planMemory, tensorBytes } from "./plan.js";
import { ProgramBuilder, type Tensor } from "./program.js";

/** A segment that writes a state, one that reads it, and one that does not use it. */
function threeSegments(isTransient: boolean) {
  const builder = new ProgramBuilder();
  const input = builder.input("x", 100, 32);
  const kept = builder.state("kept", 100, 32, { isTransient });
  const last = builder.state("last", 1, 1);
  const results: Record<string, Tensor> = {};
  builder.segment("write", () => {
    assign(kept, scale(input, 2));
    return [];
  });
  for (const [name, from] of Object.entries({ read: kept, other: input })) {
    builder.segment(name, () => {
      results[name] = add(scale(from, 3), input);
      return [results[name]];
    });
  }
  const plan = planMemory(builder.finish(), { scratchBytes: () => 0 });
  const span = (tensor: Tensor) => {
    const first = plan.offset.get(tensor) ?? Number.NaN;
    return [first, first + tensorBytes(tensor)];
  };
  const overlap = (a: Tensor, b: Tensor) => span(a)[0] < span(b)[1] && span(b)[0] < span(a)[1];
  return { kept, last, input, results, overlap, totalBytes: plan.totalBytes };
}

test("a transient state lies where segments that do not use it have their values, and nowhere else", () => {
  const { kept, last, input, results, overlap } = threeSegments(true);
  expect(overlap(kept, results["other"])).toBe(true);
  for (const other of [results["read"], last, input]) expect(overlap(kept, other)).toBe(false);
});

test("another state has a place of its own", () => {
  const { kept, last, input, results, overlap } = threeSegments(false);
  for (const other of [results["other"], results["read"], last, input]) expect(overlap(kept, other)).toBe(false);
});

test("a transient state saves nothing if the segments that use it have the largest values", () => {
  expect(threeSegments(true).totalBytes).toBe(threeSegments(false).totalBytes);
});

test("no result takes the place of an alias that begins inside its storage", () => {
  const builder = new ProgramBuilder();
  const x = builder.input("x", 1, 32);
  let computed!: Tensor;
  let result!: Tensor;
  builder.segment("run", () => {
    computed = scale(x, 2);
    result = scale(reshape(computed, 32, 1), 3);
    return [result];
  });
  const program = builder.finish();
  const isInPlace = (isShifted: boolean) => {
    const { offset } = planMemory(program, { scratchBytes: () => 0, isShifted: () => isShifted });
    return offset.get(computed) === offset.get(result);
  };
  expect([isInPlace(false), isInPlace(true)]).toEqual([true, false]);
});
