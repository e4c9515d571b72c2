/** `--train-labels`, and the marks on vectors that were learnt from labels. */

import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { compare } from "../../src/cli/compare/compare.js";
import { embed } from "../../src/cli/embed/embed.js";
import { evaluateClassify as classify } from "../../src/cli/evaluate/evaluate-classify.js";
import { evaluateLinks as links } from "../../src/cli/evaluate/evaluate-links.js";
import type { RunRecord } from "../../src/core/record.js";
import { generateSbm } from "../../src/graph/synthetic/sbm.js";
import { writeDataset } from "../../src/io/graph/write-dataset.js";
import { ssdcm } from "../../src/models/index.js";
import { matchLabels } from "../../src/tasks/labels/labelled-nodes.js";
import { trainingLabels } from "../../src/tasks/labels/training-labels.js";
import { startRun, train } from "../../src/train/train.js";
import { type CommandResult, refusalOf, runCommand } from "./in-process.js";
import { temporaryFolder } from "./program.js";

const folder = temporaryFolder();
const at = (...names: string[]) => join(folder, ...names);
const { graph, labels } = generateSbm({ nodes: 60, relations: 2, pIn: 0.3, pOut: 0.03, seed: 1 });
const SHORT = ["--model", "ssdcm", "--epochs", "3", "--dim", "4", "--threads", "1"];
const record = (name: string): RunRecord => JSON.parse(readFileSync(at(name, "run.json"), "utf8"));
const table = (rows: readonly string[]) => `node,label\n${rows.join("\n")}\n`;

beforeAll(async () => {
  await writeDataset(at("data"), graph, { labels });
  mkdirSync(at("split"));
  for (const file of ["edges.tsv", "labels.tsv"]) {
    const name = [file, `${file}.gz`].find((candidate) => existsSync(at("data", candidate)));
    if (name !== undefined) copyFileSync(at("data", name), at("split", name));
  }
  const parts = graph.ids.map((id, i) => `${id}\t${i % 3 === 0 ? "train" : "test"}`);
  writeFileSync(at("split", "split.tsv"), `node\tsplit\n${parts.join("\n")}\n`);
  const some = graph.ids.slice(0, 10).map((id, i) => `${id},${labels[i]}`);
  writeFileSync(at("some.csv"), table([...some, "stranger,c0"]));
  writeFileSync(at("one.csv"), table(graph.ids.slice(0, 5).map((id) => `${id},same`)));
  writeFileSync(at("others.csv"), table(["who,c0", "what,c1"]));
});

describe("embed --train-labels", () => {
  let fromSplit: CommandResult;

  beforeAll(async () => {
    fromSplit = await runCommand(embed, [at("split"), ...SHORT, "--train-labels", "given", "--out", at("a")]);
  });

  test("given: learns from the training nodes of the folder's split; record, text and report show it", async () => {
    const { code, text } = fromSplit;
    expect(code).toBe(0);
    const { labels: used, model } = record("a");
    expect(used).toMatchObject({ nodes: 20, classes: 2, split: at("split", "split.tsv") });
    expect(used?.file).toContain("labels");
    expect(used?.hash).toMatch(/^[0-9a-f]{32}$/);
    expect(model).toBe("ssdcm");
    expect(text).toContain("semi-supervised: learnt from the labels of 20 nodes, 2 classes");
    expect(text).not.toContain("unsupervised setting");
    expect(readFileSync(at("a", "report.html"), "utf8")).toContain(
      "semi-supervised, from the labels of 20 nodes in 2 classes",
    );
    const scored = await runCommand(classify, [at("a"), "--labels", at("split"), "--split", "given"]);
    expect(scored.text).toContain("the model learned from the labels of 20 nodes");
  });

  test("FILE: learns from the nodes it names", async () => {
    const words = [at("data"), ...SHORT, "--train-labels", at("some.csv"), "--out", at("b"), "--no-report"];
    const { text } = await runCommand(embed, words);
    expect(text).toContain("ignored 1 labelled node missing from the graph");
    expect(record("b").labels).toMatchObject({ file: at("some.csv"), split: null, nodes: 10, classes: 2 });
    expect(record("b").labels?.hash).not.toBe(record("a").labels?.hash);
  });

  test("absent: learns without labels, and notes it", async () => {
    const { text } = await runCommand(embed, [at("split"), ...SHORT, "--out", at("c")]);
    expect(text).toContain(
      "ssdcm learns from labels, and --train-labels is not given; it is trained in its unsupervised",
    );
    expect(record("c").labels).toBeNull();
    expect(readFileSync(at("c", "report.html"), "utf8")).toContain("without labels");
    const scored = await runCommand(classify, [at("c"), "--labels", at("split"), "--split", "given"]);
    expect(scored.text).not.toContain("semi-supervised");
  });

  test.each([
    [
      "for another model",
      "data",
      "given",
      ["--model", "hmge"],
      /^--train-labels: hmge learns without labels; .*ssdcm\.$/,
    ],
    ["without a split", "data", "given", [], /^--train-labels given: the dataset folder has no split file.*\.$/],
    ["without a folder", "some.csv", "given", [], /^--train-labels given: the source is not a dataset folder.*\.$/],
    ["of one class", "data", "one.csv", [], /^--train-labels: all 5 training nodes have the label "same".*\.$/],
    ["of other nodes", "data", "others.csv", [], /^--train-labels: none of the 2 nodes of .* is in the graph.*\.$/],
  ])("refuses labels %s in one line", async (_, source, given, more, message) => {
    const file = given === "given" ? given : at(given);
    const short = more.length > 0 ? [...more, ...SHORT.slice(2)] : SHORT;
    const columns = source === "some.csv" ? ["--columns", "source=node,target=label"] : [];
    const words = [at(source), ...columns, ...short, "--train-labels", file, "--out", at("no")];
    expect(await refusalOf(["embed", ...words])).toMatch(message);
    expect(existsSync(at("no"))).toBe(false);
  });
});

