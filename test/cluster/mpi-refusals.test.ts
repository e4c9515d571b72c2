import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { requireSharedSpace, requireTemporarySpace } from "../../src/cluster/start-ranks.js";
import * as models from "../../src/models/index.js";
import type { Model } from "../../src/nn/model.js";
import { requirePartitionableModel } from "../../src/train/partitionable.js";
import { refusalOf } from "../cli/in-process.js";
import { listFolder, temporaryFolder, writeSmallGraph } from "../cli/program.js";
import { mpiInstallations } from "./mpi-run.js";

const folder = temporaryFolder();
const edges = writeSmallGraph(folder);
const words = (...more: string[]) => ["embed", edges, "--out", join(folder, "out"), "--model", "hmge", ...more];
const { PATH = "", HMGE_MPI_LIBRARY: library } = process.env;

beforeEach(() => {
  delete process.env["HMGE_MPI_LIBRARY"];
});
afterEach(() => {
  process.env["PATH"] = PATH;
  if (library !== undefined) process.env["HMGE_MPI_LIBRARY"] = library;
  expect(listFolder(folder)).toEqual(["edges.csv"]);
});

it.each(["0", "-1", "x", "1.5"])("refuses --ranks %s", async (ranks) => {
  expect(await refusalOf(words("--ranks", ranks))).toBe(`--ranks: found "${ranks}"; expected integer ≥ 1.`);
});

it("refuses far more ranks than CPUs", async () => {
  const cpus = availableParallelism();
  expect(await refusalOf(words("--ranks", "1000000"))).toBe(
    `--ranks: found 1000000; expected at most ${Math.max(16, 4 * cpus)} on this machine, which has ${cpus} CPUs. Use mpirun to start ranks on several machines.`,
  );
});

it("names mpirun if it is missing", async () => {
  process.env["PATH"] = folder;
  expect(await refusalOf(words("--ranks", "2"))).toBe(
    "--ranks: mpirun was not found; it starts the ranks. Install Open MPI or MPICH (on Debian: apt-get install openmpi-bin), or leave out --ranks.",
  );
});

it("explains an mpirun that fails without a message", async (context) => {
  const missing = mpiInstallations.find(({ family }) => family === "Open MPI")?.missing;
  context.skip(missing !== undefined, missing);
  const bin = temporaryFolder();
  const script = '#!/bin/sh\nif [ "$1" = --version ]; then echo "mpirun (Open MPI) 4.1"; exit 0; fi\nexit 3\n';
  writeFileSync(join(bin, "mpirun"), script, { mode: 0o755 });
  process.env["PATH"] = bin;
  expect(await refusalOf(words("--ranks", "2"))).toBe(
    "mpirun ended with exit code 3, and no rank printed an error. To see its messages, run mpirun -n 2 hostname",
  );
});

it("refuses a folder of temporary files in which mpirun of Open MPI would hang", () => {
  const openMpi = { program: "mpirun", family: "Open MPI" } as const;
  const advice = "Set TMPDIR to a folder on a local disk with more space.";
  // sysfs has no free bytes
  const [full, linux] = ["/sys", process.platform === "linux" && process.getuid?.() === 0];
  if (linux) {
    expect(() => requireTemporarySpace(openMpi, full)).toThrow(
      `${full}: mpirun needs 32 MB for its temporary files; found 0 MB. ${advice}`,
    );
  }
  expect(() => requireTemporarySpace({ program: "mpirun", family: "MPICH" }, full)).not.toThrow();
  expect(() => requireTemporarySpace(openMpi, join(folder, "absent"))).not.toThrow();
  expect(() => requireTemporarySpace(openMpi, folder)).not.toThrow();
});

it("refuses shared memory in which ranks of MPICH would end at their start", () => {
  const mpich = { program: "mpirun", family: "MPICH" } as const;
  if (process.platform === "linux") {
    // sysfs has no free bytes
    expect(() => requireSharedSpace(mpich, 2, "/sys")).toThrow(
      "/sys: 2 ranks of MPICH need 12 MB of shared memory; found 0 MB. Make it larger (Docker: --shm-size), or use Open MPI.",
    );
  }
  expect(() => requireSharedSpace({ program: "mpirun", family: "Open MPI" }, 2, "/sys")).not.toThrow();
  expect(() => requireSharedSpace(mpich, 2, join(folder, "absent"))).not.toThrow();
  expect(() => requireSharedSpace(mpich, 2, folder)).not.toThrow();
});

it("refuses no model of hmge", () => {
  for (const model of Object.values<Model>(models)) expect(() => requirePartitionableModel(model, {})).not.toThrow();
});

it("refuses pipes, the reference engine and --model-from, before it looks for MPI", async () => {
  process.env["PATH"] = folder;
  expect(await refusalOf(["embed", "-", "--out", join(folder, "out"), "--model", "dmgi", "--ranks", "2"])).toBe(
    "standard input: only one of several ranks can read a pipe; write its content to a file first.",
  );
  expect(await refusalOf(words("--ranks", "2", "--features", "/dev/fd/9"))).toMatch(/^\/dev\/fd\/9: only one of/);
  expect(await refusalOf(words("--ranks", "2", "--engine", "reference"))).toMatch(/^--engine: reference runs in one/);
  const placed = ["embed", edges, "--out", join(folder, "out"), "--model-from", folder, "--ranks", "2"];
  expect(await refusalOf(placed)).toMatch(/^--model-from: it trains nothing, so several ranks cannot share the work/);
});
