/** Starts programs under the MPI launchers of this machine. */

import { spawn, spawnSync } from "node:child_process";
import type { MpiFamily } from "../../src/cluster/launch.js";

export interface MpiInstallation {
  readonly family: MpiFamily;
  /** The launcher, with the options that it needs for more ranks than cores and for the superuser; the number of ranks follows. */
  readonly launcher: readonly string[];
}

const INSTALLATIONS: readonly MpiInstallation[] = [
  {
    family: "Open MPI",
    launcher: ["mpirun.openmpi", "--oversubscribe", ...(process.getuid?.() === 0 ? ["--allow-run-as-root"] : []), "-n"],
  },
  { family: "MPICH", launcher: ["mpirun.mpich", "-n"] },
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

/** Runs `node WORDS` on several ranks. */
export function runRanks(
  { launcher }: MpiInstallation,
  size: number,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<EndedRanks> {
  return new Promise((resolve, reject) => {
    const [program, ...options] = launcher;
    const child = spawn(program, [...options, String(size), process.execPath, ...words], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, LC_ALL: "C.UTF-8", ...env },
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
