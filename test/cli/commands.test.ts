import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { flagName } from "../../src/cli/command.js";
import { commands } from "../../src/cli/commands.js";
import { VERSION } from "../../src/core/version.js";
import { phenomena } from "../../src/graph/synthetic/phenomena/index.js";
import { readEmbeddings } from "../../src/io/formats/embedding-files.js";
import { loadGraph } from "../../src/io/graph/load-graph.js";
import { loadNodeSplit } from "../../src/io/tables/node-split.js";
import { documentOf, hmgeInProcess, refusalOf } from "./in-process.js";
import { hmge, listFolder, PROGRAM, temporaryFolder, writeSmallGraph } from "./program.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const edges = writeSmallGraph(folder);

describe("the program", () => {
  it("prints its version and lists every command", async () => {
    expect((await hmge(["--version"])).stdout).toBe(`${VERSION}\n`);
    const { code, stdout } = await hmgeInProcess(["--help"]);
    expect(code).toBe(0);
    const words = stdout.replace(/\s+/g, " ");
    for (const { name, summary } of commands) expect(words).toContain(` ${name} ${summary} `);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  it("shows options, defaults and an example for every command", async () => {
    for (const { name, load } of commands) {
      const { options, examples } = await load();
      const { code, stdout, stderr } = await hmgeInProcess([name, "--help"]);
      expect([code, stderr]).toEqual([0, ""]);
      for (const option of Object.keys(options)) expect(stdout).toContain(`--${flagName(option)}`);
      expect(stdout).toContain(`  hmge ${name} ${examples[0]}`);
      for (const common of ["--json", "--quiet", "--debug"]) expect(stdout).toContain(common);
    }
    expect((await hmgeInProcess(["models", "hmge"])).stdout).toMatch(/tableWidth=256\s+width of the shared table/);
  });

  it("refuses an unknown option in one line with exit code 2", async () => {
    const { code, stdout, stderr } = await hmge(["embed", "--jsn"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^hmge: [^\n]*"--jsn"; did you mean "--json"\?[^\n]*\n$/);
  });

  // one process for all commands of the built program: every start of a process takes most of a second
  it("refuses an unknown option in every command", () => {
    const names = commands.map(({ name }) => name);
    const script = `import { runProgram } from ${JSON.stringify(new URL("program.js", pathToFileURL(PROGRAM)).href)};
      for (const name of ${JSON.stringify(names)}) console.log(name, await runProgram([name, "--jsn"]));`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect(stdout).toBe(names.map((name) => `${name} 2\n`).join(""));
    const lines = stderr.split("\n");
    expect(lines).toHaveLength(names.length + 1);
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/^hmge: .*"--jsn"; did you mean "--json"\?/);
  });

  it("suggests the nearest command", async () => {
    expect(await refusalOf(["embd"])).toBe('unknown command "embd"; did you mean "embed"?');
  });

  it("prints no error when the reader of its output closes the pipe", () => {
    const main = new URL("../../dist/cli/main.js", import.meta.url).pathname;
    const piped = spawnSync("sh", ["-c", `"${process.execPath}" "${main}" models --json | head -c 1`]);
    expect(piped.stderr.toString()).toBe("");
  });
});

describe("hmge inspect", () => {
  it("describes the graph and what a run will need, within 30 % of its peak memory", async () => {
    const { code, stdout, stderr } = await hmge(["inspect", edges, "--dim", "16", "--json"]);
    expect([code, stderr]).toEqual([0, ""]);
    const found = JSON.parse(stdout);
    expect(found.nodes).toBe(60);
    expect(found.relations.map(({ name }: { name: string }) => name)).toEqual(["colleague", "friend", "neighbour"]);
    expect(found.edges + found.import.selfLoops + found.import.parallelEdges).toBe(600);
    expect(found.run).toMatchObject({ model: "multiview", dim: 16, epochs: 300 });
    expect(found.run.secondsPerEpoch).toBeGreaterThan(0);
    const run = await hmge(["embed", edges, "--out", at("run"), "--dim", "16", "--epochs", "5", "--json"]);
    const { peakBytes, estimatedBytes } = JSON.parse(run.stdout).memory;
    expect(estimatedBytes).toBe(found.run.memoryBytes);
    expect(estimatedBytes / peakBytes).toBeGreaterThan(0.7);
    expect(estimatedBytes / peakBytes).toBeLessThan(1.3);
  });

  it("prints a table, and the same notes as embed", async () => {
    writeFileSync(at("one.csv"), "source,target\na,b\nb,b\n");
    const { stdout } = await hmgeInProcess(["inspect", at("one.csv")]);
    expect(stdout).toMatch(/relation\s+edges\s+nodes\s+mean degree/);
    expect(stdout).toContain("note: one relation only");
    expect(stdout).toContain("1 self-loop");
    expect(stdout).toMatch(/memory +about \d+ MB/);
    const quiet = await hmgeInProcess(["inspect", at("one.csv"), "--quiet"]);
    expect(quiet.stdout + quiet.stderr).not.toContain("note:");
  });

  it("describes graphs that cannot be trained", async () => {
    writeFileSync(at("loop.csv"), "source,target\na,a\n");
    const { code, stdout } = await hmgeInProcess(["inspect", at("loop.csv")]);
    expect(code).toBe(0);
    expect(stdout).toContain("nothing to train");
  });
});

describe("hmge generate", () => {
  it("writes the same dataset for the same seed and replaces no files", async () => {
    const sbm = ["generate", "sbm", "--nodes", "200", "--relations", "3", "--p-in", "0.1", "--p-out", "0.02"];
    const { code, stdout } = await hmgeInProcess([...sbm, "--seed", "4", "--out", at("sbm"), "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ nodes: 200, relations: 3, options: { seed: 4, pIn: 0.1 } });
    expect(listFolder(at("sbm"))).toEqual(["dataset.json", "edges.tsv.gz", "labels.tsv.gz"]);
    await hmgeInProcess([...sbm, "--seed", "4", "--out", at("sbm-again"), "--quiet"]);
    expect(readFileSync(at("sbm-again/edges.tsv.gz")).equals(readFileSync(at("sbm/edges.tsv.gz")))).toBe(true);
    expect(await refusalOf([...sbm, "--out", at("sbm")])).toContain("holds other files");
    expect(await refusalOf([...sbm.slice(0, 2), "--p-in", "2", "--out", at("x")])).toContain(
      "expected number from 0 to 1.",
    );
    expect(await refusalOf(["generate", "smb", "--out", at("x")])).toContain('did you mean "sbm"?');
    const empty = ["generate", "sbm", "--nodes", "2", "--relations", "1", "--p-in", "0", "--p-out", "0"];
    expect(await refusalOf([...empty, "--out", at("x")])).toContain("no edge was drawn");
    const huge = ["generate", "sbm", "--nodes", "3000000", "--relations", "41", "--out", at("x")];
    expect(await refusalOf(huge)).toMatch(/memory: about .* are needed/);
    expect(existsSync(at("x"))).toBe(false);
    const seen = await documentOf(["inspect", at("sbm"), "--json"]);
    expect(seen).toMatchObject({ nodes: 200, edges: JSON.parse(stdout).edges });
  });

  it("plants groups that features and edges show, and adds relations of noise", async () => {
    const groups = ["generate", "groups", "--nodes", "300", "--relations", "2", "--groups", "4"];
    const written = (await documentOf([...groups, "--out", at("groups")])) as { edges: number };
    expect(written).toMatchObject({ nodes: 300, relations: 2, options: { groups: 4, edgeShare: 0.5 } });
    expect(listFolder(at("groups"))).toEqual(["dataset.json", "edges.tsv.gz", "features.tsv.gz", "labels.tsv.gz"]);
    const seen = await documentOf(["inspect", at("groups"), "--json"]);
    expect(seen).toMatchObject({ nodes: 300, edges: written.edges });
    expect(await refusalOf([...groups, "--noise", "1", "--out", at("x")])).toContain("--noise: is of sbm");
    expect(await refusalOf([...groups, "--degree", "50", "--out", at("x")])).toContain(
      "a quarter of the 300 nodes. Lower",
    );
    writeFileSync(at("pair.csv"), "source,target\na,b\n");
    await hmgeInProcess(["embed", at("pair.csv"), "--out", at("a-run"), "--epochs", "1", "--no-report", "--quiet"]);
    const overRun = await refusalOf([...groups, "--out", at("a-run"), "--overwrite"]);
    expect(overRun).toContain("holds a run and its vectors; expected a new or empty folder");
    // the default number of edges fits small graphs
    expect((await hmgeInProcess(["generate", "groups", "--nodes", "40", "--out", at("small"), "--quiet"])).code).toBe(
      0,
    );
    const noisy = ["generate", "sbm", "--nodes", "100", "--relations", "2", "--noise", "3", "--out", at("noisy")];
    expect(await documentOf(noisy)).toMatchObject({ relations: 5 });
  });

  it("plants phenomena, with a split if the number of labels matters", async () => {
    const plant = ["generate", "few-labels", "--nodes", "300", "--classes", "3", "--seed", "2"];
    expect(await documentOf([...plant, "--out", at("few")])).toMatchObject({
      nodes: 300,
      relations: 2,
      options: { classes: 3, degree: 4, strength: 0.4, seed: 2 },
    });
    expect(listFolder(at("few"))).toEqual(["dataset.json", "edges.tsv.gz", "labels.tsv.gz", "split.tsv.gz"]);
    const { splitFile } = await loadGraph(at("few"));
    const parts = [...(await loadNodeSplit(splitFile!)).values()];
    expect(["train", "val", "test"].map((part) => parts.filter((name) => name === part).length)).toEqual([60, 60, 180]);
    const { options } = (await documentOf(["generate", "features-only", "--out", at("words")])) as { options: object };
    expect(options).toMatchObject({ nodes: 1200, relations: 3, classes: 4 });
    expect(listFolder(at("words"))).toEqual(["dataset.json", "edges.tsv.gz", "features.tsv.gz", "labels.tsv.gz"]);
    expect(await refusalOf([...plant, "--p-in", "0.1", "--out", at("x")])).toContain("--p-in: is of sbm; few-labels");
    expect(await refusalOf(["generate", "sbm", "--strength", "1", "--out", at("x")])).toContain("sbm has no such");
    expect(await refusalOf([...plant, "--degree", "80", "--out", at("x")])).toContain(
      "the 100 nodes of a class. Lower",
    );
    const help = (await hmgeInProcess(["generate", "--help"])).stdout;
    for (const { name } of phenomena) expect(help).toContain(`  ${name} `);
    expect(existsSync(at("x"))).toBe(false);
  });

  it("draws random graphs of a given size, with degrees of a power law on request", async () => {
    const random = ["generate", "random", "--nodes", "300", "--relations", "2", "--edges", "901"];
    expect(await documentOf([...random, "--exponent", "2.5", "--out", at("random")])).toMatchObject({
      nodes: 300,
      relations: 2,
      edges: 901,
      options: { exponent: 2.5 },
    });
    expect(listFolder(at("random"))).toEqual(["dataset.json", "edges.tsv.gz", "nodes.tsv.gz"]);
    const seen = await documentOf(["inspect", at("random"), "--json"]);
    expect(seen).toMatchObject({ nodes: 300, edges: 901 });
    expect(await refusalOf([...random, "--p-in", "0.1", "--out", at("x")])).toContain("--p-in: is of sbm");
    expect(await refusalOf([...random, "--exponent", "2", "--out", at("x")])).toContain("above 2");
    expect(existsSync(at("x"))).toBe(false);
  });
});

describe("hmge bench", () => {
  it("measures limits and the epochs of a given graph", async () => {
    writeFileSync(at("bench.csv"), "source,target\na,b\nb,c\nc,d\n");
    const { code, stdout } = await hmgeInProcess([
      ...["bench", at("bench.csv"), "--no-kernels", "--epochs", "1", "--samples", "1", "--dim", "4", "--json"],
    ]);
    expect(code).toBe(0);
    const record = JSON.parse(stdout);
    expect(record.kernels.map(({ name }: { name: string }) => name)).toEqual(["multiply-add peak", "triad"]);
    expect(record.limits[0].multiplyAdds).toBeGreaterThan(0);
    expect(record.epochs).toMatchObject([{ dim: 4, estimate: { epochs: 2000 } }]);
    expect(record.epochs[0].seconds[0]).toBeGreaterThan(0);
    expect(await refusalOf(["bench", "--shapes", "imbd"])).toContain('did you mean "imdb"?');
  });
});

describe("hmge neighbors and convert", () => {
  beforeAll(() => {
    writeFileSync(at("v.tsv"), "node\tx\ty\neast\t1\t0\nnear east\t3\t0.3\nnorth\t0\t2\nwest\t-1\t0\nnowhere\t0\t0\n");
  });

  it("replaces control characters in names", async () => {
    writeFileSync(at("odd.tsv"), "east\t3\t0\nbell\u0007\u001b[2J\t3\t1\n");
    const { stdout } = await hmgeInProcess(["neighbors", at("odd.tsv"), "east"]);
    expect(stdout).toContain("bell\ufffd\ufffd[2J");
    const { stderr } = await hmgeInProcess(["neighbors", at("odd.tsv"), "\u001b[2Jnobody"]);
    expect(stderr).not.toContain("\u001b");
  });

  it("finds the nearest nodes by cosine", async () => {
    const { stdout } = await hmgeInProcess(["neighbors", at("v.tsv"), "east", "nowhere", "--raw", "--json"]);
    const { results } = JSON.parse(stdout);
    expect(results[0].neighbors.map(({ node }: { node: string }) => node)).toEqual(["near east", "north", "west"]);
    expect(results[0].neighbors[0].cosine).toBeCloseTo(3 / Math.hypot(3, 0.3), 6);
    expect(results[0].neighbors[2].cosine).toBe(-1);
    expect(results[1]).toEqual({ node: "nowhere", neighbors: [] });
    const words = await hmgeInProcess(["neighbors", at("v.tsv"), "north", "nowhere", "--raw", "--count", "1"]);
    expect(words.stdout).toMatch(/north\n\s+node\s+cosine\n.*\n\s+near east\s+0\.0995/);
    expect(words.stdout).toContain("nowhere: its vector is zero");
  });

  it("suggests a name for an unknown node", async () => {
    expect(await refusalOf(["neighbors", at("v.tsv"), "East"])).toContain(
      'no node "East" among 5; did you mean "east"?',
    );
    expect(await refusalOf(["neighbors", at("v.tsv"), "nroth"])).toContain('did you mean "north"?');
    expect(await refusalOf(["neighbors", at("v.tsv")])).toContain("at least one node");
    expect(await refusalOf(["neighbors", at("none.tsv"), "x"])).toMatch(/none\.tsv/);
  });

  it("converts between formats and back without loss, and replaces files only with --overwrite", async () => {
    const first = await readEmbeddings(at("v.tsv"));
    for (const [from, to] of [
      ["v.tsv", "v.parquet"],
      ["v.parquet", "v.npy"],
      ["v.npy", "v.csv"],
      ["v.csv", "v.vectors.tsv"],
    ]) {
      expect((await hmgeInProcess(["convert", at(from), at(to)])).code).toBe(0);
      expect(await readEmbeddings(at(to))).toEqual(first);
    }
    expect(await refusalOf(["convert", at("v.tsv"), at("v.npy")])).toContain("exists");
    expect(await hmgeInProcess(["convert", at("v.tsv"), at("v.npy"), "--overwrite"])).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect((await hmgeInProcess(["convert", at("v.tsv"), at("plain"), "--to", "csv", "--quiet"])).code).toBe(0);
    expect((await hmgeInProcess(["convert", at("plain"), at("w.tsv"), "--from", "csv"])).code).toBe(0);
    expect(await refusalOf(["convert", at("v.tsv"), at("v.docx")])).toContain("no embedding format has this extension");
    expect(await refusalOf(["convert", at("v.tsv"), at("v.vec")])).toContain("near east");
    expect(await refusalOf(["convert", at("v.tsv")])).toContain("expected two");
    expect(await refusalOf(["convert", at("v.tsv"), at("absent/v.csv")])).toContain("the folder does not exist");
    writeFileSync(at("cut.npy"), readFileSync(at("v.npy")).subarray(0, 90));
    expect(await refusalOf(["convert", at("cut.npy"), at("cut.csv")])).toContain("cut.npy");
    expect(listFolder(folder).filter((name) => name.startsWith(".") || name.startsWith("cut.c"))).toEqual([]);
  });
});

describe("hmge models", () => {
  it("lists models with papers and options", async () => {
    const { stdout } = await hmgeInProcess(["models", "--json"]);
    const [first] = JSON.parse(stdout);
    expect(first.name).toBe("multiview");
    expect(first.options.find(({ name }: { name: string }) => name === "dim")).toMatchObject({ default: 64 });
    expect((await hmgeInProcess(["models"])).stdout).toContain("preset");
    expect(await refusalOf(["models", "hmgee"])).toContain('did you mean "hmge"?');
  });
});
