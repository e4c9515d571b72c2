import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Rng } from "../../src/core/rng.js";
import { documentOf, hmgeInProcess, refusalOf } from "./in-process.js";
import { hmge, temporaryFolder } from "./program.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

const NODES = 120;

/** Vectors around three corners; the label is the corner. Node n0 has no label, node "stranger" has no vector. */
function writeVectors(name: string, seed: number): string {
  const rng = new Rng(seed, "vectors");
  const lines = Array.from({ length: NODES }, (_, i) => {
    const numbers = [0, 1, 2].map((corner) => (i % 3 === corner ? 2 : 0) + 0.8 * rng.normal());
    return [`n${i}`, ...numbers.map((value) => value.toFixed(5))].join("\t");
  });
  writeFileSync(at(name), ["node\tx\ty\tz", ...lines, ""].join("\n"));
  return at(name);
}

function writeTable(name: string, header: string, row: (i: number) => string[]): string {
  const rows = Array.from({ length: NODES }, (_, i) => row(i)).flat();
  writeFileSync(at(name), [header, ...rows, ""].join("\n"));
  return at(name);
}

const first = writeVectors("first.tsv", 1);
const second = writeVectors("second.tsv", 2);
const labels = writeTable("labels.csv", "node,label", (i) => (i === 0 ? ["stranger,c0"] : [`n${i},c${i % 3}`]));
const several = writeTable("several.csv", "id,topic", (i) => [`n${i},c${i % 3}`, ...(i % 3 === 0 ? [`n${i},x`] : [])]);
const split = writeTable("split.csv", "node,split", (i) => [`n${i},${i < 40 ? "train" : i < 60 ? "val" : "test"}`]);

// biome-ignore lint/suspicious/noExplicitAny: documents of several tasks
const evaluated = async (...words: string[]): Promise<any> => documentOf(["evaluate", ...words, "--json"]);

const refusal = (...words: string[]) => refusalOf(["evaluate", ...words]);

describe("hmge evaluate", () => {
  it("notes that vectors of several models are scored together", async () => {
    const runs = ["one", "two", "third"].map((name, k) => {
      mkdirSync(at(name));
      writeFileSync(at(`${name}/run.json`), JSON.stringify({ model: k < 2 ? "hmge" : "dmgi" }));
      return writeVectors(`${name}/embeddings.tsv`, 3 + k);
    });
    const mixed = await evaluated("classify", runs[0], runs[2], "--labels", labels, "--repeats", "1");
    expect(mixed.notes).toContainEqual(expect.stringContaining("the vectors come from 2 models (hmge, dmgi)"));
    const seeds = await evaluated("classify", runs[0], runs[1], "--labels", labels, "--repeats", "1");
    expect(JSON.stringify(seeds.notes)).not.toContain("models");
  });

  it("lists its tasks and has help for each", async () => {
    const { stdout } = await hmgeInProcess(["evaluate", "--help"]);
    for (const task of ["classify", "links", "cluster", "search"])
      expect(stdout).toMatch(new RegExp(`^ {2}${task} `, "m"));
    for (const task of ["classify", "cluster", "search"]) {
      const help = await hmgeInProcess(["evaluate", task, "--help"]);
      expect([help.code, help.stderr]).toEqual([0, ""]);
      expect(help.stdout).toContain(`hmge evaluate ${task} vectors --labels labels.csv`);
      expect((await hmgeInProcess(["help", "evaluate", task])).stdout).toBe(help.stdout);
    }
    expect(await refusal("clasify", first)).toContain('did you mean "classify"?');
    expect(await refusal()).toContain("expected classify, links, cluster or search");
  });

  it("refuses wrong options and files in one line", async () => {
    writeFileSync(at("foreign.csv"), "node,label\na,x\nb,y\n");
    writeFileSync(at("twice.csv"), "node,split\nn1,train\nn1,test\n");
    const classify = ["classify", first, "--labels", labels];
    const cases: [string[], string][] = [
      [["classify", "--labels", labels], "the folder or file of an embedding"],
      [["classify", first], "--labels: missing"],
      [["classify", first, first, "--labels", labels], "given twice"],
      [["classify", first, "--labels", at("none.csv")], "none.csv: no such file"],
      [[...classify, "--train", "1"], "above 0 and below 1"],
      [[...classify, "--strength", "0"], "above 0, or validate"],
      [[...classify, "--strength", "1", "--protocol", "paper"], "does not apply to --protocol paper"],
      [[...classify, "--protocol", "papr"], 'did you mean "paper"?'],
      [[...classify, "--split", "given"], "is not a dataset folder"],
      [[...classify, "--split", split, "--train", "0.2"], "--train: cannot be combined with --split"],
      [["classify", first, "--labels", several], "--columns label=NAME"],
      [["classify", first, "--labels", several, "--columns", "lable=topic"], 'did you mean "label"?'],
      [["cluster", first, "--labels", at("foreign.csv")], "Check that both use the same ids"],
      [["cluster", first, "--labels", labels, "--clusters", "500"], "500 for 119 nodes"],
      [["search", first, "--labels", labels, "--split", at("twice.csv")], "in two parts"],
    ];
    for (const [words, message] of cases) expect(await refusal(...words)).toContain(message);
  });
});

