import { readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { compare } from "../../src/cli/compare/compare.js";
import { compareRows, compareTable } from "../../src/cli/compare/compare-table.js";
import { embed } from "../../src/cli/embed/embed.js";
import { CellStore, cellHash } from "../../src/experiments/cells/cell-store.js";
import { generateSbm } from "../../src/graph/synthetic/sbm.js";
import { writeDataset } from "../../src/io/graph/write-dataset.js";
import { tableText } from "../../src/report/table.js";
import { refusalOf, runCommand } from "./in-process.js";
import { listFolder, temporaryFolder } from "./program.js";

const folder = temporaryFolder();
const data = join(folder, "sbm");
const out = join(folder, "comparison");
const words = [
  data,
  "--models",
  "hmge,hmge:reference",
  "--seeds",
  "1,2",
  "--epochs",
  "12",
  "--dim",
  "8",
  "--threads",
  "1",
];

interface Record {
  readonly rows: readonly {
    readonly name: string;
    readonly baseline: boolean;
    readonly scores: {
      readonly [task: string]: { readonly [metric: string]: { mean: number; values: readonly number[] } };
    };
    readonly training: { readonly epochs: { readonly mean: number }; readonly engineBytes: number } | null;
  }[];
  readonly cells: { readonly reused: number; readonly computed: number };
}

beforeAll(async () => {
  const { graph, labels } = generateSbm({ nodes: 60, relations: 3, pIn: 0.3, pOut: 0.03, seed: 1 });
  await writeDataset(data, graph, { labels });
});

describe("compare", () => {
  test("scores models and baselines, and computes finished cells only once", async () => {
    const first = await runCommand(compare, [...words, "--repeats", "3", "--out", out]);
    const { rows, cells } = first.document as Record;
    expect(first.code).toBe(0);
    expect(cells).toEqual({ reused: 0, computed: 2 * 2 * 2 + 4 + 2 });
    expect(listFolder(join(out, "cells")).length).toBe(cells.computed);
    const names = rows.map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(["hmge", "hmge:reference"]);
    expect(names).toContain("Adamic–Adar");
    for (const name of ["majority class", "degree profile", "diffusion-16", "spectral-64, union"])
      expect(names).toContain(name);
    for (const { baseline, scores, training } of rows) {
      if (baseline) continue;
      for (const metric of ["validatedMacroF1", "macroF1", "rawMacroF1", "accuracy", "rawAccuracy"]) {
        expect(scores["classify"][metric].values.length).toBe(2);
      }
      expect(scores["links"]["auc"].mean).toBeGreaterThan(0);
      expect(training?.epochs.mean).toBe(12);
      expect(training?.engineBytes).toBeGreaterThan(1000);
    }
    // two presets, two seeds: four different trainings
    const values = rows.slice(0, 2).flatMap(({ scores }) => scores["links"]["auc"].values);
    expect(new Set(values).size).toBe(4);

    const files = ["compare.json", "compare.md"].map((file) => join(out, file));
    expect(readFileSync(files[1], "utf8")).toContain("| hmge:reference |");
    const again = await runCommand(compare, [...words, "--repeats", "3", "--out", out]);
    expect((again.document as Record).cells).toEqual({ reused: cells.computed, computed: 0 });
    expect((again.document as Record).rows).toEqual(rows);

    // only a lost or damaged cell is computed again; another protocol has other cells
    const some = listFolder(join(out, "cells")).map((file) => join(out, "cells", file));
    unlinkSync(some[0]);
    writeFileSync(some[1], "{");
    const third = await runCommand(compare, [...words, "--repeats", "3", "--out", out]);
    expect((third.document as Record).cells.computed).toBe(2);
    const other = await runCommand(compare, [...words, "--repeats", "2", "--tasks", "classify", "--out", out]);
    expect((other.document as Record).cells.reused).toBe(0);
    expect(other.text).not.toContain("the replaced table");
    const fewer = [...words.slice(0, 2), "hmge", ...words.slice(3), "--tasks", "classify", "--repeats", "2"];
    const left = await runCommand(compare, [...fewer, "--out", out]);
    expect(left.text).toContain("the replaced table also had hmge:reference; name all models in one command");
    expect((left.document as Record).cells.computed).toBe(0);

    const another = join(folder, "another");
    await writeDataset(another, generateSbm({ nodes: 40, relations: 1, pIn: 0.3, pOut: 0.05, seed: 2 }).graph);
    const elsewhere = await refusalOf(["compare", another, ...words.slice(1), "--out", out]);
    expect(elsewhere).toMatch(/comparison: holds the comparison of another graph \(.*sbm/);
  });

  test("draws pairs across the sides of a bipartite graph, and stores other sides in other cells", async () => {
    const path = join(folder, "shop.tsv");
    const rows = Array.from({ length: 60 }, (_, k) => [`u${k % 10}`, `i${(3 * k + (k >> 2)) % 12}`]);
    const links = ["--models", "dmgi", "--tasks", "links", "--seeds", "1", "--epochs", "2", "--dim", "4"];
    const run = async (edges: string[][]) => {
      writeFileSync(path, ["source\ttarget", ...edges.map((ends) => ends.join("\t"))].join("\n"));
      return runCommand(compare, [path, ...links, "--out", join(folder, "shop")]);
    };
    const note = "note: the graph is bipartite: every negative pair joins its two sides.";
    const { document, text } = await run(rows);
    expect(text).toContain(note);
    expect(text.replaceAll("\n", " ")).toContain(
      "compared with as many negative pairs that join the two sides of the graph, drawn uniformly;",
    );
    expect(document).toMatchObject({ protocol: { links: { byKind: true } }, cells: { computed: 2 } });
    expect((document as Record).rows.some(({ name }) => name === "common neighbours")).toBe(false);

    // one edge reversed: the same graph, no longer bipartite by source and target
    const other = await run([[...rows[0]].reverse(), ...rows.slice(1)]);
    expect(other.text).not.toContain("sides");
    expect(other.document).toMatchObject({ protocol: { links: { byKind: false } }, cells: { computed: 2 } });
    const again = await run(rows.map((ends) => [...ends].reverse()));
    expect((again.document as Record).cells).toEqual({ reused: 2, computed: 0 });
  });

  test("compares the default model with the paper's when --models is absent", async () => {
    const short = ["--tasks", "classify", "--seeds", "1", "--repeats", "1", "--epochs", "2", "--dim", "8"];
    const { document } = await runCommand(compare, [data, ...short, "--out", join(folder, "both")]);
    const trained = (document as Record).rows.filter(({ baseline }) => !baseline);
    expect(trained.map(({ name }) => name)).toEqual(["multiview", "hmge"]);
  });

  test("does not write into the folder of a run", async () => {
    const run = join(folder, "run");
    await runCommand(embed, [data, "--epochs", "2", "--dim", "8", "--no-report", "--out", run]);
    const before = listFolder(run);
    expect(await refusalOf(["compare", ...words, "--out", run])).toContain("holds a run and its vectors");
    expect(listFolder(run)).toEqual(before);
  });

  test.each([
    [["--models", "hgme"], '--models: unknown model "hgme"; did you mean "hmge"?'],
    [["--models", "hmge:refrence"], 'unknown preset "refrence"; did you mean "reference"?'],
    [["--models", "hmge,hmge"], '--models: found "hmge,hmge"; expected words separated by commas, each once'],
    [["--models", "hmge", "--tasks", "classfy"], 'unknown "classfy"; did you mean "classify"?'],
    [["--models", "hmge", "--seeds", "1,x"], '--seeds: found "1,x"'],
    [["--models", "hmge", "--set", "dim=3"], "expected MODEL.OPTION=VALUE"],
    [["--models", "hmge", "--set", "dmgi.dim=3"], "names dmgi, which is not compared"],
    [["--models", "hmge", "--set", "hmge.dims=3"], 'has no option "dims"; did you mean "dim"?'],
    [["--models", "hmge", "--holdout", "1"], '--holdout: found "1"'],
  ])("refuses %j", async (given, message) => {
    expect(await refusalOf(["compare", data, ...given, "--out", join(folder, "no")])).toContain(message);
    expect(listFolder(folder)).not.toContain("no");
  });
});

describe("the table of a comparison", () => {
  test("has means, deviations, and empty cells where a task does not apply", () => {
    const rows = compareRows([
      { task: "links", name: "guess", baseline: true, results: [{ seed: 1, scores: { auc: 0.5 } }] },
      {
        task: "classify",
        name: "a",
        baseline: false,
        results: [
          { seed: 1, scores: { validatedMacroF1: 0.8, macroF1: 0.1 } },
          { seed: 2, scores: { validatedMacroF1: 0.6, macroF1: 0.1 } },
        ],
      },
    ]);
    const [header, model, baseline] = tableText(compareTable(rows, ["classify", "links"]));
    const cell = (row: string[], title: string) => row[header.indexOf(title)];
    expect([model[0], baseline[0]]).toEqual(["a", "guess"]);
    // deviation with n − 1: √(2·0.1²) = 0.1414
    expect(cell(model, "classify macro-F1")).toBe("70.0 ± 14.1");
    expect(cell(model, "links AUC")).toBe("");
    expect(cell(baseline, "links AUC")).toBe("50.0");
  });
});

describe("cells", () => {
  test("differ by their keys, in any order of the fields", async () => {
    expect(cellHash({ a: 1, b: { c: 2, d: 3 } })).toBe(cellHash({ b: { d: 3, c: 2 }, a: 1 }));
    expect(cellHash({ a: 1 })).not.toBe(cellHash({ a: 2 }));
    expect(cellHash({ a: 1 })).toBe(cellHash({ a: 1, b: undefined }));
    const store = new CellStore(join(folder, "store"));
    expect(await store.read({ a: 1 })).toBeUndefined();
    await store.write({ a: 1 }, { score: 0.5 });
    expect(await store.read({ a: 1 })).toEqual({ score: 0.5 });
    expect(await store.read({ a: 2 })).toBeUndefined();
  });
});
