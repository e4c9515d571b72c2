import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { mpiInstallations, runRanks } from "./mpi-run.js";

const PROGRAM = fileURLToPath(new URL("mpi-exchanges.mjs", import.meta.url));

describe.each(mpiInstallations)("the exchanges of $family", (installation) => {
  const { family, missing } = installation;
  beforeEach((context) => context.skip(missing !== undefined, missing));

  const versions = { "Open MPI": /^Open MPI v\d+\.\d+\.\d+, (\d) ranks$/, MPICH: /^MPICH \d+\.\d+\.?\d*, (\d) ranks$/ };

  /** Every rank checks its data itself. */
  const expectNoFailures = async (size: number, ...words: string[]) => {
    const { code, stdout, stderr } = await runRanks(installation, size, [PROGRAM, ...words]);
    expect(stderr).toBe("");
    const lines = stdout
      .trim()
      .split("\n")
      .map((line): { rank: number; description: string } => JSON.parse(line))
      .sort((a, b) => a.rank - b.rank);
    const { description } = lines[0];
    expect(versions[family].exec(description)?.[1]).toBe(String(size));
    expect(lines).toEqual(Array.from({ length: size }, (_, rank) => ({ rank, size, description, failures: [] })));
    expect(code).toBe(0);
  };

  test.each([1, 4])("give %i ranks the data of the others", async (size) => expectNoFailures(size));

  test("are split if they are too large for one call", async () => expectNoFailures(2, "100001"));
});