describe("hmge evaluate classify", () => {
  it("scores random splits, the same for the same seed", async () => {
    const words = ["classify", first, "--labels", labels, "--train", "0.2", "--repeats", "4", "--seed", "3"];
    const found = await evaluated(...words);
    expect(found).toMatchObject({ task: "classify", nodes: 119, repeats: 4, seed: 3, strength: 1 });
    expect(found.split).toEqual({ kind: "random", train: 24, validation: 0, test: 95 });
    expect(found.results.map(({ rows }: { rows: string }) => rows)).toEqual(["standardised", "raw"]);
    expect(found.results[0].accuracy.mean).toBeGreaterThan(0.75);
    expect(found.results[0].accuracy.values[0]).toHaveLength(4);
    expect(found.notes.join(" ")).toMatch(/"stranger".*1 of 120 nodes of the embedding has no label/);
    expect(await evaluated(...words)).toEqual(found);
    expect((await evaluated(...words.slice(0, -1), "4")).results).not.toEqual(found.results);
  });

  it("states over which runs the deviation is taken", async () => {
    const words = ["classify", "--labels", labels, "--repeats", "3", "--stratify"];
    const one = await hmge(["evaluate", ...words, first]);
    expect(one.stdout).toMatch(/vectors\s+macro-F1\s+micro-F1\s+accuracy\n.*\nstandardised\s+0\.\d{4} ± 0\.\d{4}\s/);
    expect(one.stdout).toContain("Mean ± deviation over the 3 random splits.");
    expect(one.stdout).toContain("stratified split");
    expect(one.stdout).toMatch(/baseline, always ".+": macro-F1 0\.\d{4}, accuracy 0\.\d{4}\n/); // without a graph
    expect(one.stderr).toContain('note: 1 of 120 labelled nodes is not in the embedding and is not used: "stranger".');
    const two = await hmgeInProcess(["evaluate", ...words, first, second, "--quiet"]);
    expect(two.stdout).toMatch(/standardised\s+0\.\d{4} ± 0\.\d{4} ± 0\.\d{4}\s/);
    expect(two.stderr).toBe("");
    const both = await evaluated(...words, first, second);
    expect(both.embeddings).toBe(2);
    expect(both.files).toEqual({ embeddings: [first, second], labels, split: null });
    expect(both.results[0].macroF1.overEmbeddings).toBeGreaterThan(0);
  });

  it("reads a split from a file, chooses C by validation, and follows the paper's protocol", async () => {
    const words = ["classify", first, "--labels", labels, "--split", split];
    const fixed = await evaluated(...words);
    expect(fixed.split).toEqual({ kind: "given", train: 39, validation: 20, test: 60 });
    const chosen = await evaluated(...words, "--strength", "validate");
    expect(chosen.strength).toBe("validate");
    expect(chosen.results[0].strengths[0]).toHaveLength(1);
    const paper = await evaluated(...words, "--protocol", "paper", "--repeats", "3");
    expect(paper).toMatchObject({ protocol: "paper", repeats: 3, strength: null });
    expect(paper.results[0].accuracy.mean).toBeGreaterThan(0.75);
    const noted = await evaluated(...words, "--repeats", "3");
    expect(noted.notes.join(" ")).toContain("--repeats has no effect");
    expect(noted.results).toEqual(fixed.results);
  });

  it("scores several labels per node, by threshold and by their true number", async () => {
    const words = ["classify", first, "--labels", several, "--columns", "node=id,label=topic", "--train", "0.4"];
    const found = await evaluated(...words, "--repeats", "2");
    expect(found.multiLabel).toBe(true);
    expect(found.results.map(({ decision }: { decision: string }) => decision)).toEqual([
      "threshold",
      "top-k",
      "threshold",
      "top-k",
    ]);
    expect(found.results[1].microF1.mean).toBeGreaterThan(0.75);
  });

  it("finds labels and split in a dataset folder", async () => {
    const out = at("sbm");
    await hmgeInProcess(["generate", "sbm", "--nodes", "60", "--relations", "2", "--out", out, "--quiet"]);
    const id = (i: number) => `n${String(i).padStart(4, "0")}`;
    const vectors = Array.from({ length: 60 }, (_, i) => `${id(i)}\t${i % 7}\t${i % 5}`);
    writeFileSync(at("plain.tsv"), ["node\tx\ty", ...vectors, ""].join("\n"));
    expect(await evaluated("classify", at("plain.tsv"), "--labels", out, "--repeats", "2")).toMatchObject({
      nodes: 60,
    });
    expect(await refusal("classify", at("plain.tsv"), "--labels", out, "--split", "given")).toContain("no split file");
    const parts = vectors.map((_, i) => `${id(i)}\t${i % 2 === 0 ? "train" : "test"}`);
    writeFileSync(join(out, "split.tsv"), ["node\tsplit", ...parts, ""].join("\n"));
    const given = await evaluated("classify", at("plain.tsv"), "--labels", out, "--split", "given");
    expect(given.split).toEqual({ kind: "given", train: 30, validation: 0, test: 30 });
  });

  it("chooses the prefix by validation, scores baselines of the graph, and says when one is better", async () => {
    const graph = at("planted");
    const id = (i: number) => `n${i}`;
    // the degree is the label: hubs have many neighbours, the others one
    const edges = Array.from({ length: 60 }, (_, i) =>
      (i % 2 === 0 ? [1, 3, 5, 7, 9] : [30]).map((step) => `${id(i)},${id((i + step) % 60)}`),
    ).flat();
    mkdirSync(graph);
    writeFileSync(join(graph, "edges.csv"), ["source,target", ...edges, ""].join("\n"));
    const rows = Array.from({ length: 60 }, (_, i) => `${id(i)},${i % 2 === 0 ? "hub" : "leaf"}`);
    writeFileSync(at("degree-labels.csv"), ["node,label", ...rows, ""].join("\n"));
    const rng = new Rng(9, "noise");
    const vectors = (name: string, value: (i: number, k: number) => number) => {
      const lines = Array.from({ length: 60 }, (_, i) =>
        [id(i), ...Array.from({ length: 12 }, (_, k) => value(i, k).toFixed(4))].join("\t"),
      );
      writeFileSync(at(name), [["node", ..."abcdefghijkl"].join("\t"), ...lines, ""].join("\n"));
      return at(name);
    };
    const noise = vectors("noise.tsv", () => rng.normal());
    const exact = vectors("exact.tsv", (i, k) => (k === 0 ? i % 2 : 0.01 * rng.normal()));
    const words = ["--labels", at("degree-labels.csv"), "--train", "0.5", "--repeats", "2"];
    const without = await evaluated("classify", noise, ...words);
    expect(without.baselines).toEqual([]);
    expect(without.notes.join(" ")).toContain("has no run.json with its source: the baselines");
    const found = await evaluated("classify", noise, ...words, "--graph", graph, "--prefix", "validate");
    const names = found.baselines.map(({ name }: { name: string }) => name);
    expect(names).toEqual(["majority class", "degree profile", "diffusion-16", "spectral-64, union"]);
    expect(found.beaten).toMatch(/^The degrees alone score higher: macro-F1 1\.0000 \(the vectors 0\.\d{4}\)\.$/);
    const [choices] = found.byValidation.results[0].choices;
    expect(choices).toHaveLength(2);
    for (const { columns } of choices) expect([8, 12]).toContain(columns);
    const text = await hmgeInProcess(["evaluate", "classify", exact, ...words, "--graph", graph, "--quiet"]);
    expect(text.stdout).toMatch(/baseline: degree profile\s+1\.0000/);
    // the most frequent label is a row of the table
    expect(text.stdout).toMatch(/baseline: majority class\s+0\.\d{4}/);
    expect(text.stdout).not.toContain("baseline, always");
    expect(text.stdout).toContain("Chosen by validation: raw, 12 columns, C ");
    expect(text.stdout).not.toContain("higher");
    const none = await evaluated("classify", exact, ...words, "--no-baselines");
    expect([none.baselines, none.notes]).toEqual([[], []]);
    expect(await refusal("classify", exact, ...words, "--prefix", "0")).toContain("--prefix");
    expect(await refusal("classify", exact, ...words, "--prefix", "8", "--protocol", "paper")).toContain(
      "--prefix: does not apply to --protocol paper",
    );
  });
});

