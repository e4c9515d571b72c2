import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { hmgeInProcess, refusalOf } from "./in-process.js";
import { hmge, listFolder, temporaryFolder, writeSmallGraph } from "./program.js";

const folder = temporaryFolder();
const edges = writeSmallGraph(folder);
const out = join(folder, "out");

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const HEAD = "source,target,relation,weight\n";
const few = file("few.csv", "source,target\na,b\nb,c\n");
mkdirSync(join(folder, "foreign"));
file("foreign/thesis.doc", "mine");
mkdirSync(join(folder, "nothing"));

/** Arguments of `hmge embed`, and where its one line says the fault is and what was found. */
const cases: readonly [fault: string, words: readonly string[], message: RegExp][] = [
  ["no source", [], /source: missing; expected a dataset folder/],
  ["a missing file", [join(folder, "absent.csv")], /absent\.csv: .*no such file/i],
  ["an empty file", [file("empty.csv", "")], /empty\.csv: .*empty/],
  ["an empty compressed file", [file("empty.csv.gz", gzipSync(""))], /empty\.csv\.gz: .*no rows/],
  ["only a header", [file("header.csv", HEAD)], /header\.csv: .*only a header/],
  ["no source column", [file("names.csv", "alpha,beta,gamma\nx,y,1\n")], /names\.csv: .*source/],
  ["a ragged row", [file("ragged.csv", `${HEAD}a,b,r,1\na,b\n`)], /ragged\.csv:3: /],
  ["an open quote", [file("quote.csv", `${HEAD}a,b,r,1\n"a,b,r,1\n`)], /quote\.csv:3: /],
  ["an empty id", [file("null.csv", `${HEAD}a,b,r,1\n,b,r,1\n`)], /null\.csv:3: .*source/],
  ["a weight that is a word", [file("word.csv", `${HEAD}a,b,r,heavy\n`)], /word\.csv:2: .*"heavy"/],
  ["a negative weight", [file("negative.csv", `${HEAD}a,b,r,1\nb,c,r,-2\n`)], /negative\.csv:3: .*-2/],
  ["a weight that is NaN", [file("nan.csv", `${HEAD}a,b,r,1\nb,c,r,NaN\n`)], /nan\.csv:3: .*NaN/i],
  ["an infinite weight", [file("inf.csv", `${HEAD}a,b,r,1\nb,c,r,inf\n`)], /inf\.csv:3: .*inf/i],
  ["one node", [file("one.csv", "source,target\na,a\n")], /1 node; expected two nodes or more/],
  ["no edge left", [file("loops.csv", "source,target\na,a\nb,b\n")], /no edge is left/],
  [
    "features of unknown nodes only",
    [few, "--features", file("f1.csv", "node,x\nd,1\ne,2\n")],
    /f1\.csv: none of its 2 nodes is in the graph/,
  ],
  ["missing features", [few, "--features", file("f2.csv", "node,x\na,1\nb,2\n")], /f2\.csv: .*"c"/],
  ["a feature that is a word", [few, "--features", file("f3.csv", "node,x\na,1\nb,two\nc,3\n")], /f3\.csv:3: .*"two"/],
  ["an unknown option", [edges, "--dims", "3"], /unknown option "--dims"; did you mean "--dim"\?/],
  ["an unknown model", [edges, "--model", "hmgo"], /unknown model "hmgo"; did you mean "hmge"\?/],
  [
    "an unknown preset",
    [edges, "--model", "hmge", "--preset", "papr"],
    /unknown preset "papr"; did you mean "paper"\?/,
  ],
  [
    "an option that only another model has",
    [edges, "--set", "tableWidth=3"],
    /no option "tableWidth"; --model hmge has it\./,
  ],
  ["a preset of another model", [edges, "--preset", "reference"], /no preset "reference"; .*--model hmge.* has it\./],
  ["an unknown model option", [edges, "--set", "drpout=3"], /"drpout"; did you mean "dropout"\?/],
  [
    "a model option of another kind",
    [edges, "--model", "hmge", "--set", "aggregation=median"],
    /"median"; expected mean \| attention/,
  ],
  ["--set without a value", [edges, "--set", "dim"], /--set: found "dim"; expected OPTION=VALUE/],
  ["an option given twice", [edges, "--dim", "3", "--set", "dim=4"], /dim is given twice/],
  ["an option without its value", [edges, "--dim"], /--dim: no value before --out; expected N/],
  ["dim 0", [edges, "--dim", "0"], /--dim: found "0"; expected integer ≥ 1\./],
  ["a seed that is no number", [edges, "--seed", "one"], /--seed: found "one"; expected integer from 0/],
  ["no threads", [edges, "--threads", "0"], /--threads: found "0"; expected integer ≥ 1\./],
  ["an unknown engine", [edges, "--engine", "wsm"], /--engine: unknown "wsm"; did you mean "wasm"\?/],
  ["an unknown format", [edges, "--format", "npz"], /--format: unknown "npz"; did you mean "npy"\?/],
  ["an unknown column", [edges, "--columns", "source=who"], /who/],
  ["an unknown role", [edges, "--columns", "sorce=a"], /unknown role "sorce"; did you mean "source"\?/],
  [
    "a column role that only labels have",
    [edges, "--columns", "node=a"],
    /node is a column of --nodes or --labels; expected one of them too/,
  ],
  [
    "a seed beyond all numbers",
    [edges, "--seed", "99999999999999999999"],
    /expected integer from 0 to 9007199254740991/,
  ],
  ["a query with a syntax error", ["--sql", "SELEC 1"], /--sql: .*syntax error/],
  [
    "sizes that do not fit the relations",
    [edges, "--model", "hmge", "--set", "sizes=5,1"],
    /sizes is 5,1 for 3 relations/,
  ],
  [
    "too little memory for a run",
    [edges, "--memory-limit", "120MB"],
    /memory: about \d+ MB are needed; the limit is 120 MB/,
  ],
  [
    "too little memory to read",
    [edges, "--memory-limit", "50MB"],
    /--memory-limit: reading .* needs about 105 MB; the limit is 50 MB/,
  ],
  ["labels for a report that is not written", [edges, "--labels", edges, "--no-report"], /--labels: .*--no-report/],
  ["a folder without edges", [join(folder, "nothing")], /nothing: .*edges/],
  ["a truncated Parquet file", [file("cut.parquet", "PAR1 and no more")], /cut\.parquet: /],
  ["resume and overwrite", [edges, "--resume", "--overwrite"], /found together with --resume/],
];

