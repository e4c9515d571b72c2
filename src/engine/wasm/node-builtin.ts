/** What Node brings along, asked for at run time: of an import bundlers for pages make an error, or an empty module. */

import { UnsupportedError } from "../../core/errors.js";

export const isNode = typeof process !== "undefined" && process.versions?.node !== undefined;

/** `process.getBuiltinModule`, or an error in words where Node is too old for it. */
export const nodeBuiltin: NodeJS.Process["getBuiltinModule"] = (name: string) => {
  if (process.getBuiltinModule === undefined) {
    throw new UnsupportedError(
      `engine: wasm needs Node 20.16, 22.3 or later; this is ${process.versions.node}. Install one, or use the engine "reference".`,
    );
  }
  return process.getBuiltinModule(name);
};
