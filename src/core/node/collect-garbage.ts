/** The garbage collector of V8, called by hand: V8 does not count shared memory and lets it lie until something else is allocated. */

import { nodeBuiltin } from "./node-builtin.js";

/** Bytes of memory that V8 does not count, from which on the garbage collector is called for them. Not tuned. */
export const MIN_COLLECTED = 2 ** 26;

let collect: (() => void) | undefined;

/** Frees memory that nobody uses any more; in Node only. */
export function collectGarbage(): void {
  if (collect === undefined) {
    nodeBuiltin("node:v8").setFlagsFromString("--expose-gc");
    collect = nodeBuiltin("node:vm").runInNewContext("gc") as () => void;
  }
  collect();
}
