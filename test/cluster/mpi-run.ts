/** Starts programs under the MPI launchers of this machine. */

import { spawn, spawnSync } from "node:child_process";
import type { MpiFamily } from "../../src/cluster/launch.js";

export interface MpiInstallation {
  readonly family: MpiFamily;
  /** Name of the library on Linux. */
  readonly library: string;
  /** The launcher, with the options that it needs for more ranks than cores and for the superuser. */
  readonly launcher: readonly string[];
}

const INSTALLATIONS: readonly MpiInstallation[] = [
  {
    family: "Open MPI",
    library: "libmpi.so.40",
    launcher: ["mpirun.openmpi", "--oversubscribe", ...(process.getuid?.() === 0 ? ["--allow-run-as-root"] : [])],
  },
  { family: "MPICH", library: "libmpich.so.12", launcher: ["mpirun.mpich"] },
];

/** Both families; `missing` says why one cannot be tested. */
export const mpiInstallations = INSTALLATIONS.map((installation) => {
  const [program] = installation.launcher;
  const isMissing = spawnSync(program, ["--version"]).status !== 0;
  return { ...installation, missing: isMissing ? `no ${installation.family} (${program}) on this machine` : undefined };
});

export interface EndedRanks {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RankProgram {
  /** Number of ranks. */
  readonly size: number;
  /** Arguments of Node. */
  readonly words: readonly string[];
}

/** Arguments of Node for a rank on a machine of this name: ranks on machines of other names do not share its memory. */
export function onMachine(name: string): string[] {
  return ["--import", `data:text/javascript,process.env.HMGE_MACHINE=${JSON.stringify(name)}`];
}

/** Runs `node WORDS` on several ranks. */
export function runRanks(
  installation: MpiInstallation,
  size: number,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<EndedRanks> {
  return runPrograms(installation, [{ size, words }], env);
}

/** Runs different programs as the ranks of one job. */
export function runPrograms(
  { launcher }: MpiInstallation,
  programs: readonly RankProgram[],
  env: Readonly<Record<string, string>> = {},
): Promise<EndedRanks> {
  return new Promise((resolve, reject) => {
    const [launch, ...options] = launcher;
    const parts = programs.map(({ size, words }) => ["-n", String(size), process.execPath, ...words]);
    const child = spawn(launch, [...options, ...parts.flatMap((part, i) => (i === 0 ? part : [":", ...part]))], {
      stdio: ["ignore", "pipe", "pipe"],
      // waiting ranks of Open MPI let others use their core; hmge itself sets this too
      env: { ...process.env, LC_ALL: "C.UTF-8", OMPI_MCA_mpi_yield_when_idle: "1", ...env },
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}
