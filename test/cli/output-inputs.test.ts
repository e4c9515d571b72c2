/** No command replaces a file that it reads, even with --overwrite. */

import { copyFileSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { embed } from "../../src/cli/embed/embed.js";
import { hmgeInProcess, refusalOf, runCommand } from "./in-process.js";
import { listFolder, temporaryFolder, writeSmallGraph } from "./program.js";

const folder = temporaryFolder();
const at = (...names: string[]) => join(folder, ...names);
const edges = writeSmallGraph(folder, { nodes: 40, perRelation: 80 });
const SHORT = ["--model", "hmge", "--dim", "4", "--epochs", "2", "--threads", "1", "--no-report"];

/** Expects that the command is refused and leaves the folder of `file` and the file as they are. */
async function expectUnchanged(file: string, words: readonly string[], message: string): Promise<void> {
  const before = { bytes: readFileSync(file), names: listFolder(folder) };
  expect(await refusalOf([...words, "--overwrite"])).toBe(message);
  expect(readFileSync(file).equals(before.bytes)).toBe(true);
  expect(listFolder(folder)).toEqual(before.names);
}

describe("a file that the command reads", () => {
  const run = at("run");
  const labels = at("labels.csv");
  beforeAll(async () => {
    await runCommand(embed, [edges, "--out", run, ...SHORT]);
    const rows = Array.from({ length: 20 }, (_, i) => `p${i},${"ab"[i % 2]}`);
    writeFileSync(labels, ["node,label", ...rows, ""].join("\n"));
    writeFileSync(at("nodes.csv"), "node\np1\np2\n");
    expect((await hmgeInProcess(["convert", run, at("a.csv")])).code).toBe(0);
    mkdirSync(at("keep"));
    copyFileSync(at("a.csv"), at("keep", "embeddings.csv"));
    mkdirSync(at("dataset"));
    copyFileSync(edges, at("dataset", "edges.csv"));
    copyFileSync(labels, at("dataset", "labels.csv"));
  });

  it("is not replaced by the table of --out", async () => {
    const message = (file: string) => `--out: ${file} is also an input of this command; choose another file.`;
    await expectUnchanged(labels, ["predict", run, "--labels", labels, "--out", labels], message(labels));
    await expectUnchanged(labels, ["project", run, "--labels", labels, "--out", labels], message(labels));
    const nodes = at("nodes.csv");
    await expectUnchanged(nodes, ["neighbors", run, "--nodes", nodes, "--out", nodes], message(nodes));
    const copy = at("copy.csv");
    copyFileSync(edges, copy);
    const links = ["predict-links", run, "--relation", "friend"];
    await expectUnchanged(copy, [...links, "--graph", copy, "--out", copy], message(copy));
  });

  it("is recognised in a folder and in the record of the run", async () => {
    const ofCommand = (file: string) => `--out: ${file} is also an input of this command; choose another file.`;
    const vectors = at("keep", "embeddings.csv");
    await expectUnchanged(vectors, ["project", at("keep"), "--out", vectors], ofCommand(vectors));
    const datasetLabels = at("dataset", "labels.csv");
    const words = ["predict", run, "--labels", at("dataset"), "--out", datasetLabels];
    await expectUnchanged(datasetLabels, words, ofCommand(datasetLabels));
    const links = ["predict-links", run, "--relation", "friend", "--out", edges];
    await expectUnchanged(edges, links, `--out: ${edges} is an input of the run in ${run}; choose another file.`);
  });

  it("is recognised under other paths and as a link", async () => {
    const message = (file: string) => `--out: ${file} is also an input of this command; choose another file.`;
    symlinkSync(labels, at("link.csv"));
    linkSync(labels, at("hard.csv"));
    for (const other of [`${folder}/./run/../labels.csv`, at("link.csv"), at("hard.csv")]) {
      await expectUnchanged(labels, ["predict", run, "--labels", other, "--out", labels], message(labels));
      await expectUnchanged(labels, ["predict", run, "--labels", labels, "--out", other], message(other));
    }
  });

  it("is not replaced by convert", async () => {
    const message = (file: string) => `OUT: ${file} is also an input of this command; choose another file.`;
    await expectUnchanged(at("a.csv"), ["convert", at("a.csv"), at("a.csv")], message(at("a.csv")));
    const vectors = at("keep", "embeddings.csv");
    await expectUnchanged(vectors, ["convert", at("keep"), vectors], message(vectors));
    expect((await hmgeInProcess(["convert", at("keep"), at("keep", "other.csv")])).code).toBe(0);
  });

  it("is not replaced by the results of a run", async () => {
    const source = at("keep", "embeddings.csv");
    copyFileSync(edges, source);
    const words = ["embed", source, "--out", at("keep"), "--format", "csv", ...SHORT];
    const message = `--out: ${source} is also an input of this command; choose another folder.`;
    await expectUnchanged(source, words, message);
    const projection = at("run", "projection.tsv");
    copyFileSync(labels, projection);
    const colours = ["embed", edges, "--labels", projection, "--out", run, "--model", "hmge"];
    await expectUnchanged(projection, colours, message.replace(source, projection));
    // a folder may have the name of the model, and other inputs may be in the folder of the run
    mkdirSync(at("hmge"));
    copyFileSync(edges, at("hmge", "edges.csv"));
    const nextToIt = ["embed", at("hmge", "edges.csv"), "--out", at("hmge"), ...SHORT, "--overwrite", "--quiet"];
    expect(await hmgeInProcess(nextToIt)).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(at("hmge", "edges.csv")).equals(readFileSync(edges))).toBe(true);
  });
});
