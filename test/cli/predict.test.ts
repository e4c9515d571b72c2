import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { embed } from "../../src/cli/embed/embed.js";
import { predict } from "../../src/cli/predict/predict.js";
import { predictLinks } from "../../src/cli/predict/predict-links.js";
import { readStoredDecoder } from "../../src/cli/run/stored-decoder.js";
import { generateSbm } from "../../src/graph/synthetic/sbm.js";
import { readEmbeddings } from "../../src/io/formats/embedding-files.js";
import { loadGraph } from "../../src/io/graph/load-graph.js";
import { multiview } from "../../src/models/index.js";
import { readDecoder } from "../../src/train/decoder.js";
import { startRun } from "../../src/train/train.js";
import { refusalOf, runCommand } from "./in-process.js";
import { temporaryFolder } from "./program.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const { graph, labels } = generateSbm({ nodes: 150, relations: 3, pIn: 0.2, pOut: 0.03, seed: 1 });
const training = ["--dim", "16", "--threads", "1", "--no-report"];

beforeAll(async () => {
  const rows = graph.relations.flatMap(({ name, rowStart, columns }) =>
    graph.ids.flatMap((id, i) =>
      Array.from(columns.subarray(rowStart[i], rowStart[i + 1]))
        .filter((j) => j > i)
        .map((j) => `${name}\t${id}\t${graph.ids[j]}`),
    ),
  );
  writeFileSync(at("edges.tsv"), `relation\tsource\ttarget\n${rows.join("\n")}\n`);
  const some = graph.ids.slice(0, 60).map((id, i) => `${id},${labels[i]}`);
  writeFileSync(at("labels.csv"), `node,label\n${some.join("\n")}\n`);
  writeFileSync(at("all.csv"), `node,label\n${graph.ids.map((id, i) => `${id},${labels[i]}`).join("\n")}\n`);
  await runCommand(embed, [at("edges.tsv"), "--out", at("vectors"), "--epochs", "30", ...training]);
});

describe("hmge predict", () => {
  it("writes a row for each unlabelled node, and prints the expected accuracy", async () => {
    const out = at("predicted.csv");
    const { code, text, document } = await runCommand(predict, [
      at("vectors"),
      "--labels",
      at("labels.csv"),
      "--out",
      out,
    ]);
    expect(code).toBe(0);
    const [header, ...rows] = readFileSync(out, "utf8").trimEnd().split("\n");
    expect(header).toBe("node,label,probability");
    expect(rows.map((row) => row.split(",")[0])).toEqual(graph.ids.slice(60));
    const right = rows.filter((row, i) => row.split(",")[1] === String(labels[60 + i])).length / 90;
    const { expected } = document as { expected: { accuracy: { mean: number; deviation: number } } };
    // with 60 labels the expected accuracy has a standard deviation near 0.05; the other labels are not used
    expect(Math.abs(expected.accuracy.mean - right)).toBeLessThan(0.15);
    expect(text).toContain("90 of 150 nodes from 60 labelled nodes; 2 classes");
    expect(text).toMatch(/^these predictions +\d+\.\d ± \d+\.\d/m);
    expect(text).toContain("log-loss: mean of -ln(probability of the true label); 0 is best");
    expect(text).toContain(
      "calibration error (ECE): mean difference between the predicted probability and the share of correct labels",
    );
    // the graph is read from the file that run.json names
    expect(text).toMatch(/^neighbour vote /m);
    expect(text).not.toContain("note:");
    const again = await refusalOf(["predict", at("vectors"), "--labels", at("labels.csv"), "--out", out]);
    expect(again).toContain("exists. Choose another --out, or add --overwrite.");
  });

  it("writes the two most probable labels, with labelled nodes predicted out of fold", async () => {
    const out = at("top.jsonl");
    const words = [at("vectors"), "--labels", at("all.csv"), "--out", out, "--no-baselines"];
    expect(await refusalOf(["predict", ...words])).toContain("all 150 nodes of");
    await runCommand(predict, [...words, "--all", "--top", "2", "--folds", "3"]);
    const rows = readFileSync(out, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows).toHaveLength(300);
    expect(Object.keys(rows[0])).toEqual(["node", "label", "probability", "predicted", "given"]);
    for (let i = 0; i < 300; i += 2) {
      expect(rows[i].probability + rows[i + 1].probability).toBeCloseTo(1, 4);
      expect([rows[i].predicted, rows[i + 1].predicted]).toEqual([1, 0]);
    }
  });

  it("scores baselines only with the graph, and refuses wrong files in one line", async () => {
    writeFileSync(at("alone.csv"), readFileSync(at("labels.csv")));
    const vectors = join(at("vectors"), "embeddings.parquet");
    const options = ["--labels", at("labels.csv"), "--out", at("x.tsv"), "--overwrite"];
    const gone = await runCommand(predict, [vectors, ...options, "--graph", at("edges.tsv"), "--repeats", "1"]);
    expect(gone.text).toMatch(/^degrees /m);
    const without = await runCommand(predict, [vectors, ...options, "--no-graph", "--repeats", "1"]);
    expect(without.text).not.toMatch(/^degrees /m);
    const labelled = ["predict", vectors, "--labels", at("labels.csv")];
    expect(await refusalOf(labelled)).toContain("--out: missing");
    expect(await refusalOf([...labelled, "--out", at("x.txt")])).toContain(".csv, .tsv");
  });
});

