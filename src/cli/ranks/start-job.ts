/** `--ranks N`: starts this command on N ranks of this machine. */

import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findLauncher, requireSharedSpace, requireTemporarySpace, startRanks } from "../../cluster/start-ranks.js";
import { InputError } from "../../core/errors.js";
import { int } from "../../core/options.js";
import type { Arguments } from "../command.js";
import { CHECKPOINT, hasCheckpoint } from "../run/checkpoint.js";
import { listenForInterrupt } from "../terminal/interrupt.js";
import { writeError } from "../terminal/output.js";

export const RANKS_OPTION = {
  ranks: int(undefined, {
    min: 1,
    doc: "number of processes on this machine that share the training, through mpirun; the result does not depend on it",
    defaultText: "one process, or those that mpirun started",
  }),
};

/** Maximum number of ranks on one machine: per CPU, and on machines with few CPUs. More only share the same cores. Not tuned. */
const MAX_RANKS_PER_CPU = 4;
const MIN_MAX_RANKS = 16;

const MAIN = fileURLToPath(new URL("../main.js", import.meta.url));

/** Runs `hmge COMMAND` with the same arguments on `size` ranks, which write to the folder `out`; returns the exit code. */
export async function startJob(command: string, args: Arguments, size: number, out: string): Promise<number> {
  const cpus = availableParallelism();
  const max = Math.max(MIN_MAX_RANKS, MAX_RANKS_PER_CPU * cpus);
  if (size > max) {
    throw new InputError(
      `--ranks: found ${size}; expected at most ${max} on this machine, which has ${cpus} CPUs. Use mpirun to start ranks on several machines.`,
    );
  }
  const launcher = await findLauncher();
  requireTemporarySpace(launcher);
  requireSharedSpace(launcher, size);
  const interrupt = listenForInterrupt(() => {});
  const flags = [...args.flags].flatMap(([name, values]) =>
    values.map((value) => (value === "true" ? `--${name}` : `--${name}=${value}`)),
  );
  const words = [process.execPath, ...process.execArgv, MAIN, command, ...flags, "--", ...args.words];
  const { code, signal, explained } = await startRanks(launcher, size, words, interrupt.signal).finally(interrupt.stop);
  if (interrupt.signal.aborted) {
    writeError(`stopped all ranks; ${await whatRemains(out)}\n`);
    return 130;
  }
  if (code === 0 || (explained && signal === undefined)) return code;
  if (signal === undefined) {
    throw new InputError(
      `${launcher.program} ended with exit code ${code}, and no rank printed an error. To see its messages, run ${launcher.program} -n ${size} hostname`,
    );
  }
  const memory = signal === "SIGKILL" ? ", as the system does if memory runs out" : "";
  throw new InputError(`a rank was ended by ${signal}${memory}, so all ranks were ended; ${await whatRemains(out)}`);
}

async function whatRemains(out: string): Promise<string> {
  if (!(await hasCheckpoint(out))) return "nothing was written, and existing files are unchanged";
  return `${join(out, CHECKPOINT)} holds the training until a few seconds before; repeat the command with --resume to continue`;
}