describe("a run with labels", () => {
  const nodes = matchLabels(graph.ids, {
    byNode: new Map(graph.ids.map((id, i) => [id, [labels[i]]])),
    names: ["c0", "c1"],
  });
  const withLabels = (count: number) => {
    const places = Array.from({ length: count }, (_, i) => i);
    return { ...graph, labels: trainingLabels(graph.numNodes, nodes, places).input };
  };

  test("depends on its labels, and is not resumed with others", async () => {
    const settings = { dim: 4, epochs: 3, threads: 1 };
    const first = await startRun(withLabels(20), ssdcm, settings);
    for await (const _ of first);
    const snapshot = await first.snapshot();
    await first.dispose();
    const other = await train(withLabels(21), ssdcm, settings);
    expect(other.losses[0]).not.toBe(first.losses[0]);
    const resumed = await train(withLabels(20), ssdcm, { ...settings, epochs: 5, resume: snapshot });
    expect(resumed.numEpochs).toBe(5);
    for (const elsewhere of [withLabels(21), graph]) {
      await expect(train(elsewhere, ssdcm, { ...settings, epochs: 5, resume: snapshot })).rejects.toThrow(
        /other training labels/,
      );
    }
  });

  test("is refused labels of another graph", async () => {
    const short = { ...withLabels(5).labels, rowStart: Uint32Array.of(0, 1) };
    await expect(train({ ...graph, labels: short }, ssdcm, { epochs: 1 })).rejects.toThrow(
      "graph: labels of ssdcm: 1 rows of 5 entries do not fit; expected one for each of 60 nodes",
    );
  });
});

describe("other commands", () => {
  test("evaluate links notes that no labels are used", async () => {
    const { text } = await runCommand(links, [at("split"), ...SHORT]);
    expect(text).toContain("ssdcm learns from labels, and link prediction uses none");
  });

  test("compare marks the row and describes the protocol", async () => {
    const words = ["--models", "ssdcm,hmge", "--seeds", "1", "--epochs", "2", "--dim", "4", "--threads", "1"];
    const { text } = await runCommand(compare, [at("split"), ...words, "--out", at("compared")]);
    const markdown = readFileSync(at("compared", "compare.md"), "utf8");
    for (const shown of [text, markdown]) expect(shown).toContain("ssdcm, semi-supervised");
    expect(markdown).not.toContain("hmge, semi");
    expect(markdown).toContain(
      "ssdcm is semi-supervised in classify: it learns from the training labels of that split, and never from nodes that choose C, and learns without labels for links.",
    );
  });
});
