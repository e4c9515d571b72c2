import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { mpiInstallations, onMachine, runPrograms } from "./mpi-run.js";

const PROGRAM = fileURLToPath(new URL("mpi-sharing.mjs", import.meta.url));

describe.each(mpiInstallations)("ranks of $family share values", (installation) => {
  const { missing } = installation;
  beforeEach((context) => context.skip(missing !== undefined, missing));

  /** Starts ranks with names of machines, which may be "". Every rank checks its data itself. */
  const expectNoFailures = async (names: readonly string[], machines: readonly number[], settings: object = {}) => {
    const programs = names.map((name) => {
      return { size: 1, words: ["--expose-gc", ...onMachine(name), PROGRAM, JSON.stringify(settings)] };
    });
    const { code, stdout, stderr } = await runPrograms(installation, programs);
    expect(stderr).toBe("");
    const lines = stdout
      .trim()
      .split("\n")
      .map((line): { rank: number } => JSON.parse(line))
      .sort((a, b) => a.rank - b.rank);
    expect(lines).toEqual(names.map((_, rank) => ({ rank, size: names.length, machines, failures: [] })));
    expect(code).toBe(0);
  };

  test("on one machine, with one copy in memory", () => expectNoFailures(["", ""], [0, 0], { measures: true }));

  test("on two machines, in messages of few bytes", () =>
    expectNoFailures(["a", "b", "a"], [0, 1, 0], { messageBytes: 3000 }));
});
