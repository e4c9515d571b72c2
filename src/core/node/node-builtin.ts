/** Built-in modules of Node, loaded at run time: bundlers for pages turn an import of them into an error or an empty module. */

import { UnsupportedError } from "../errors.js";

/** Whether this runs in Node, not on a page. */
export const isNode = typeof process !== "undefined" && process.versions?.node !== undefined;

/** `process.getBuiltinModule`, or an error that explains that Node is too old for it. */
export const nodeBuiltin: NodeJS.Process["getBuiltinModule"] = (name: string) => {
  if (process.getBuiltinModule === undefined) {
    throw new UnsupportedError(`hmge needs Node 20.16, 22.3 or later; this is ${process.versions.node}. Install one.`);
  }
  return process.getBuiltinModule(name);
};