describe("bad input", () => {
  it.each(cases)("%s: refused in one line with exit code 2, and nothing is written", async (_, words, message) => {
    const before = listFolder(folder);
    expect(await refusalOf(["embed", ...words, "--out", out, "--quiet"])).toMatch(message);
    expect(listFolder(folder)).toEqual(before);
  });

  it("looks the same from a shell: one line, exit code 2, no stack", async () => {
    for (const [, words, message] of [cases[1], cases[6]]) {
      const { code, stdout, stderr } = await hmge(["embed", ...words, "--out", out, "--quiet"]);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/^hmge: [^\n]*\n$/);
      expect(stderr).toMatch(message);
    }
  });

  it("refuses an output folder that cannot take the results before it trains", async () => {
    const before = listFolder(folder);
    for (const [where, message] of [
      [edges, /edges\.csv: is a file; expected a folder/],
      [join(edges, "below"), /is a file; expected a folder|a part of this path is a file/],
      [join(folder, "foreign"), /foreign: holds other files, such as thesis\.doc/],
      ["/proc/hmge-results", /\/proc\/hmge-results: (cannot write|the disk has 0 B left)/],
    ] as const) {
      expect(await refusalOf(["embed", edges, "--out", where, "--quiet"])).toMatch(message);
    }
    expect(await refusalOf(["embed", edges])).toBe(
      "--out: missing; expected a folder for the results, such as --out vectors.",
    );
    expect(listFolder(folder)).toEqual(before);
    expect(listFolder(join(folder, "foreign"))).toEqual(["thesis.doc"]);
  });

  it("leaves nothing behind when the loss becomes infinite", async () => {
    const wild = ["--learning-rate", "1e30", "--checkpoint-every", "0", "--quiet"];
    expect(await refusalOf(["embed", edges, "--out", out, ...wild])).toMatch(
      /^epoch \d+: the loss is \S+; the first op .* is \S+\. Use a smaller learning rate/,
    );
    expect(listFolder(folder)).not.toContain("out");
  });

  it("shows the stack with --debug", async () => {
    const { code, stderr } = await hmgeInProcess(["embed", join(folder, "absent.csv"), "--out", out, "--debug"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^hmge: .*\nInputError: .*\n\s+at /);
  });
});
