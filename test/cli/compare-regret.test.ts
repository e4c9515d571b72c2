import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { compare } from "../../src/cli/compare/compare.js";
import type { RegretRow } from "../../src/cli/compare/regret-scores.js";
import { generateSbm } from "../../src/graph/synthetic/sbm.js";
import { writeDataset } from "../../src/io/graph/write-dataset.js";
import { refusalOf, runCommand } from "./in-process.js";
import { listFolder, temporaryFolder } from "./program.js";

const folder = temporaryFolder();
const labelled = join(folder, "labelled");
const edges = join(folder, "edges.tsv");
const out = join(folder, "regret");
const settings = ["--own", "mell", "--own-seeds", "1,2", "--epochs", "3", "--set", "mell.epochs=4", "--dim", "8"];
/** hmge can never reach its last epoch within the limit. */
const slow = ["--set", "hmge.epochs=100000000", "--set", "hmge.patience=100000000", "--limit", "0.05s"];
const words = [
  labelled,
  edges,
  "--regret",
  ...settings,
  "--repeats",
  "1",
  "--strength",
  "1",
  "--threads",
  "1",
  "--out",
  out,
];

interface Document {
  readonly rows: readonly RegretRow[];
  readonly graphs: readonly { readonly name: string; readonly key: { readonly graph: string } }[];
  readonly cells: { readonly reused: number; readonly computed: number };
  readonly leftOut: readonly { readonly graph: string; readonly method?: string; readonly tasks: readonly string[] }[];
}

interface LinkRow {
  readonly name: string;
  readonly mean: { readonly auc: number };
  readonly pooled: { readonly auc: number };
}

interface Cell {
  readonly key: {
    readonly task: string;
    readonly model?: string;
    readonly training?: { readonly epochs: number };
    readonly case: { readonly graph: string };
  };
  readonly value: { readonly rows: readonly LinkRow[]; readonly limitSeconds?: number };
}

const cellFiles = () => listFolder(join(out, "cells")).map((name) => join(out, "cells", name));
const readCells = () => cellFiles().map((path) => JSON.parse(readFileSync(path, "utf8")) as Cell);

beforeAll(async () => {
  const { graph, labels } = generateSbm({ nodes: 40, relations: 2, pIn: 0.4, pOut: 0.05, seed: 1 });
  await writeDataset(labelled, graph, { labels });
  const rows = Array.from({ length: 120 }, (_, k) => `n${k % 17}\tn${(5 * k + (k >> 3) + 1) % 23}\tr${k % 2}`);
  writeFileSync(edges, ["source\ttarget\trelation", ...rows].join("\n"));
});

