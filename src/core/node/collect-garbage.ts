/** The garbage collector of V8, called by hand: V8 does not count shared memory and lets it lie until something else is allocated. */

import { nodeBuiltin } from "./node-builtin.js";

let collect: (() => void) | undefined;

/** Frees memory that nobody uses any more; in Node only. */
export function collectGarbage(): void {
  if (collect === undefined) {
    nodeBuiltin("node:v8").setFlagsFromString("--expose-gc");
    collect = nodeBuiltin("node:vm").runInNewContext("gc") as () => void;
  }
  collect();
}
