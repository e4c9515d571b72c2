/** The report that `hmge embed` writes: its contents, and how a browser shows it. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import type { RunRecord } from "../src/core/record.js";
import { htmlPage } from "../src/report/page.js";
import { hmgeInProcess, refusalOf } from "./cli/in-process.js";
import { listFolder, temporaryFolder } from "./cli/program.js";
import { browserPath, fileBrowser } from "./support/browser.js";

const HEADINGS = [
  "In short",
  "Map",
  "Relations",
  "Training",
  "Graph",
  "Diagnostics",
  "Nearest nodes",
  "Files, and how to repeat the run",
];

const browser = fileBrowser();
const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
/** A name that is markup. */
const NASTY = `<img src=x onerror="alert(1)">&`;

/** Two groups of 40 nodes; one node has a nasty name. */
function writeGraph(): void {
  const name = (i: number) => (i === 0 ? NASTY : `n${i}`);
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const edges = ["relation,source,target"];
  for (let i = 0; i < 40; i++) {
    for (const step of [1, 3, 7]) {
      for (const base of [0, 40]) {
        const relation = step === 3 ? "works <with>" : "knows";
        edges.push(`${relation},${quoted(name(base + i))},${quoted(name(base + ((i + step) % 40)))}`);
      }
    }
  }
  edges.push(`knows,${quoted(name(0))},n41`, `knows,${quoted(name(0))},n43`);
  writeFileSync(at("edges.csv"), `${edges.join("\n")}\n`);
  const labels = Array.from({ length: 80 }, (_, i) => `${quoted(name(i))},${i < 40 ? "left & <b>" : "right"}`);
  writeFileSync(at("labels.csv"), `node,label\n${labels.join("\n")}\nstranger,right\n`);
}

describe("the report of a run", () => {
  let page = "";
  let record: RunRecord;

  beforeAll(async () => {
    writeGraph();
    const words = [
      "embed",
      at("edges.csv"),
      "--model",
      "hmge",
      "--out",
      at("out"),
      "--labels",
      at("labels.csv"),
      "--epochs",
      "40",
      "--dim",
      "8",
    ];
    const { code, stderr } = await hmgeInProcess(words);
    expect(stderr).toContain("ignored 1 labelled node missing from the graph");
    expect(code).toBe(0);
    page = readFileSync(join(at("out"), "report.html"), "utf8");
    record = JSON.parse(readFileSync(join(at("out"), "run.json"), "utf8"));
  });

  test("is one of the outputs, and the record has all diagnostics", () => {
    expect(record.outputs).toContain("report.html");
    // the rate is constant and --epochs ended the run, so its checkpoint stays for --resume with more epochs
    expect(listFolder(at("out"))).toEqual(["checkpoint", ...record.outputs].sort());
    expect(record.seconds.report).toBeGreaterThan(0);
    const { weightMovement, spectralRecovery } = record.diagnostics;
    expect(weightMovement.map(({ name }) => name)).toEqual(["combination"]);
    expect(weightMovement[0].max).toBeGreaterThanOrEqual(weightMovement[0].mean);
    expect(spectralRecovery.relations.map(({ relation }) => relation)).toEqual(["knows", "works <with>"]);
    for (const { r2 } of spectralRecovery.relations) expect(r2).toBeGreaterThanOrEqual(0);
  });

  test("escapes names, and contains the command", () => {
    expect(page).not.toContain("<img");
    expect(page).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;");
    expect(page).toContain(`--labels ${at("labels.csv")} --epochs 40 --dim 8`);
    expect(page).toContain("left &amp; &lt;b&gt;");
  });

  test("is not written with --no-report, which also removes an earlier one", async () => {
    const words = ["embed", at("edges.csv"), "--out", at("none"), "--epochs", "3", "--dim", "4", "--quiet"];
    expect((await hmgeInProcess(words)).code).toBe(0);
    expect(listFolder(at("none"))).toContain("report.html");
    expect((await hmgeInProcess([...words, "--overwrite", "--no-report"])).code).toBe(0);
    expect(listFolder(at("none"))).toEqual(["embeddings.parquet", "model.safetensors", "run.json"]);
  });

  test("refuses labels of other nodes before it trains", async () => {
    writeFileSync(at("foreign.csv"), "node,label\nx,1\n");
    const words = ["embed", at("edges.csv"), "--out", at("foreign"), "--labels", at("foreign.csv")];
    expect(await refusalOf(words)).toMatch(/foreign\.csv: none of its 1 labelled node is in the graph/);
    expect(existsSync(at("foreign"))).toBe(false);
  });

  test("opens in a browser without errors: light, dark, and as wide as a phone", async (context) => {
    if (browserPath === undefined) return context.skip("no Chromium on this machine");
    for (const [width, colorScheme] of [
      [1000, "light"],
      [1000, "dark"],
      [360, "light"],
    ] as const) {
      const tab = await (await browser()).newPage({ viewport: { width, height: 800 }, colorScheme });
      const complaints: string[] = [];
      tab.on("console", (message) => complaints.push(message.text()));
      tab.on("pageerror", (error) => complaints.push(error.message));
      tab.on("request", (request) => {
        if (!/^(file|data):/.test(request.url())) complaints.push(request.url());
      });
      await tab.goto(pathToFileURL(join(at("out"), "report.html")).href);
      expect(await tab.locator("h2").allTextContents()).toEqual(HEADINGS);
      // map, weights, loss, degrees, overlap: each with a size and something drawn
      const figures = await tab.locator("figure svg").evaluateAll((charts) =>
        charts.map((chart) => ({
          title: chart.querySelector("title")?.textContent,
          visible: chart.getBoundingClientRect().width > 250 && chart.getBoundingClientRect().height > 80,
          drawn: chart.querySelectorAll("circle, rect, path").length > 1,
        })),
      );
      expect(figures.map(({ title }) => title)).toEqual([
        "Map of the nodes",
        "Weights of the relations: combination",
        "Loss by epoch",
        "Degrees",
        "Overlap of the relations",
      ]);
      for (const { visible, drawn } of figures) expect([visible, drawn]).toEqual([true, true]);
      expect(await tab.locator("figure svg").first().locator("circle title").count()).toBe(80);
      const wider = await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(wider).toBeLessThanOrEqual(0);
      const [text, background] = await tab.evaluate(() => {
        const { color, backgroundColor } = getComputedStyle(document.body);
        return [color, backgroundColor].map((value) => Number(/\d+/.exec(value)?.[0]));
      });
      expect(text > background).toBe(colorScheme === "dark");
      expect(complaints).toEqual([]);
      await tab.close();
    }
  });
});

test("tables side by side show all their columns, however long the ids are", async (context) => {
  if (browserPath === undefined) return context.skip("no Chromium on this machine");
  const rows = Array.from({ length: 3 }, (_, i) => ["x".repeat(90) + i, "a label", { value: 0.1234 }]);
  const table = { table: { header: ["nearest", "label", "cosine"], rows } };
  const page = htmlPage({
    title: "t",
    sections: [{ heading: "Nearest nodes", blocks: [{ columns: [table, table] }] }],
  });
  writeFileSync(at("columns.html"), page);
  for (const width of [360, 1000]) {
    const tab = await (await browser()).newPage({ viewport: { width, height: 800 } });
    await tab.goto(pathToFileURL(at("columns.html")).href);
    const hidden = await tab
      .locator(".table")
      .evaluateAll((boxes) => boxes.map((box) => box.scrollWidth - box.clientWidth));
    expect(hidden, `at ${width}`).toEqual([0, 0]);
    await tab.close();
  }
});
