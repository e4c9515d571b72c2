/** What chance decides in a step, drawn into the storage of the engine. */

import { Rng } from "../core/rng.js";
import type { Executable } from "../engine/engine.js";
import type { Program } from "../engine/program.js";

type Numbers = Uint32Array | Float32Array | Float64Array;

/** Each input by a stream of its own, the same for every engine. `step` counts from 1 over all epochs. */
export function drawInputs(
  executable: Executable,
  inputs: Program["randomInputs"],
  { seed, step }: { readonly seed: number; readonly step: number },
): void {
  for (const { purpose, tensors, fill } of inputs) {
    const rng = new Rng(seed, purpose, step);
    const arrays: Numbers[] = [];
    // storages are lent for the time of a call: the last one has all of them
    const lend = (i: number): void => {
      if (i === tensors.length) fill(arrays, rng);
      else {
        executable.write(tensors[i], (data) => {
          arrays.push(data);
          lend(i + 1);
        });
      }
    };
    lend(0);
  }
}
