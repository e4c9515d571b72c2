import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { reproduce } from "../../src/cli/reproduce/reproduce.js";
import { pointsApart } from "../../src/experiments/paper/experiment.js";
import { experiments } from "../../src/experiments/paper/experiments.js";
import { PUBLISHED } from "../../src/experiments/paper/published.js";
import { SCALES } from "../../src/experiments/paper/scale.js";
import { generateSbm } from "../../src/graph/synthetic/sbm.js";
import { writeDataset } from "../../src/io/graph/write-dataset.js";
import { browserPath, fileBrowser, showPage } from "../support/browser.js";
import { type CommandResult, refusalOf, runCommand } from "./in-process.js";
import { listFolder, temporaryFolder } from "./program.js";

const browser = fileBrowser();
const folder = temporaryFolder();
const out = join(folder, "reproduced");
const data = join(folder, "data");

interface Document {
  readonly files: readonly string[];
  readonly cells: { readonly reused: number; readonly computed: number };
}

/** The numbers that every experiment reports, by its name. */
const numbersOf = ({ document }: CommandResult) => {
  const { experiments: found } = document as { experiments: { name: string; numbers: unknown }[] };
  return found.map(({ name, numbers }) => [name, numbers]);
};

describe("reproduce all", () => {
  const words = ["all", "--scale", "tiny", "--data", data, "--threads", "1", "--out", out];
  let first: CommandResult;

  beforeAll(async () => {
    const { graph, labels } = generateSbm({ nodes: 60, relations: 2, pIn: 0.3, pOut: 0.03, seed: 3 });
    // the name of a public data set, so that the published rows are shown too
    await writeDataset(join(data, "string_yeast6"), graph, { labels });
    const large = generateSbm({ nodes: 300, relations: 3, pIn: 0.1, pOut: 0.05, seed: 3 });
    await writeDataset(join(data, "large"), large.graph);
    first = await runCommand(reproduce, words);
  }, 240_000);

  test("writes a record, a table and a figure for each experiment, and one page", () => {
    const { files, cells } = first.document as Document;
    expect(first.code).toBe(0);
    expect(cells.computed).toBeGreaterThan(30);
    expect(files.length).toBe(3 * experiments.length + 1);

    const page = readFileSync(join(out, "index.html"), "utf8");
    expect(page.match(/<figure>/g)?.length).toBe(experiments.length);
    expect(page.match(/<svg/g)?.length).toBeGreaterThanOrEqual(experiments.length);
    expect(page).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
    for (const { name, title } of experiments) {
      expect(page).toContain(`<h2>${title}</h2>`);
      const record = JSON.parse(readFileSync(join(out, `${name}.json`), "utf8"));
      expect(record.command).toContain("hmge reproduce all");
      expect(record.machine.node).toBe(process.version);
      expect(record.scale.doc).toContain("mean nothing");
      expect(record.differences.length).toBeGreaterThan(0);
      expect(readFileSync(join(out, `${name}.svg`), "utf8")).toMatch(/^<svg[\s\S]*<\/svg>\s*$/);
      expect(readFileSync(join(out, `${name}.md`), "utf8")).toContain("## Compared with the published numbers");
    }

    // the published row comes after ours
    const lines = readFileSync(join(out, "classification.md"), "utf8").split("\n");
    const ours = lines.findIndex((line) => line.startsWith("| string\\_yeast6 |"));
    const published = lines.findIndex((line) => line.includes("STRING-DB") && line.includes("80.3"));
    expect(ours).toBeGreaterThan(0);
    expect(published).toBeGreaterThan(ours);
    expect(lines.slice(ours, published).every((line) => line.startsWith("| string\\_yeast6 |"))).toBe(true);
    expect(page).toContain("Skipped at this scale");
  });

  test("computes no finished cell again", async () => {
    const again = await runCommand(reproduce, words);
    expect((again.document as Document).cells.computed).toBe(0);
    expect(numbersOf(again)).toEqual(numbersOf(first));
  });

  test.for([
    [1000, "light"],
    [360, "dark"],
  ] as const)(
    "its page is shown without errors in a browser %i pixels wide, %s",
    async ([width, colorScheme], context) => {
      if (browserPath === undefined) return context.skip("no Chromium on this machine");
      const page = join(out, "index.html");
      const { headings, figures, complaints, overflow } = await showPage(await browser(), page, { width, colorScheme });
      expect(headings.slice(1)).toEqual(experiments.map(({ title }) => title));
      expect(figures.map(({ shown }) => shown)).toEqual(experiments.map(() => true));
      expect(complaints).toEqual([]);
      expect(overflow).toBeLessThanOrEqual(0);
    },
  );

  test("figures stay small enough for a page", () => {
    expect(statSync(join(out, "index.html")).size).toBeLessThan(3e6);
  });
});

