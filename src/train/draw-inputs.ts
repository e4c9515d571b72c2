/** Draws the random inputs of a step into the memory of the engine. */

import { Rng } from "../core/rng.js";
import type { Executable } from "../engine/engine.js";
import type { Program } from "../engine/program.js";

type Numbers = Uint32Array | Float32Array | Float64Array;

/** Each input has its own random stream, the same for every engine. `step` counts from 1 over all epochs. */
export function drawInputs(
  executable: Executable,
  inputs: Program["randomInputs"],
  { seed, step }: { readonly seed: number; readonly step: number },
): void {
  for (const { purpose, tensors, fill } of inputs) {
    const rng = new Rng(seed, purpose, step);
    const arrays: Numbers[] = [];
    // an array is valid only inside its write() call, so the calls are nested and the innermost one has all arrays
    const writeFrom = (i: number): void => {
      if (i === tensors.length) fill(arrays, rng);
      else {
        executable.write(tensors[i], (data) => {
          arrays.push(data);
          writeFrom(i + 1);
        });
      }
    };
    writeFrom(0);
  }
}
