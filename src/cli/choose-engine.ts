/** The engine by its name. */

import { InputError, suggest } from "../core/errors.js";
import type { Engine } from "../engine/engine.js";
import { referenceEngine } from "../engine/reference.js";
import { createWasmEngine } from "../engine/wasm/wasm-engine.js";
import { ENGINES } from "../train/train.js";

export async function chooseEngine(name = "auto", threads?: number): Promise<Engine> {
  if (!ENGINES.some((known) => known === name)) {
    throw new InputError(`--engine: unknown engine "${name}"${suggest(name, ENGINES)}`);
  }
  return name === "reference" ? referenceEngine : createWasmEngine({ threads });
}