describe("hmge predict-links", () => {
  it("reads the decoder of the run to the last bit", async () => {
    const loaded = await loadGraph([at("edges.tsv")], {});
    const run = await startRun(loaded, multiview, { dim: 16, epochs: 30, threads: 1, withRelations: true });
    for await (const _ of run);
    const [own, stored] = [
      await readDecoder(run, multiview, loaded),
      await readStoredDecoder(at("vectors"), (await readEmbeddings(at("vectors"))).ids),
    ];
    for (const d of [0, 1, 2]) expect(stored?.vectors(d)).toEqual(own?.vectors(d));
    expect(stored?.score).toBe(own?.score);
    await run.dispose();
  });

  it("lists only pairs that are no edges, the same in the table and the document", async () => {
    const name = graph.relations[1].name;
    const out = at("links.tsv");
    const { text, document } = await runCommand(predictLinks, [
      at("vectors"),
      "--relation",
      name,
      "--top",
      "7",
      "--out",
      out,
    ]);
    const { links } = document as { links: { source: string; target: string; score: number }[] };
    expect(links).toHaveLength(7);
    const known = new Set(readFileSync(at("edges.tsv"), "utf8").split("\n"));
    for (const { source, target } of links) {
      expect(known.has(`${name}\t${source}\t${target}`) || known.has(`${name}\t${target}\t${source}`)).toBe(false);
    }
    const rows = readFileSync(out, "utf8").trimEnd().split("\n").slice(1);
    expect(rows.map((row) => row.split("\t").slice(0, 3).join(" "))).toEqual(
      links.map(({ source, target }) => `${name} ${source} ${target}`),
    );
    expect(text).toContain("hmge evaluate links");
    expect(text).toMatch(/by Adamic-Adar over all relations/);
    expect(text).toContain(`common neighbours: nodes linked to both, in relation "${name}" only`);
    expect(text).toMatch(/Adamic.Adar: nodes linked to both; .*in all relations together/);
  });

  it("refuses a graph that has changed, and a missing --relation", async () => {
    const name = graph.relations[0].name;
    writeFileSync(at("moving.tsv"), readFileSync(at("edges.tsv")));
    await runCommand(embed, [at("moving.tsv"), "--out", at("moved"), "--model", "dmgi", "--epochs", "2", ...training]);
    const plain = await runCommand(predictLinks, [at("moved"), "--relation", name, "--top", "2"]);
    expect(plain.text).toContain("holds no decoder (model dmgi): pairs are scored by the dot product");
    writeFileSync(at("moving.tsv"), `${readFileSync(at("edges.tsv"), "utf8")}${name}\t${graph.ids[0]}\tnewcomer\n`);
    const words = ["predict-links", at("moved"), "--relation", name];
    expect(await refusalOf(words)).toContain("has changed since the run; the graph is needed");
    expect(await refusalOf([...words, "--graph", at("moving.tsv")])).toContain("the same nodes");
    expect(await refusalOf(["predict-links", at("vectors")])).toContain("--relation: missing; expected one of");
  });
});
