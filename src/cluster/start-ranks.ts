/** Starts this program several times on this machine, through the mpirun that is installed. */

import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { InputError } from "../core/errors.js";
import type { MpiFamily } from "./launch.js";
import { freeBytes } from "./memory-file.js";
import { INSTALL_ADVICE, LIBRARY_VARIABLE, loadMpiLibrary } from "./mpi-library.js";

/** Names of the program; Debian adds the family if both are installed. */
const LAUNCHER_NAMES = ["mpirun", "mpiexec", "mpirun.openmpi", "mpirun.mpich"];

export interface Launcher {
  readonly program: string;
  readonly family: MpiFamily;
}

/** The first mpirun whose library can be loaded. Throws if there is none. */
export async function findLauncher(): Promise<Launcher> {
  const launchers = LAUNCHER_NAMES.flatMap((program): Launcher[] => {
    const { status, stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
    if (status !== 0) return [];
    return [{ program, family: /open.?mpi|OpenRTE/i.test(stdout) ? "Open MPI" : "MPICH" }];
  });
  if (launchers.length === 0) {
    throw new InputError(
      `--ranks: mpirun was not found; it starts the ranks. ${INSTALL_ADVICE}, or leave out --ranks.`,
    );
  }
  if (process.env[LIBRARY_VARIABLE]) {
    const { family, path } = await loadMpiLibrary();
    const found = launchers.find((launcher) => launcher.family === family);
    if (found !== undefined) return found;
    throw new InputError(
      `${LIBRARY_VARIABLE}: ${path} is a library of ${family}, and no mpirun of ${family} was found; expected both of one family.`,
    );
  }
  let failure: unknown;
  for (const launcher of launchers) {
    try {
      await loadMpiLibrary(launcher.family);
      return launcher;
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

/** Bytes that mpirun of Open MPI needs in the folder of temporary files; with 8 MB it hung, with 16 MB two ranks ran (4.1.4). */
const MIN_TEMPORARY_BYTES = 2 ** 25;

/** Throws if mpirun of Open MPI would hang at its start, because it cannot write its temporary files. */
export function requireTemporarySpace({ family }: Launcher, folder = tmpdir()): void {
  if (family !== "Open MPI") return;
  const advice = "Set TMPDIR to a folder on a local disk with more space.";
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    // Open MPI looks for another folder if this one does not exist
    if (existsSync(folder)) throw new InputError(`${folder}: mpirun cannot write its temporary files here. ${advice}`);
    return;
  }
  const free = freeBytes(folder);
  if (free >= MIN_TEMPORARY_BYTES) return;
  throw new InputError(
    `${folder}: mpirun needs ${MIN_TEMPORARY_BYTES / 2 ** 20} MB for its temporary files; found ${Math.floor(free / 2 ** 20)} MB. ${advice}`,
  );
}

/** Bytes of /dev/shm that each rank of MPICH needs: two ranks ended at their start with 8 MB and ran with 16, four with 16 and 24 (4.0.2). */
const MIN_SHARED_BYTES = 2 ** 22;

/** Throws if ranks of MPICH would end at their start, with many lines of its own, because shared memory is full. */
export function requireSharedSpace({ family }: Launcher, numRanks: number, folder = "/dev/shm"): void {
  if (family !== "MPICH" || !existsSync(folder)) return;
  const [free, needed] = [freeBytes(folder), MIN_SHARED_BYTES * (numRanks + 1)];
  if (free >= needed) return;
  throw new InputError(
    `${folder}: ${numRanks} ranks of MPICH need ${needed / 2 ** 20} MB of shared memory; found ${Math.floor(free / 2 ** 20)} MB. Make it larger (Docker: --shm-size), or use Open MPI.`,
  );
}

export interface EndedJob {
  /** Exit code of mpirun. */
  readonly code: number;
  /** Whether a rank printed an error. */
  readonly explained: boolean;
  /** The signal that ended a rank, if one did. */
  readonly signal?: string;
}

/** Milliseconds that mpirun gets to end the ranks; Open MPI's gives them one second. */
const KILL_MILLISECONDS = 5000;
/** Names of signals by number, as far as they end a process without its doing. */
const SIGNAL_NAMES: Readonly<Record<number, string>> = {
  4: "SIGILL",
  6: "SIGABRT",
  7: "SIGBUS",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  15: "SIGTERM",
};

/**
 * Runs a command on `size` ranks of this machine until all have ended; an aborted `stop` ends them. Their output goes to the streams of
 * this process; messages of mpirun are suppressed.
 */
export function startRanks(
  { program, family }: Launcher,
  size: number,
  command: readonly string[],
  stop: AbortSignal,
): Promise<EndedJob> {
  const isRoot = process.getuid?.() === 0;
  // ranks run on all cores, and there may be more of them than cores
  const openMpi = ["-q", "--bind-to", "none", "--oversubscribe", ...(isRoot ? ["--allow-run-as-root"] : [])];
  const options = family === "Open MPI" ? openMpi : [];
  return new Promise((resolve, reject) => {
    // detached: a Ctrl-C of the terminal reaches this process only, which then ends mpirun
    const child = spawn(program, [...options, "-n", String(size), ...command], {
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    stop.addEventListener("abort", () => {
      child.kill("SIGTERM");
      setTimeout(() => child.kill("SIGKILL"), KILL_MILLISECONDS).unref();
    });
    passOn(child.stdout, process.stdout);
    let explained = false;
    passOn(child.stderr, process.stderr, (line) => {
      explained ||= line.startsWith("hmge: ");
    });
    child.on("error", reject);
    child.on("close", (status, killedBy) => {
      const code = status ?? 1;
      resolve({ code, explained, signal: killedBy ?? SIGNAL_NAMES[code > 128 ? code - 128 : code] });
    });
  });
}

/** Messages of MPICH on MPI_Abort, whose reason the rank has printed, and of Open MPI and UCX on reading from a rank that was killed. */
const CONSEQUENCES =
  /^(Abort\(\d+\) on node \d+ |\[[^\]]+:\d+\] Read -1, expected \d+, errno = \d+|\[[^\]]+\] +cma_ep\.c:\d+ +process_vm_readv)/;

/** Copies lines and calls `onLine` for each, up to the report of MPICH's mpirun on a killed rank: an empty line, then a line of "=". */
function passOn(
  stream: NodeJS.ReadableStream,
  to: NodeJS.WritableStream,
  onLine: (line: string) => void = () => {},
): void {
  let emptyLines = "";
  let isReport = false;
  createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })
    .on("line", (line) => {
      isReport ||= /^={60,}$/.test(line);
      if (isReport || CONSEQUENCES.test(line)) return;
      onLine(line);
      if (line !== "") to.write(`${emptyLines}${line}\n`);
      emptyLines = line === "" ? `${emptyLines}\n` : "";
    })
    .on("close", () => {
      if (!isReport) to.write(emptyLines);
    });
}
