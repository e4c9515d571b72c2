/** The processes of one command: usually one, or several ranks that an MPI launcher started. */

import { type Facts, requireAgreement, shareFirst } from "../../cluster/agreement.js";
import { readLaunch } from "../../cluster/launch.js";
import type { MpiRanks } from "../../cluster/mpi.js";
import { InputError } from "../../core/errors.js";
import { ALONE, type Sharing } from "../../core/sharing.js";
import { VERSION } from "../../core/version.js";
import { type Output, writeError } from "../terminal/output.js";

export interface Job {
  /** All ranks; undefined if this process is alone. */
  readonly ranks: MpiRanks | undefined;
  /** Number of ranks on this machine. */
  readonly localSize: number;
  /** Whether this process prints and writes: it is alone or rank 0. */
  readonly leads: boolean;
  /** Prints nothing unless this process leads. */
  readonly output: Output;
  /** The processes, for work before the training. Results have one copy in the memory of each machine. */
  readonly sharing: Sharing;
  /** Returns the leading process's value in all of them; only that process calls `make`. */
  share<T>(make: () => T | Promise<T>): Promise<T>;
  /** Throws if these facts are not the same in all processes. */
  requireAgreement(facts: Facts, advice: string): void;
  /** Frees the arrays of a rank that its engine has copied: an epoch allocates nothing, so V8 would keep them. */
  freeMemory(): void;
  /** Ends the exchanges; afterwards each process goes on alone. */
  leave(): void;
}

/** Time in which mpirun passes on the last line of a rank; MPICH's loses lines that it has not read when a rank aborts. Not tuned. */
const PRINT_MILLISECONDS = 300;

const SAME_PROGRAM = "Install the same version on every machine.";

/** Joins the ranks if a launcher started several. `requested` is the number of --ranks. */
export async function joinJob(requested: number | undefined, output: Output): Promise<Job> {
  const launch = readLaunch();
  if (launch !== undefined && requested !== undefined && requested !== launch.size) {
    throw new InputError(
      `--ranks: found ${requested}, but mpirun started ${launch.size}; leave out --ranks or start hmge without mpirun.`,
    );
  }
  if (launch === undefined || launch.size === 1) return aloneJob(output);
  const { joinRanks } = await import("../../cluster/mpi.js");
  const { loadMpiLibrary } = await import("../../cluster/mpi-library.js");
  const { RankSharing } = await import("../../cluster/rank-sharing.js");
  const { collectGarbage } = await import("../../core/node/collect-garbage.js");
  const ranks = joinRanks(await loadMpiLibrary());
  // Node prints an uncaught error only after the exit handlers, the last of which does not return
  process.once("uncaughtExceptionMonitor", (error) => {
    writeError(`hmge: rank ${ranks.rank}: ${error instanceof Error ? error.message : error} (this is a bug in hmge)\n`);
  });
  // a rank that ends early would leave the others waiting
  process.once("exit", (code) => {
    if (ranks.finalized) return;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PRINT_MILLISECONDS);
    ranks.abort(code === 0 ? 1 : code);
  });
  const leads = ranks.rank === 0;
  const program = { "the version": VERSION, "the version of Node": process.version, "the processor": process.arch };
  requireAgreement(ranks, program, SAME_PROGRAM);
  return {
    ranks,
    localSize: launch.localSize,
    leads,
    output: leads ? output : silentOutput(output),
    sharing: new RankSharing(ranks),
    share: (make) => shareFirst(ranks, make),
    requireAgreement: (facts, advice) => requireAgreement(ranks, facts, advice),
    freeMemory: collectGarbage,
    leave: () => ranks.finalize(),
  };
}

/** The job of a process alone. */
export function aloneJob(output: Output): Job {
  return {
    ranks: undefined,
    localSize: 1,
    leads: true,
    output,
    sharing: ALONE,
    share: async (make) => make(),
    requireAgreement: () => {},
    freeMemory: () => {},
    leave: () => {},
  };
}

function silentOutput(output: Output): Output {
  const nothing = () => {};
  return { ...output, json: false, quiet: true, print: nothing, document: nothing, note: nothing };
}
