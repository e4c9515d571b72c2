import { Rng } from "../../src/core/rng.js";
import type { ProgramBuilder, Tensor } from "../../src/engine/program.js";

/** A constant with random numbers, by default normal ones; the same purpose gives the same numbers. */
export function randomConstant(
  builder: ProgramBuilder,
  purpose: string,
  [rows, cols]: readonly [number, number],
  draw = (rng: Rng) => rng.normal(),
): Tensor {
  const rng = new Rng(11, purpose);
  return builder.constant(
    Float32Array.from({ length: rows * cols }, () => draw(rng)),
    rows,
    cols,
  );
}
