/** How this process was started: alone, or as one of several ranks by an MPI launcher (mpirun, mpiexec, srun). */

/** Libraries of one family share a binary interface. */
export type MpiFamily = "Open MPI" | "MPICH";

export interface Launch {
  readonly rank: number;
  readonly size: number;
  /** Number of ranks on this machine. */
  readonly localSize: number;
  /** The family of the launcher; undefined if the launcher, such as srun, starts both. */
  readonly family: MpiFamily | undefined;
}

/** Variables with the number of ranks on this machine: of Open MPI, MPICH and Slurm ("4(x2)": 4 on each of 2 machines). */
const LOCAL_SIZES = ["OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_STEP_TASKS_PER_NODE"];

/** What the launcher says in the environment; undefined if no launcher started this process. */
export function readLaunch(env: Readonly<Record<string, string | undefined>> = process.env): Launch | undefined {
  const read = (rank: string, size: string, family?: MpiFamily): Launch | undefined => {
    const [r, s] = [env[rank], env[size]].map((text) => (/^\d+$/.test(text ?? "") ? Number(text) : Number.NaN));
    const local = LOCAL_SIZES.map((name) => /^\d+/.exec(env[name] ?? "")?.[0]).find((count) => count !== undefined);
    return r < s ? { rank: r, size: s, localSize: Math.min(s, Number(local ?? s)), family } : undefined;
  };
  // srun starts programs of either family
  const isSlurm = env["SLURM_PROCID"] !== undefined;
  return (
    read("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "Open MPI") ??
    read("PMI_RANK", "PMI_SIZE", isSlurm ? undefined : "MPICH") ??
    (isSlurm ? read("PMIX_RANK", "SLURM_STEP_NUM_TASKS") : undefined)
  );
}
