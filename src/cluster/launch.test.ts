import { expect, test } from "vitest";
import { readLaunch } from "./launch.js";

test("the launcher, rank and number of ranks are read from the environment", () => {
  expect(readLaunch({})).toBeUndefined();
  expect(
    readLaunch({
      OMPI_COMM_WORLD_RANK: "3",
      OMPI_COMM_WORLD_SIZE: "8",
      OMPI_COMM_WORLD_LOCAL_SIZE: "4",
      PMIX_RANK: "3",
    }),
  ).toEqual({ rank: 3, size: 8, localSize: 4, family: "Open MPI" });
  expect(readLaunch({ PMI_RANK: "0", PMI_SIZE: "2", MPI_LOCALNRANKS: "2" })).toEqual({
    rank: 0,
    size: 2,
    localSize: 2,
    family: "MPICH",
  });
});

test("under Slurm, which starts programs of both families, the family is unknown", () => {
  const slurm = { SLURM_PROCID: "5", SLURM_STEP_NUM_TASKS: "6", SLURM_STEP_TASKS_PER_NODE: "3(x2)" };
  const expected = { rank: 5, size: 6, localSize: 3, family: undefined };
  expect(readLaunch({ ...slurm, PMI_RANK: "5", PMI_SIZE: "6" })).toEqual(expected);
  expect(readLaunch({ ...slurm, PMIX_RANK: "5" })).toEqual(expected);
  // the script of sbatch is not a rank
  expect(readLaunch(slurm)).toBeUndefined();
});

test("variables that are no numbers, or a rank outside the job, are not a launch", () => {
  expect(readLaunch({ PMI_RANK: "x", PMI_SIZE: "2" })).toBeUndefined();
  expect(readLaunch({ PMI_RANK: "2", PMI_SIZE: "2" })).toBeUndefined();
  expect(readLaunch({ PMI_RANK: "0" })).toBeUndefined();
});
