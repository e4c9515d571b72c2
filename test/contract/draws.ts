/** Reads or replaces the random draws of ops on the reference engine. */

import { Rng } from "../../src/core/rng.js";
import type { Executable } from "../../src/engine/engine.js";
import type { HostTensor, Program } from "../../src/engine/program.js";

/** For each op that draws, the numbers of its outputs that are nodes. */
const DRAWN_NODES: Readonly<Record<string, readonly number[]>> = {
  randomWalks: [0],
  sampleByGroup: [0],
  sampleEntries: [0, 1],
  sampleNodes: [0],
  sampleNonEdges: [0, 1],
};

export interface Draw {
  readonly op: string;
  readonly outputs: readonly HostTensor[];
  /** The outputs that are nodes. */
  readonly nodes: readonly HostTensor[];
}

/** The program, with `onDraw` called after every op that draws; `onDraw` may write into the outputs. For the reference engine. */
export function watchDraws(program: Program, onDraw: (draw: Draw) => void): Program {
  const segments = [...program.segments].map(([name, instructions]) => {
    const watched = instructions.map((instruction) => {
      const { op } = instruction;
      const places = DRAWN_NODES[op.name];
      if (places === undefined) return instruction;
      const reference: typeof op.reference = (inputs, outputs, attributes) => {
        op.reference(inputs, outputs, attributes);
        onDraw({ op: op.name, outputs, nodes: places.map((k) => outputs[k]) });
      };
      return { ...instruction, op: { ...op, reference } };
    });
    return [name, watched] as const;
  });
  return { ...program, segments: new Map(segments) };
}

/** Fills all random inputs from the streams of one step. */
export function fillRandomInputs(program: Program, executable: Executable, seed: number, step: number): void {
  for (const { purpose, tensors, fill } of program.randomInputs) {
    const arrays = tensors.map(({ rows, cols }) => new Uint32Array(rows * cols));
    fill(arrays, new Rng(seed, purpose, step));
    tensors.forEach((tensor, k) => {
      executable.write(tensor, (data) => data.set(arrays[k]));
    });
  }
}
