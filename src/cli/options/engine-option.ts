/** The engine and the number of threads of a command. */

import { availableParallelism } from "node:os";
import { UnsupportedError } from "../../core/errors.js";
import { choice, int, optional } from "../../core/options.js";
import { chooseEngine, ENGINE_VARIABLE, ENGINES, engineName } from "../../engine/create-engine.js";
import type { Engine } from "../../engine/engine.js";
import { formatCount } from "../../report/format.js";
import type { Output } from "../terminal/output.js";

export const THREADS_OPTION = {
  threads: int(undefined, {
    min: 1,
    doc: "number of threads; the result does not depend on it",
    defaultText: "one per available CPU",
  }),
};

export const ENGINE_OPTIONS = {
  engine: optional(
    choice("wasm", ENGINES, {
      doc: "wasm: the CPU; webgpu: the GPU; auto: the GPU if there is one; reference: float64, slow",
    }),
    "wasm, or the variable HMGE_ENGINE",
  ),
  ...THREADS_OPTION,
};

interface EngineValues {
  readonly engine?: string;
  readonly threads?: number;
}

/** The number of threads to use. Prints a note if more threads were requested than CPUs are available. */
export function readThreads({ threads }: EngineValues, { note }: Pick<Output, "note">): number | undefined {
  const available = availableParallelism();
  if (threads === undefined || threads <= available) return threads;
  const [requested, used] = [threads, available].map(formatCount);
  note(`note: --threads ${requested} exceeds the number of available CPUs; using ${used}.`);
  return available;
}

/** The engine of `--engine`, or of the variable HMGE_ENGINE, and of `--threads`. Ranks on one machine share its CPUs. */
export async function readEngine(
  values: EngineValues,
  output: Pick<Output, "note">,
  { numRanks = 1, localRanks = 1 } = {},
): Promise<Engine> {
  const wanted = engineName(values.engine);
  const name = numRanks > 1 && wanted === "auto" ? "wasm" : wanted;
  const shared = localRanks > 1 ? Math.max(1, Math.floor(availableParallelism() / localRanks)) : undefined;
  const engine = await chooseEngine(name, { threads: readThreads(values, output) ?? shared });
  if (engine.choice !== undefined) output.note(`engine: ${engine.choice}`);
  if (engine.name === "webgpu" && values.threads !== undefined) {
    output.note("note: the engine webgpu uses --threads only for work of the CPU.");
  }
  return engine;
}

/** Throws if several ranks cannot use this engine. */
export function requireEngineOfRanks({ engine }: EngineValues): void {
  const name = engineName(engine);
  if (name === "wasm" || name === "auto") return;
  throw new UnsupportedError(
    `${engine === undefined ? ENGINE_VARIABLE : "--engine"}: ${name} runs in one process only; with several ranks choose wasm.`,
  );
}
