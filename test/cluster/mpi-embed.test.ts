/** `hmge embed` on several ranks: the files of one process, and one line after each fault. */

import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hmge, listFolder, PROGRAM, temporaryFolder, writeSmallGraph } from "../cli/program.js";
import { root } from "../support/repository.js";
import { mpiInstallations, onMachine, runPrograms, runRanks } from "./mpi-run.js";

const folder = temporaryFolder();
const at = (...names: string[]) => join(folder, ...names);
// so many nodes that three ranks have rows
const edges = writeSmallGraph(folder, { nodes: 1500, perRelation: 3000 });
const command = (out: string, ...more: string[]) => [
  ...["embed", edges, "--out", at(out), "--model", "hmge", "--dim", "8", "--threads", "1", "--no-report"],
  ...(more.includes("--epochs") ? more : ["--epochs", "6", ...more]),
];
const FILES = ["embeddings.parquet", "model.safetensors"];
const hashes = (out: string) =>
  FILES.map((name) =>
    createHash("sha256")
      .update(readFileSync(at(out, name)))
      .digest("hex"),
  );
const numNodes = (out: string): number => JSON.parse(readFileSync(at(out, "run.json"), "utf8")).graph.nodes;
/** Options of a training that takes hours. */
const ENDLESS = ["--epochs", "1000000", "--patience", "1000000"];

/** The lines on standard error that are neither notes nor messages of MPI itself. */
const errors = (stderr: string) => stderr.split("\n").filter((line) => /^(hmge:|stopped)/.test(line));

beforeAll(async () => {
  expect((await hmge(command("one"))).code).toBe(0);
});

describe.each(mpiInstallations)("hmge embed on ranks of $family", (installation) => {
  const { family, missing, library } = installation;
  const name = (text: string) => `${library}-${text}`;
  beforeEach((context) => context.skip(missing !== undefined, missing));

  it("writes the files of one process", async () => {
    const started = await hmge([...command(name("two")), "--ranks", "2", "--json"], {
      env: { HMGE_MPI_LIBRARY: library },
    });
    expect(started).toMatchObject({ code: 0 });
    expect(JSON.parse(started.stdout)).toMatchObject({ epochs: 6, command: { ranks: "2" } });
    const [, fewest, most] = /^ranks: 2, each with ([\d,]+) to ([\d,]+) nodes/m.exec(started.stderr) ?? [];
    expect([fewest, most].map((count) => Number(count.replace(",", ""))).reduce((a, b) => a + b)).toBe(numNodes("one"));
    expect(hashes(name("two"))).toEqual(hashes("one"));
    const words = [PROGRAM, ...command(name("apart"))];
    const machines = await runPrograms(installation, [
      { size: 2, words },
      { size: 1, words: [...onMachine("b"), ...words] },
    ]);
    expect(machines).toMatchObject({ code: 0 });
    expect(machines.stdout.match(/^written$/gm)).toHaveLength(1);
    expect(hashes(name("apart"))).toEqual(hashes("one"));
  });

  it("ends all ranks if one cannot go on, and says why", async () => {
    const absent = command(name("absent")).map((word) => (word === edges ? at("absent", "edges.csv") : word));
    const started = await runPrograms(installation, [
      { size: 1, words: [PROGRAM, ...command(name("absent"))] },
      { size: 1, words: [...onMachine("b"), PROGRAM, ...absent] },
    ]);
    expect(started.code).toBe(2);
    expect(errors(started.stderr)).toEqual([
      `hmge: rank 1: ${at("absent", "edges.csv")}: no such file or folder. Check the path.`,
    ]);
    expect(listFolder(folder)).not.toContain(name("absent"));
  });

  it("ends all ranks if one is killed, and on Ctrl-C", async () => {
    const out = name("killed");
    // this module kills rank 1 when the first checkpoint exists
    const state = at(out, "checkpoint", "state.safetensors");
    writeFileSync(
      at(`${out}.mjs`),
      `import { existsSync } from "node:fs";
const isRankOne = [process.env.OMPI_COMM_WORLD_RANK, process.env.PMI_RANK].includes("1");
if (isRankOne) setInterval(() => existsSync(${JSON.stringify(state)}) && process.kill(process.pid, "SIGKILL"), 10).unref();`,
    );
    const env = { HMGE_MPI_LIBRARY: library };
    const words = command(out, ...ENDLESS, "--ranks", "3", "--checkpoint-every", "0", "--quiet");
    const killed = await hmge(words, { env: { ...env, NODE_OPTIONS: `--import ${at(`${out}.mjs`)}` } });
    expect(killed).toMatchObject({ code: 2, stdout: "" });
    expect(killed.stderr).toBe(
      `hmge: a rank was ended by SIGKILL, as the system does if memory runs out, so all ranks were ended; ${dirname(state)} holds the training until a few seconds before; repeat the command with --resume to continue\n`,
    );

    // the first text is a note on the graph, before the training
    const stopped = await hmge(command(name("stopped"), ...ENDLESS, "--ranks", "2"), {
      env,
      onFirstText: (kill) => kill("SIGINT"),
    });
    expect(stopped).toMatchObject({ code: 130, stdout: "" });
    expect(errors(stopped.stderr)).toEqual([
      "stopped all ranks; nothing was written, and existing files are unchanged",
    ]);
    expect(listFolder(folder)).not.toContain(name("stopped"));
  });

  it("refuses a library of the other family", async () => {
    const env = { HMGE_MPI_LIBRARY: mpiInstallations.find((other) => other.family !== family)?.library ?? "" };
    const wrong = await runRanks(installation, 2, [PROGRAM, ...command(name("wrong"))], env);
    expect(wrong.code).toBe(2);
    // every rank fails alike, and mpirun may print the line of either first
    const line = /^hmge: (rank 1: )?the MPI library .* sees 1 of 2 ranks: another MPI started them/;
    expect(errors(wrong.stderr)[0]).toMatch(line);
    expect(listFolder(folder)).not.toContain(name("wrong"));
  });
});

