import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { beforeAll, describe, expect, it } from "vitest";
import type { RunRecord } from "../../src/core/record.js";
import { readEmbeddings } from "../../src/io/formats/embedding-files.js";
import { hmgeInProcess, refusalOf } from "./in-process.js";
import { hmge, listFolder, temporaryFolder, writeSmallGraph } from "./program.js";

const folder = temporaryFolder();
const edges = writeSmallGraph(folder);
const at = (name: string) => join(folder, name);
const vectors = (name: string) => readFileSync(join(at(name), "embeddings.parquet"));
const record = (name: string): RunRecord => JSON.parse(readFileSync(join(at(name), "run.json"), "utf8"));
const SHORT = ["--model", "hmge", "--epochs", "30", "--dim", "8"];

describe("hmge embed", () => {
  let document: RunRecord & { out: string };

  beforeAll(async () => {
    const formats = ["--format", "npy,tsv,csv,word2vec,projector"];
    const { code, stdout, stderr } = await hmge(["embed", edges, "--out", at("a"), ...SHORT, ...formats, "--json"]);
    expect(stderr).toMatch(/^epoch 30\/30, loss/m);
    expect(code).toBe(0);
    document = JSON.parse(stdout);
  });

  it("writes exactly the vectors, the model, the record and the checkpoint for more epochs", () => {
    expect(listFolder(at("a"))).toEqual([...document.outputs, "checkpoint"].sort());
    expect(document.outputs).toEqual(expect.arrayContaining(["embeddings.parquet", "model.safetensors", "run.json"]));
    const { out, ...rest } = document;
    expect(out).toBe(at("a"));
    expect(rest).toEqual(record("a"));
  });

  it("records the graph, the settings, the machine and every loss", () => {
    const { graph, training, options, losses, bestEpoch, bestLoss, memory, seconds } = record("a");
    expect(graph.nodes).toBe(60);
    expect(graph.relations.map(({ name, weighted }) => [name, weighted])).toEqual([
      ["colleague", true],
      ["friend", true],
      ["neighbour", true],
    ]);
    expect(graph.import.rows).toBe(600);
    expect(graph.edges + graph.import.selfLoops + graph.import.parallelEdges).toBe(600);
    expect(training).toMatchObject({ epochs: 30, seed: 1 });
    expect(options).toMatchObject({ dim: 8, aggregation: "mean", sizes: [1] });
    expect(losses).toHaveLength(30);
    expect(bestLoss).toBe(Math.min(...losses));
    expect(losses[bestEpoch - 1]).toBe(bestLoss);
    expect(memory.peakBytes).toBeGreaterThan(memory.engineBytes);
    expect(seconds.total).toBeGreaterThan(seconds.train);
  });

  it("writes a Parquet file that another library reads", async () => {
    const file = await asyncBufferFromFile(join(at("a"), "embeddings.parquet"));
    const rows = await parquetReadObjects({ file });
    expect(rows).toHaveLength(60);
    const own = await readEmbeddings(at("a"));
    expect(rows.map(({ node }) => node)).toEqual(own.ids);
    expect(rows.flatMap(({ vector }) => [...vector])).toEqual([...own.vectors]);
  });

  it("writes the same vectors in every format", async () => {
    const first = await readEmbeddings(at("a"));
    for (const name of ["npy", "tsv", "csv", "vec", "vectors.tsv"]) {
      const other = await readEmbeddings(join(at("a"), `embeddings.${name}`));
      expect(other.ids).toEqual(first.ids);
      expect(other.vectors).toEqual(first.vectors);
    }
  });

  it("writes all parameters with names, shapes, model, relations and graph", () => {
    const bytes = readFileSync(join(at("a"), "model.safetensors"));
    const header = JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE(0))).toString("utf8"));
    expect(header.table.shape).toEqual([60, 256]);
    expect(header["level1.friend.weight"].shape).toEqual([256, 8]);
    expect(header.__metadata__.model).toBe("hmge");
    expect(JSON.parse(header.__metadata__.relations)).toEqual(["colleague", "friend", "neighbour"]);
    expect(header.__metadata__.graph).toBe(record("a").graph.hash);
  });

  it("gives the same bytes for any number of threads, and others for another seed", async () => {
    for (const threads of ["1", "3"]) {
      const name = `threads${threads}`;
      const given = ["embed", edges, "--out", at(name), ...SHORT, "--threads", threads, "--quiet"];
      const { code, stdout, stderr } = await hmgeInProcess(given);
      expect([code, stdout, stderr]).toEqual([0, "", ""]);
      expect(vectors(name).equals(vectors("a"))).toBe(true);
      const model = (run: string) => readFileSync(join(at(run), "model.safetensors"));
      expect(model(name).equals(model("a"))).toBe(true);
      expect(record(name).engine.threads).toBe(Math.min(Number(threads), availableParallelism()));
    }
    await hmgeInProcess(["embed", edges, "--out", at("seed2"), ...SHORT, "--seed", "2", "--quiet"]);
    expect(vectors("seed2").equals(vectors("a"))).toBe(false);
  });

  it("prints the result and the next commands", async () => {
    const { code, stdout } = await hmgeInProcess([
      "embed",
      edges,
      "--out",
      at("words"),
      "--epochs",
      "30",
      "--dim",
      "4",
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain("60 nodes");
    expect(stdout).toContain("all epochs done");
    expect(stdout).toContain(join(at("words"), "embeddings.parquet"));
    expect(stdout).toContain("hmge neighbors");
    expect(record("words").model).toBe("multiview");
    // the columns of all facets add up to the width
    expect(record("words").views.reduce((sum, { width }) => sum + width, 0)).toBe(4);
    expect(stdout).toMatch(/^columns +spectral 1–3, edges 4$/m);
    expect(stdout).not.toContain("\u001b");
  });

  it("reports collapsed vectors", async () => {
    const barely = ["--model", "hmge", "--epochs", "2", "--dim", "16", "--set", "sizes=1", "--learning-rate", "1e-9"];
    const { stdout } = await hmgeInProcess([
      "embed",
      edges,
      "--out",
      at("collapsed"),
      ...barely,
      "--set",
      "aggregation=attention",
    ]);
    const { effectiveRank } = record("collapsed").diagnostics;
    expect(stdout.includes("COLLAPSED")).toBe(effectiveRank < 2);
    expect(stdout).toContain(`effective rank ${effectiveRank.toFixed(1)} of 16`);
  });

  it("replaces a run only with --overwrite, and keeps other files of the folder", async () => {
    await hmgeInProcess(["embed", edges, "--out", at("b"), ...SHORT, "--format", "npy", "--quiet"]);
    const before = record("b");
    expect(await refusalOf(["embed", edges, "--out", at("b"), ...SHORT])).toMatch(/--resume.*--overwrite/);
    expect(record("b")).toEqual(before);
    writeFileSync(join(at("b"), "notes.txt"), "mine");
    const replaced = await hmgeInProcess(["embed", edges, "--out", at("b"), "--epochs", "5", "--overwrite", "--quiet"]);
    expect(replaced.code).toBe(0);
    expect(record("b").epochs).toBe(5);
    expect(listFolder(at("b"))).toEqual([
      "embeddings.parquet",
      "model.safetensors",
      "notes.txt",
      "report.html",
      "run.json",
    ]);
  });

  it("accepts an empty folder and notes that one relation is an ordinary graph", async () => {
    mkdirSync(at("empty"));
    writeFileSync(at("one.csv"), "from,to\na,b\nb,c\nc,c\na,b\n");
    const { code, stderr } = await hmgeInProcess([
      "embed",
      at("one.csv"),
      "--out",
      at("empty"),
      "--epochs",
      "3",
      "--dim",
      "2",
    ]);
    expect(code).toBe(0);
    expect(stderr).toContain('one relation only ("one"): this is an ordinary graph');
    expect(stderr).toContain("1 self-loop dropped, 1 repeated edge merged");
  });

  it("names a relation without edges", async () => {
    writeFileSync(at("hollow.csv"), "source,target,relation\na,b,likes\nb,c,likes\na,a,shuns\n");
    const { code, stderr } = await hmgeInProcess(["embed", at("hollow.csv"), "--out", at("hollow"), "--epochs", "3"]);
    expect(code).toBe(0);
    expect(stderr).toContain('1 relation without edges: "shuns"');
    expect(existsSync(join(at("hollow"), "embeddings.parquet"))).toBe(true);
  });
});