describe("reproduce", () => {
  test("synthetic: shows upper bounds, and writes no page", async () => {
    const alone = join(folder, "synthetic");
    const { text } = await runCommand(reproduce, ["synthetic", "--scale", "tiny", "--seeds", "5", "--out", alone]);
    expect(listFolder(alone)).toEqual(["cells", "synthetic.json", "synthetic.md", "synthetic.svg"]);
    expect(text).toContain("bound: true communities");
    const { numbers } = JSON.parse(readFileSync(join(alone, "synthetic.json"), "utf8"));
    const accuracy = (name: string): number => {
      const curve = numbers.curves.find((each: { name: string }) => each.name === name);
      return curve.points[0].shares.at(-1).standardised.mean;
    };
    // half of the labels, three bits per node: the probe learns the majority
    expect(accuracy("true communities")).toBe(1);
    expect(accuracy("the same, squashed by tanh")).toBeGreaterThan(0.9);
    expect(accuracy("hmge")).toBeLessThanOrEqual(1);
  }, 120_000);

  test("synthetic: --seeds applies to every model", async () => {
    const both = join(folder, "both");
    const words = ["synthetic", "--scale", "tiny", "--models", "hmge,crossmna", "--seeds", "5,6", "--out", both];
    await runCommand(reproduce, words);
    const { numbers, method } = JSON.parse(readFileSync(join(both, "synthetic.json"), "utf8"));
    for (const curve of numbers.curves) expect(curve.points[0].shares[0].standardised.values).toHaveLength(2);
    expect(method[0]).not.toContain("first of them only");
  }, 120_000);

  test.each([
    [[], "reproduce: no experiment named; expected one of synthetic,"],
    [["synthetc"], 'unknown experiment "synthetc"; did you mean "synthetic"?'],
    [["all", "synthetic"], 'found "synthetic" after all'],
    [["synthetic", "--scale", "huge"], '--scale: unknown "huge"'],
    [["synthetic", "--quick", "--scale", "tiny"], "--scale: found tiny and --quick"],
    [["synthetic", "--seeds", "1,1"], '--seeds: found "1,1"'],
    [["links", "--data", "/nowhere/at/all"], "/nowhere/at/all"],
  ])("refuses %j", async (words, message) => {
    const none = join(folder, "none");
    expect(await refusalOf(["reproduce", ...words, "--out", none])).toContain(message);
    expect(existsSync(none)).toBe(false);
  });
});

describe("published numbers", () => {
  test("are shares between 0.4 and 1, and differences are printed as above or below", () => {
    for (const { macroF1 = 0.5, microF1 = 0.5, auc = 0.5, averagePrecision = 0.5 } of PUBLISHED) {
      for (const value of [macroF1, microF1, auc, averagePrecision]) expect(value > 0.4 && value < 1).toBe(true);
    }
    expect([pointsApart(0.8, 0.83), pointsApart(0.851, 0.83), pointsApart(0.83, 0.83)]).toEqual([
      "3.0 points below",
      "2.1 points above",
      "the same",
    ]);
  });

  test("scale full has the sizes of the paper", () => {
    const full = SCALES.find(({ name }) => name === "full");
    expect(full).toMatchObject({ nodes: 3000, pIn: 0.05, pOut: 0.01, shares: [0.06, 0.1, 0.2, 0.5] });
    expect(full?.relations).toEqual([3, 5, 9, 15, 21, 31, 41]);
  });
});