describe("hmge evaluate cluster and search", () => {
  it("clusters all labelled nodes or the test nodes", async () => {
    const found = await evaluated("cluster", first, "--labels", labels, "--repeats", "2");
    expect(found).toMatchObject({ task: "cluster", nodes: 119, part: "all", classes: 3, clusters: 3, repeats: 2 });
    expect(found.results[1].nmi.mean).toBeGreaterThan(0.4);
    expect(found.results[1].accuracy.mean).toBeGreaterThan(0.7);
    const text = await hmgeInProcess([
      "evaluate",
      "cluster",
      first,
      "--labels",
      labels,
      "--split",
      split,
      "--repeats",
      "2",
    ]);
    expect(text.stdout).toMatch(/cluster {2}60 test nodes, 3 classes; k-means with 3 clusters/);
    expect(text.stdout).toMatch(/vectors\s+NMI\s+ARI\s+accuracy/);
  });

  it("searches by cosine", async () => {
    const found = await evaluated("search", first, second, "--labels", labels);
    expect(found.results[0].simAtK.map(({ k }: { k: number }) => k)).toEqual([5, 10, 20, 50, 100]);
    expect(found.results[0].simAtK[0].share.mean).toBeGreaterThan(0.6);
    expect(found.results[0].simAtK[0].share.overEmbeddings).not.toBeNull();
    expect(found.chance).toBeCloseTo(1 / 3, 1);
    const text = await hmgeInProcess(["evaluate", "search", first, "--labels", labels, "--quiet"]);
    expect(text.stdout).toMatch(/vectors\s+Sim@5\s+Sim@10\s+Sim@20\s+Sim@50\s+Sim@100/);
  });
});