const anyInstallation = mpiInstallations.find(({ missing }) => missing === undefined);

describe.skipIf(anyInstallation === undefined)("hmge embed on ranks (skipped without MPI)", () => {
  const installation = anyInstallation ?? mpiInstallations[0];
  const name = (text: string) => `any-${text}`;

  it("reads the files once on each machine", async () => {
    const absent = command(name("absent")).map((word) => (word === edges ? at("absent", "edges.csv") : word));
    // rank 1 needs no file
    const second = await runPrograms(installation, [
      { size: 1, words: [PROGRAM, ...command(name("second"))] },
      { size: 1, words: [PROGRAM, ...absent.map((word) => (word === at(name("absent")) ? at(name("second")) : word))] },
    ]);
    expect(second).toMatchObject({ code: 0 });
    expect(hashes(name("second"))).toEqual(hashes("one"));
    // rank 0 fails, so all do
    const first = await runRanks(installation, 2, [PROGRAM, ...absent]);
    expect(first.code).toBe(2);
    expect(errors(first.stderr)).toEqual([
      `hmge: ${at("absent", "edges.csv")}: no such file or folder. Check the path.`,
    ]);
  });

  it("continues a checkpoint on another number of ranks", async () => {
    const out = name("resumed");
    expect((await runRanks(installation, 2, [PROGRAM, ...command(out, "--epochs", "3")])).code).toBe(0);
    expect((await runRanks(installation, 3, [PROGRAM, ...command(out, "--resume")])).code).toBe(0);
    expect(hashes(out)).toEqual(hashes("one"));
  });

  it("names the rank whose files, options or version differ", async () => {
    mkdirSync(at(name("other")));
    writeFileSync(at(name("other"), "edges.csv"), readFileSync(edges, "utf8").replace("p7,", "p8,"));
    const files = command(name("differs")).map((word) => (word === edges ? at(name("other"), "edges.csv") : word));
    const graph = await runPrograms(installation, [
      { size: 1, words: [PROGRAM, ...command(name("differs"))] },
      { size: 1, words: [...onMachine("b"), PROGRAM, ...files] },
    ]);
    expect(graph.code).toBe(2);
    expect(errors(graph.stderr)).toEqual([
      expect.stringMatching(/^hmge: rank 1: the content hash of the graph is \w{32}; rank 0 has \w{32}\. Give every/),
    ]);

    const options = [PROGRAM, ...command(name("differs"), "--seed", "9")];
    const seed = await runPrograms(installation, [
      { size: 1, words: [PROGRAM, ...command(name("differs"))] },
      { size: 1, words: options },
    ]);
    expect(seed.code).toBe(2);
    expect(errors(seed.stderr)).toEqual([
      expect.stringMatching(/^hmge: rank 1: seed is 9; rank 0 has 1\. Start every/),
    ]);

    const copy = at(name("version"), "dist");
    cpSync(dirname(dirname(PROGRAM)), copy, { recursive: true });
    symlinkSync(join(root, "node_modules"), at(name("version"), "node_modules"));
    writeFileSync(at(name("version"), "package.json"), '{ "type": "module" }');
    writeFileSync(join(copy, "core/version.js"), 'export const VERSION = "0.0.1";\n');
    const older = [join(copy, "cli/main.js"), ...command(name("differs"))];
    const version = await runPrograms(installation, [
      { size: 1, words: [PROGRAM, ...command(name("differs"))] },
      { size: 1, words: older },
    ]);
    expect(version.code).toBe(2);
    expect(errors(version.stderr)).toEqual([
      expect.stringMatching(/^hmge: rank 1: the version is 0\.0\.1; rank 0 has/),
    ]);
    expect(listFolder(folder)).not.toContain(name("differs"));
  });

  it("refuses a library that is not MPI", async () => {
    const none = await hmge(command(name("wrong"), "--ranks", "2"), { env: { HMGE_MPI_LIBRARY: "libz.so.1" } });
    expect(none).toMatchObject({ code: 2, stdout: "" });
    expect(none.stderr).toMatch(/^hmge: HMGE_MPI_LIBRARY: libz\.so\.1 cannot be loaded as an MPI library: .*\n$/);
    expect(listFolder(folder)).not.toContain(name("wrong"));
  });
});