describe("compare --regret", () => {
  test("collects what several processes stored, without training, and computes the regret from it", async () => {
    const fills = [
      ["--fill", "models", "--models", "mell"],
      ["--fill", "models", "--models", "dmgi,hmge", ...slow],
      ["--fill", "baselines"],
    ];
    const filled = await Promise.all(fills.map((fill) => runCommand(compare, [...words, ...fill])));
    expect(filled.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(listFolder(out)).toEqual(["cells"]);

    const times = () => cellFiles().map((path) => statSync(path).mtimeMs);
    const before = times();
    const { code, document, text } = await runCommand(compare, [...words, "--models", "dmgi,hmge", ...slow]);
    const { rows, graphs, cells, leftOut } = document as Document;
    expect(code).toBe(0);
    expect(cells.computed).toBe(0);
    expect(times()).toEqual(before);

    // mell has a decoder and its own number of epochs; dmgi has none and at most three epochs
    const ofModel = (model: string) => readCells().filter(({ key }) => key.model === model);
    expect(new Set(ofModel("mell").map(({ key }) => key.training?.epochs))).toEqual(new Set([4]));
    expect(new Set(ofModel("dmgi").map(({ key }) => key.training?.epochs))).toEqual(new Set([3]));
    for (const { name, key } of graphs) {
      const links = readCells().filter(({ key: cell }) => cell.task === "links" && cell.case.graph === key.graph);
      for (const [measure, kind] of [
        ["pooled AUC", "pooled"],
        ["mean AUC", "mean"],
      ] as const) {
        const scores = (model: string | undefined, scorer?: string) =>
          links
            .filter((cell) => cell.key.model === model && cell.value.rows !== undefined)
            .flatMap(({ value }) => value.rows.filter((row) => scorer === undefined || row.name === scorer))
            .map((row) => ({ name: row.name, auc: row[kind].auc }));
        const own = scores("mell", "decoder");
        expect(own.length).toBe(2);
        const heuristics = groupBy(scores(undefined));
        const best = Math.max(
          ...scores("dmgi").map(({ auc }) => auc),
          ...[...heuristics.values()].map((seeds) => (seeds[0].auc + seeds[1].auc) / 2),
        );
        const row = rows.find((candidate) => candidate.graph === name && candidate.measure === measure);
        expect(row?.regret).toBeCloseTo(best - (own[0].auc + own[1].auc) / 2, 12);
        expect(row?.own.deviation).toBeCloseTo(Math.abs(own[0].auc - own[1].auc) / Math.SQRT2, 12);
      }
    }
    const regrets = rows.map(({ regret }) => regret);
    expect(regrets).toEqual([...regrets].sort((a, b) => b - a));
    expect(rows.length).toBe(3 + 2);

    // one graph has no labels; a rival that is too slow is left out of all tasks
    expect(leftOut).toMatchObject([
      { graph: "labelled", method: "hmge", tasks: ["classify", "links"] },
      { graph: "edges.tsv", tasks: ["classify"] },
      { graph: "edges.tsv", method: "hmge", tasks: ["links"] },
    ]);
    expect(text).toContain("hmge on labelled, classify and links: left out: training takes longer than 50 ms");
    expect(text).toContain("edges.tsv, classify: left out: the graph has no labels");
    const markdown = readFileSync(join(out, "compare.md"), "utf8");
    expect(markdown).toContain("| graph | measure | mell | best rival | score | regret |");
    expect(JSON.parse(readFileSync(join(out, "compare.json"), "utf8")).rows).toEqual(rows);
    for (const line of text.split("\n").slice(0, -1)) expect([...line].length).toBeLessThanOrEqual(80);

    // a longer limit is a new chance
    const longer = [...slow.slice(0, -1), "0.06s"];
    await runCommand(compare, [...words.slice(1), "--models", "hmge", ...longer, "--fill", "models"]);
    const limits = readCells().flatMap(({ key, value }) => (key.task === "links" ? (value.limitSeconds ?? []) : []));
    expect(limits).toEqual([0.06]);

    expect(await refusalOf(["compare", labelled, "--models", "dmgi", "--out", out])).toContain(
      "holds a comparison of several graphs",
    );
  });

  test.each([
    [[labelled, join(folder, "nowhere"), "--regret"], "nowhere: no such file or folder. Check the path."],
    [[labelled, labelled, "--regret"], "given twice; expected each graph once"],
    [[labelled, "--regret", "--features", edges], "--features: found together with --regret"],
    [[labelled, "--regret", "--limit", "10"], '--limit: found "10"; expected a time such as 90s, 10min or 2h.'],
    [[labelled, "--own-seeds", "1"], "--own-seeds: found without --regret"],
    [["--regret"], "source: missing"],
  ])("refuses %j", async (given, message) => {
    expect(await refusalOf(["compare", ...given, "--out", join(folder, "no")])).toContain(message);
    expect(listFolder(folder)).not.toContain("no");
  });
});

function groupBy<T extends { readonly name: string }>(entries: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const entry of entries) groups.set(entry.name, [...(groups.get(entry.name) ?? []), entry]);
  return groups;
}
