/** The engine and the number of threads that a command was given. */

import { availableParallelism } from "node:os";
import type { Engine } from "../../engine/engine.js";
import { formatCount } from "../../report/format.js";
import { chooseEngine } from "../../train/create-engine.js";
import { type Arguments, textOption } from "../command.js";
import type { Output } from "../terminal/output.js";
import { readCount } from "./number-options.js";

/** `--threads`, at most as many as the machine runs at once; a note says so where more were asked for. */
export function readThreads(given: Arguments, { note }: Pick<Output, "note">): number | undefined {
  const asked = readCount(given, "threads", 1);
  const most = availableParallelism();
  if (asked === undefined || asked <= most) return asked;
  note(
    `note: --threads ${formatCount(asked)}: this machine runs ${formatCount(most)} at once; using ${formatCount(most)}.`,
  );
  return most;
}

/** The engine of `--engine` and `--threads`; commands without `--engine` choose the fastest. */
export async function readEngine(given: Arguments, output: Pick<Output, "note">): Promise<Engine> {
  return chooseEngine(textOption(given, "engine"), readThreads(given, output));
}
