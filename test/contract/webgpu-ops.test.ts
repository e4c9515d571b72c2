/** Every op on the WebGPU engine against the reference: value and gradients. */

import { describe, test } from "vitest";
import { skipReason, webgpu } from "../support/webgpu.js";
import { checkEngine } from "./check-op.js";
import { opCases } from "./op-cases.js";

// float32 sums of up to a few hundred terms: rounding of 6e-8 times the square root of the number of terms, with room for cancellation
const TOLERANCE = 2e-5;

describe(`${webgpu?.description ?? "webgpu"} against the reference`, () => {
  for (const opCase of opCases) {
    test(opCase.name, async ({ skip }) => {
      if (webgpu === undefined) return skip(skipReason);
      await checkEngine(opCase, webgpu, TOLERANCE);
    });
  }
});
