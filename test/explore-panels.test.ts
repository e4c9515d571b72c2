/** The panels of the explorer in Chromium, used with mouse and keyboard on small scenes. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { build } from "vite";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HOSTILE } from "./explore-panels/hostile.js";
import { browserPath, fileBrowser } from "./support/browser.js";
import { root } from "./support/repository.js";

const ADDRESS = "http://panels.test/";
const TYPES: Readonly<Record<string, string>> = { html: "text/html", css: "text/css", js: "text/javascript" };
const files = new Map<string, string>();
const browser = fileBrowser();

beforeAll(async () => {
  if (browserPath === undefined) return;
  const page = join(root, "test/explore-panels");
  const built = await build({
    root: page,
    configFile: false,
    logLevel: "warn",
    build: { write: false, minify: false },
  });
  if (Array.isArray(built) || !("output" in built)) throw new Error("vite built something else than one bundle");
  for (const file of built.output) {
    files.set(file.fileName, file.type === "chunk" ? file.code : Buffer.from(file.source).toString());
  }
});

describe.skipIf(browserPath === undefined)("the panels (skipped without Chromium)", () => {
  let tab: Page;
  /** Messages of the console, errors, and requests to other addresses. */
  const complaints: string[] = [];

  beforeAll(async () => {
    tab = await (await browser()).newPage({ viewport: { width: 1280, height: 900 } });
    tab.setDefaultTimeout(10_000);
    tab.on("console", (message) => complaints.push(message.text()));
    tab.on("pageerror", (error) => complaints.push(error.message));
    await tab.route("**/*", (route) => {
      const url = new URL(route.request().url());
      const name = url.pathname === "/" ? "index.html" : url.pathname.slice(1);
      const body = url.href.startsWith(ADDRESS) ? files.get(name) : undefined;
      if (body === undefined) complaints.push(`requested ${url.href}`);
      return route.fulfill(
        body === undefined ? { status: 404 } : { body, contentType: TYPES[name.split(".").at(-1)!] },
      );
    });
    await tab.goto(ADDRESS);
  });
  beforeEach(() => tab.evaluate(() => window.show("town", "light")));
  const text = (selector: string) => tab.locator(selector).innerText();
  const texts = (selector: string) => tab.locator(selector).allInnerTexts();

  test("the search box completes ids and is used by keyboard and mouse", async () => {
    const input = tab.getByRole("combobox", { name: /^Find a node/ });
    await input.fill("BOB");
    await tab.waitForSelector("#search [role=option]");
    expect(await texts("#search [role=option]")).toHaveLength(10);
    expect(await text("#search .search-box-more")).toBe("and 24 more");
    expect(await input.getAttribute("aria-expanded")).toBe("true");
    await input.press("ArrowDown");
    await input.press("ArrowDown");
    const active = await input.getAttribute("aria-activedescendant");
    expect(await text(`#${active}`)).toBe("Bob 13");
    await input.press("Enter");
    expect(await text("#node h3")).toBe("Bob 13");
    expect(await tab.locator("#search [role=listbox]").isVisible()).toBe(false);

    await input.fill("dot 39");
    await tab.getByRole("option", { name: "Dot 399" }).click();
    expect(await text("#node h3")).toBe("Dot 399");
    // Enter without a choice takes the first suggestion; the id itself comes before longer ones
    await input.fill("Ada 0");
    await input.press("Enter");
    await expect.poll(() => text("#node h3")).toBe("Ada 0");
    await input.fill("nobody");
    await expect.poll(() => text("#search .search-box-status")).toBe("No node has this text.");
    await input.fill("ida");
    await tab.waitForSelector("#search [role=option]");
    await input.press("Escape");
    expect([await input.inputValue(), await tab.locator("#search [role=option]").count()]).toEqual(["ida", 0]);
    await input.press("Escape");
    expect(await input.inputValue()).toBe("");
  });

  test("nodes are found and shown by name, with their ids", async () => {
    await tab.evaluate(() => window.show("named", "light"));
    const input = tab.getByRole("combobox", { name: "Find a node by id or text" });
    await input.fill("bob 1");
    await expect.poll(() => texts("#search [role=option]")).toContain("Bob 13 n13");
    await input.fill("street 29");
    await expect.poll(() => text("#search [role=option] >> nth=0")).toBe("Finn 29 n29 street: street 29");
    await input.fill("n13");
    await input.press("Enter");
    await expect.poll(() => text("#node h3")).toBe("Bob 13");
    expect(await text(".node-panel-facts p >> nth=0")).toBe("Id: n13");
    expect(await input.inputValue()).toBe("Bob 13 (n13)");
    // the text of a chosen node finds that node again
    await input.press("ArrowDown");
    expect(await text("#search [role=option] >> nth=0")).toBe("Bob 13 n13");
    await input.press("Escape");
    await tab.waitForSelector("#node .node-panel-why");
    expect(await text("#node .panel-node >> nth=0")).toMatch(/^\w+ (\d+) n\1$/);
    await tab.evaluate(() => window.focusNode(4));
    expect(await text("#node h3")).toBe("n4");
    await tab.evaluate(() => window.hover(13, 5, 5));
    expect((await text(".hover-card")).split("\n").slice(0, 2)).toEqual(["Bob 13", "id: n13"]);
    await tab.evaluate(() => window.select([13]));
    expect(await texts("#selection tbody .panel-node")).toEqual(["n13"]);
  });

  test("relations are switched on and off, and the drawn and hidden edges are counted", async () => {
    await tab.evaluate(() => window.focusNode(2));
    await tab.waitForSelector("#node .node-panel-chip");
    const chips = () => texts("#node .node-panel-chip");
    expect(await chips()).toContain("family");
    await tab.getByRole("checkbox", { name: "family" }).press("Space");
    await expect.poll(chips).not.toContain("family");
    expect(await chips()).toContain("work");
    await tab.getByRole("radio", { name: "all", exact: true }).check();
    await expect.poll(() => text(".relation-list-drawn")).toMatch(/^500 edges drawn; [\d,]+ more are hidden\.$/);
    await tab.getByRole("button", { name: "All off" }).click();
    await expect.poll(() => text(".relation-list-drawn")).toBe("No edges are drawn: all relations are off.");
    await expect
      .poll(() => text("#node section:nth-child(2) .panel-missing"))
      .toBe("All relations are off. Switch one on to see neighbours.");
    await tab.getByRole("button", { name: "All on" }).click();
    await expect.poll(chips).toContain("family");

    await tab.locator("#relations summary").press("Enter");
    const cell = tab.locator("#relations tbody tr:nth-child(2) td:nth-child(4)");
    await expect.poll(() => cell.innerText()).toBe("100 %");
    expect(await cell.getAttribute("title")).toBe(`100 % of the 790 edges of copy ${HOSTILE} are in work too.`);
  });

  test("the legend hides, shows and isolates categories, and has a gradient for numbers", async () => {
    await tab.getByLabel("Colour by").selectOption("label");
    const lines = () => tab.locator("#legend li button[aria-pressed]");
    expect((await lines().allInnerTexts()).map((line) => line.split(/\s*\n\s*/))).toEqual([
      ["painter", "199"],
      [HOSTILE, "100"],
      ["baker", "100"],
      ["no value", "1"],
    ]);
    const pressed = () => lines().evaluateAll((all) => all.map((line) => line.getAttribute("aria-pressed") === "true"));
    await lines().first().press("Enter");
    expect(await pressed()).toEqual([false, true, true, true]);
    // the keyboard focus stays on the line
    await tab.keyboard.press("Enter");
    expect(await pressed()).toEqual([true, true, true, true]);
    await tab.getByRole("button", { name: "Show only baker" }).click();
    expect(await pressed()).toEqual([false, false, true, false]);
    await tab.getByRole("button", { name: "Show all" }).click();
    expect(await pressed()).toEqual([true, true, true, true]);

    await tab.getByLabel("Colour by").selectOption("street");
    expect((await lines().allInnerTexts()).at(-1)).toMatch(/^10 other categories\s+130$/);
    await lines().last().click();
    expect((await pressed()).at(-1)).toBe(false);
    await tab.getByLabel("Colour by").selectOption("degree");
    expect(await text(".color-legend-ends")).toMatch(/^2\s+logarithmic\s+≥ \d+$/);
    expect(await text("#legend p")).toBe("400 nodes with a value; the ends are the 2nd and the 98th percentile");
    await tab.getByLabel("Colour by").selectOption("cluster");
    expect(await text("#legend p")).toBe("Groups of similar vectors.");
  });

  test("a node shows its neighbours by vector and by edges, with reasons; one can jump, go back and forward", async () => {
    await tab.evaluate(() => window.focusNode(2));
    await tab.waitForSelector("#node .facet-bar");
    expect(await text(".node-panel-facts")).toMatch(/^Label: painter\s+family\s+2/);
    expect(await tab.locator(".facet-legend li").first().getAttribute("title")).toBe("Significant directions.");
    await tab.getByText("What the facets hold").click();
    expect((await texts(".facet-help dl > *")).slice(0, 2)).toEqual(["spectral", "Significant directions."]);
    const first = tab.locator("#node section:first-child .node-panel-items > li").first();
    const cosine = Number((await first.locator(".node-panel-number").innerText()).replace("cosine ", ""));
    const parts = (await first.locator(".facet-bar").getAttribute("aria-label"))!;
    expect(parts).toMatch(/^Parts of the cosine: spectral 0\.\d\d, /);
    const sum = (parts.match(/−?\d\.\d\d/g) ?? []).reduce((total, part) => total + Number(part.replace("−", "-")), 0);
    // three parts of two digits, those below 0.005 left out
    expect(Math.abs(sum - cosine)).toBeLessThan(0.02);
    expect(await texts("#node .node-panel-why li")).toContain("linked in family");

    const [vectorBox, edgeBox] = await Promise.all(
      [1, 2].map((place) => tab.locator(`#node section:nth-child(${place})`).boundingBox()),
    );
    expect(edgeBox!.x).toBeGreaterThan(vectorBox!.x + 100);
    const other = await first.locator("button").innerText();
    expect(await tab.getByRole("button", { name: "Back to the previous node" }).isDisabled()).toBe(true);
    await first.locator("button").press("Enter");
    expect(await text("#node h3")).toBe(other);
    await tab.getByRole("button", { name: "Back to the previous node" }).click();
    expect(await text("#node h3")).toBe("Cy 2");
    await tab.getByRole("button", { name: "Forward to the next node" }).click();
    expect(await text("#node h3")).toBe(other);
  });

  test("neighbours in directed graphs say where the edges lead, in signs and in words", async () => {
    await tab.evaluate(() => {
      window.show("directed", "light");
      window.focusNode(0);
    });
    await tab.waitForSelector("#node .node-panel-chip");
    const words = await tab
      .locator("#node .node-panel-chip")
      .evaluateAll((chips) =>
        chips.map(({ children: [sign, words] }) => [sign.textContent, sign.ariaHidden, words.textContent]),
      );
    expect(words).toEqual([
      ["→ ", "true", "edge to it: "],
      ["← ", "true", "edge from it: "],
      ["↔ ", "true", "edges both ways: "],
    ]);
    expect(await text(".node-panel-degrees")).toMatch(/^follows\s+3: 2 out, 2 in, 1 of them both$/);
    expect(await text("#node section:nth-child(2) p")).toBe("3 neighbours, by name");
    // the decoder of this scene scores both directions alike
    await tab.evaluate(() => window.focusNode(1));
    await expect
      .poll(() => text(".prediction-list-mark"))
      .toMatch(
        /^Predicted, not in the data\. The model does not know the direction of edges: each may lead either way\./,
      );
    expect(await texts("#predictions .panel-node")).toEqual(["c", "d"]);
  });

  test("predictions are marked, scored and explained, per relation", async () => {
    await tab.evaluate(() => window.focusNode(2));
    await tab.waitForSelector("#predictions li");
    expect(await text(".prediction-list-mark")).toBe(
      "Predicted, not in the data. Scores are compared with those of 300 edges of family.",
    );
    expect(await text("#predictions .prediction-list-score >> nth=0")).toMatch(
      /^score [\d.]+, above \d+ % of the edges$/,
    );
    await tab.getByLabel("Missing edges in").selectOption("work");
    await expect.poll(() => text(".prediction-list-mark")).toContain("1,573 edges of work");
    const named = await text("#predictions .panel-node >> nth=0");
    await tab.locator("#predictions .panel-node").first().click();
    expect(await text("#node h3")).toBe(named);
  });

  test("a selection is summed up, sorted, exported and cleared", async () => {
    expect(await text(".selection-panel-count")).toBe("No nodes are selected: draw a lasso or a box on the map.");
    await tab.evaluate(() => window.select(Array.from({ length: 150 }, (_, i) => i)));
    await tab.waitForSelector("#selection small");
    expect(await text(".selection-panel-count")).toBe("150 nodes of 400 selected");
    const category = await texts("#selection .selection-panel-comparison >> nth=0 >> tbody tr");
    expect(category.map((row) => row.replaceAll(/\s+/g, " ").trim())).toEqual([
      "label: painter 5 × as frequent 99 % 20 %",
    ]);
    // family: 113 edges inside of 150·149/2 pairs, 187 of the other 68,625
    expect(await text("#selection tr:has-text('family')")).toMatch(/family\s+3\.7 × denser inside\s+1\s+0\.27/);
    expect(await text("#selection table:has-text('cluster:') caption")).toBe("Computed from the vectors, not tested");

    // 3 labels, 30 streets and 3 relations
    expect(await text("#selection .panel-missing >> nth=-1")).toMatch(
      /^36 categories and relations are tested\. .* of at most 5 % \(Bonferroni\)\.$/,
    );
    await tab.evaluate(() => window.select([0, 4, 8, 12, 1, 30]));
    await expect
      .poll(() => text("#selection .selection-panel-summary"))
      .toContain("No category is more frequent inside beyond chance.");
    expect(await text("#selection tr:has-text('family')")).toMatch(/× denser inside, within chance/);
    await tab.evaluate(() => window.select(Array.from({ length: 150 }, (_, i) => i)));
    await tab.waitForSelector("#selection small");

    const degrees = async () => (await texts("#selection .selection-table-number")).map(Number);
    await tab.getByRole("button", { name: "degree" }).press("Enter");
    const ascending = await degrees();
    expect(ascending).toEqual([...ascending].sort((a, b) => a - b));
    await tab.getByRole("button", { name: "degree" }).press("Enter");
    expect(await tab.getByRole("columnheader", { name: "degree" }).getAttribute("aria-sort")).toBe("descending");
    const descending = await degrees();
    expect(descending).toEqual([...descending].sort((a, b) => b - a));
    expect(descending[0]).toBeGreaterThan(ascending[0]);

    // switching a relation changes the densities and leaves the table as it is
    await tab.getByRole("checkbox", { name: "family" }).uncheck();
    await expect.poll(() => tab.locator("#selection tr:has-text('family')").count()).toBe(0);
    expect(await degrees()).toEqual(descending);

    const [download] = await Promise.all([
      tab.waitForEvent("download"),
      tab.getByRole("button", { name: "Export CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("selection.csv");
    const lines = (await readFile(await download.path(), "utf8")).split("\r\n");
    expect(lines).toHaveLength(152);
    expect(lines[0]).toBe("id,label,degree,street,cluster");
    // the rows have the order of the table
    const exported = lines.slice(1, -1).map((line) => Number(/,(\d+),street \d+,\d$/.exec(line)?.[1]));
    expect(exported).toEqual([...exported].sort((a, b) => b - a));
    expect(exported.slice(0, descending.length)).toEqual(descending);
    expect(lines.join("\n")).toMatch(/^"<img src=x onerror=""window\.attacked=1"">",painter,\d+,street 3,1$/m);
    expect(lines.join("\n")).toMatch(/^'=cmd\|/m);
    await tab.getByRole("button", { name: "Clear the selection" }).click();
    expect(await tab.locator("#selection table").first().isVisible()).toBe(false);
  });

  test("the hover card names the node and stays inside the map", async () => {
    await tab.getByLabel("Colour by").selectOption("degree");
    for (const [x, y] of [
      [5, 5],
      [370, 115],
    ]) {
      await tab.evaluate(([x, y]) => window.hover(3, x, y), [x, y]);
      expect((await text(".hover-card")).split("\n")).toEqual([
        HOSTILE,
        "label: painter",
        expect.stringMatching(/^degree: \d+$/),
        expect.stringMatching(/^\d+ edges$/),
      ]);
      const [card, map] = await Promise.all([".hover-card", "#map"].map((part) => tab.locator(part).boundingBox()));
      expect(card!.x).toBeGreaterThanOrEqual(map!.x);
      expect(card!.x + card!.width).toBeLessThanOrEqual(map!.x + map!.width);
      expect(card!.y).toBeGreaterThanOrEqual(map!.y);
    }
  });

  test("of 100,000 selected nodes at most 200 rows are in the page, and the last can be scrolled to", async () => {
    await tab.evaluate(() => {
      window.show("large", "light");
      window.select(Array.from({ length: 100_000 }, (_, i) => i));
    });
    const rows = () => tab.locator("#selection .selection-table tr").count();
    expect(await rows()).toBeLessThan(200);
    await tab.locator(".selection-table").evaluate((table) => {
      table.scrollTop = table.scrollHeight;
    });
    await tab.waitForSelector("[aria-rowindex='100001']");
    expect(await rows()).toBeLessThan(200);
    await tab.getByRole("combobox", { name: /^Find a node/ }).fill("99999");
    await expect.poll(() => tab.locator("[role=option]").allInnerTexts()).toEqual(["person 99999"]);
  });

  test("each panel says in one line what a scene lacks", async () => {
    const lines = async (scene: string, node?: number) => {
      await tab.evaluate(
        ({ scene, node }) => {
          window.show(scene, "light");
          if (node === undefined) return;
          window.focusNode(node);
          window.select([node]);
        },
        { scene, node },
      );
      await tab.waitForFunction(() => !document.body.innerText.includes(" …"));
      return tab
        .locator(".panel-missing, .panel-error, .selection-panel-count")
        .evaluateAll((found) => found.flatMap((line) => (line.checkVisibility() ? [line.textContent] : [])));
    };
    const noLabels = "The nodes have no labels or other attributes. Drop a CSV file with a column of ids to add some.";
    const noDecoder = "No predictions: this run has no decoder. Train a model that has one, such as multiview.";
    expect(await lines("empty")).toEqual([
      "This scene has no relations: no edges can be shown.",
      noLabels,
      "The graph has no nodes.",
      noDecoder,
      "The graph has no nodes.",
    ]);
    const oneNode = "Select two nodes or more to compare densities of relations.";
    expect(await lines("one", 0)).toEqual([
      noLabels,
      "There is no other node.",
      "This node has no edges in the relations that are on.",
      noDecoder,
      "1 node of 1 selected",
      "The nodes have no labels or categories to compare.",
      oneNode,
    ]);
    expect(await lines("bare", 1)).toContain("This scene has no relations.");
    expect(await lines("broken", 0)).toEqual(
      expect.arrayContaining([
        "vectors: the file is missing; expected vectors.bin. Write the scene again.",
        "edges: the file is missing; expected edges.bin. Write the scene again.",
      ]),
    );
  });

  test("at 380 pixels, in the dark, nothing is wider than the page and the lists of a node are stacked", async () => {
    await tab.setViewportSize({ width: 380, height: 900 });
    await tab.evaluate(() => {
      window.show("town", "dark");
      window.focusNode(2);
      window.select([1, 2, 3, 5, 7]);
    });
    await tab.getByLabel("Colour by").selectOption("label");
    await tab.locator("#relations summary").click();
    await tab.waitForSelector("#node .facet-bar");
    await tab.waitForSelector("#relations tbody");
    expect(await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
    const [vectors, edges] = await Promise.all(
      [1, 2].map((place) => tab.locator(`#node section:nth-child(${place})`).boundingBox()),
    );
    expect(edges!.y).toBeGreaterThanOrEqual(vectors!.y + vectors!.height);
  });

  test("panels leave nothing behind, run nothing of the data and complain of nothing", async () => {
    expect(await tab.evaluate(() => window.attacked)).toBeUndefined();
    expect(await tab.locator("img").count()).toBe(0);
    expect(await tab.evaluate(() => window.dispose())).toBe(0);
    expect(complaints).toEqual([]);
  });
});
