/**
 * The explorer on a graph with features and labels of the size of dmgi_acm, used as a person does, from the search to the saved state.
 * The graph is generated, because data sets are not part of the repository. HMGE_EXPLORE_GRAPH=FOLDER uses another dataset folder.
 */

import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openScene } from "../src/explore/scene/open-scene.js";
import type { Scene } from "../src/explore/scene/scene.js";
import { fetchedSource } from "../src/explore/scene/scene-sources.js";
import { documentOf } from "./cli/in-process.js";
import { temporaryFolder } from "./cli/program.js";
import {
  drag,
  dropFile,
  type ExplorerTab,
  type ExploreServer,
  errors,
  expectSoon,
  findNode,
  focusedNode,
  linkState,
  nodePlaces,
  nodesInside,
  openPage,
  openTab,
  type Place,
  SKIP_REASON,
  saveByMenu,
  startServer,
  text,
  WITHOUT_WEBGL,
} from "./explore/explorer-page.js";
import { browserPath, fileBrowser } from "./support/browser.js";

const GIVEN = process.env["HMGE_EXPLORE_GRAPH"];
const SCREENSHOTS = process.env["HMGE_SCREENSHOTS"];
const folder = temporaryFolder();
const browser = fileBrowser(WITHOUT_WEBGL);
const what = GIVEN ?? "a generated graph of 3,025 nodes with features and labels";

let server: ExploreServer;
let page: ExplorerTab;
let tab: Page;
let scene: Scene;
afterAll(() => server?.stop());
beforeAll(async () => {
  if (browserPath === undefined) return;
  const [graph, run] = ["graph", "run"].map((name) => join(folder, name));
  if (GIVEN === undefined)
    await documentOf(["generate", "groups", "--nodes", "3025", "--relations", "2", "--out", graph]);
  const options = ["--dim", "16", "--epochs", "3", "--no-report", "--quiet"];
  await documentOf(["embed", GIVEN ?? graph, "--out", run, ...options]);
  server = await startServer([run]);
  scene = await openScene(fetchedSource(`${server.address}scene/0/`));
  page = await openTab(await browser(), server.address, { origin: new URL(server.address).origin });
  tab = page.tab;
});

/** A box around the middle of the map. */
function middle(places: readonly Place[]): Place[] {
  const [xs, ys] = [0, 1].map((axis) => places.map((place) => place[axis]).sort((a, b) => a - b));
  const share = (sorted: readonly number[], at: number) => Math.round(sorted[Math.floor(at * sorted.length)]) + 0.5;
  const [left, right, top, bottom] = [share(xs, 0.2), share(xs, 0.8), share(ys, 0.2), share(ys, 0.8)];
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

describe.skipIf(SKIP_REASON !== "")(`the explorer of ${what}${SKIP_REASON}`, () => {
  test("search, lasso, relations, colours, table, export and predictions", async () => {
    const [relation] = scene.header.relations;
    const label = scene.attributes.find(({ name }) => name === "label");
    if (label?.kind !== "category") throw new Error("the graph has no labels");
    await findNode(tab, scene.ids[17]);
    await tab.locator(".node-panel .facet-bar").first().waitFor();

    const places = await nodePlaces(tab, scene.maps[0].positions);
    const loop = middle(places);
    const inside = nodesInside(places, loop);
    await tab.getByRole("button", { name: "Lasso" }).click();
    await drag(tab, [...loop, loop[0]]);
    const count = (number: number) => number.toLocaleString("en");
    await expectSoon(() => text(tab, ".selection-panel-count")).toBe(
      `${count(inside.length)} nodes of ${count(scene.ids.length)} selected`,
    );

    // an address of so many ids would be too long
    await expectSoon(() => text(tab, ".app-link-note")).toContain("Save the state as a file instead");
    expect(linkState(tab)).not.toHaveProperty("selected");

    const drawn = () => text(tab, ".relation-list-drawn");
    const before = await drawn();
    await tab.getByRole("checkbox", { name: relation.name }).uncheck();
    await expectSoon(drawn).not.toBe(before);
    await tab.getByRole("checkbox", { name: relation.name }).check();

    await tab.getByLabel("Colour by").selectOption("label");
    const legend = await tab.locator(".color-legend-toggle").allInnerTexts();
    expect(legend.slice(0, label.categories.length)).toHaveLength(label.categories.length);

    await tab.getByRole("columnheader", { name: "degree" }).getByRole("button").click();
    const degree = scene.attributes.find(({ name }) => name === "degree");
    if (degree?.kind !== "number") throw new Error("the scene has no degrees");
    const smallest = Math.min(...inside.map((node) => degree.values[node]));
    const place = scene.attributes.indexOf(degree) + 1;
    const cell = tab.locator("[aria-rowindex='2'] td").nth(place);
    expect(await cell.innerText()).toBe(count(smallest));
    const [saved] = await Promise.all([
      tab.waitForEvent("download"),
      tab.getByRole("button", { name: "Export CSV" }).click(),
    ]);
    const rows = (await readFile(await saved.path(), "utf8")).trimEnd().split("\r\n");
    expect(rows).toHaveLength(inside.length + 1);
    expect(rows[0]).toMatch(/^id,label,/);

    await tab.getByLabel("Missing edges in").selectOption(scene.header.relations[1].name);
    await expectSoon(() => text(tab, ".prediction-list-mark strong")).toBe("Predicted, not in the data.");
    expect(await tab.locator(".prediction-list .panel-node").count()).toBe(10);
    expect(page.complaints).toEqual([]);
  });

  test("pictures and the state are saved, and the state opens again", async () => {
    const png = await readFile(await (await saveByMenu(tab, "Picture (PNG)")).path());
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    const svg = await readFile(await (await saveByMenu(tab, "Picture (SVG)")).path(), "utf8");
    expect((svg.match(/<circle /g) ?? []).length).toBeGreaterThan(scene.ids.length);
    const saved = await readFile(await (await saveByMenu(tab, "This state (JSON)")).path(), "utf8");
    const selected = await text(tab, ".selection-panel-count");
    await openPage(tab, server.address);
    expect(await text(tab, ".selection-panel-count")).toContain("No nodes are selected");
    await dropFile(tab, "state.json", saved);
    await expectSoon(() => text(tab, ".selection-panel-count")).toBe(selected);
    await expectSoon(() => focusedNode(tab)).toBe(scene.ids[17]);
    expect(await text(tab, ".color-legend-chooser option:checked")).toBe("label");
    expect(await errors(tab)).toEqual([]);
  });

  test("the map shows all nodes again after the key 0, and goes on to do so when the window changes", async () => {
    const fitted = async () => {
      const svg = await readFile(await (await saveByMenu(tab, "Picture (SVG)")).path(), "utf8");
      return (svg.match(/<circle /g) ?? []).length;
    };
    await openPage(tab, server.address);
    const all = await fitted();
    await tab.locator("canvas").focus();
    await tab.keyboard.press("+");
    await expectSoon(() => linkState(tab)["camera"]).toBeDefined();
    await tab.keyboard.press("0");
    await expectSoon(() => linkState(tab)["camera"]).toBeUndefined();
    await tab.setViewportSize({ width: 900, height: 500 });
    await expectSoon(fitted).toBe(all);
    await tab.setViewportSize({ width: 1280, height: 800 });
  });

  test("a section that was closed stays closed, and a narrow page has one column in the order of use", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await tab.emulateMedia({ colorScheme });
      for (const width of [1280, 380]) {
        await tab.setViewportSize({ width, height: 800 });
        await openPage(tab, server.address);
        await findNode(tab, scene.ids[17]);
        await tab.locator(".node-panel .facet-bar").first().waitFor();
        expect(await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
        if (SCREENSHOTS === undefined) continue;
        mkdirSync(SCREENSHOTS, { recursive: true });
        const path = join(SCREENSHOTS, `features-${width}-${colorScheme}.png`);
        await tab.screenshot({ path, fullPage: width === 380 });
      }
    }
    const tops = await tab.evaluate(() =>
      [...document.querySelectorAll("canvas, .search-box, .app-section")]
        .map(
          (part) =>
            [part.getBoundingClientRect().top, part.querySelector("h2")?.textContent ?? part.className] as const,
        )
        .sort(([a], [b]) => a - b)
        .map(([, name]) => name),
    );
    expect(tops.slice(1)).toEqual([
      "search-box",
      "Node",
      "Likeliest missing edges",
      "Relations",
      "Labels and colours",
      "Selection",
    ]);
    await tab.getByRole("heading", { name: "Labels and colours" }).click();
    await openPage(tab, server.address);
    expect(await tab.getByLabel("Colour by").isVisible()).toBe(false);
    expect(await tab.getByRole("checkbox", { name: scene.header.relations[0].name }).isVisible()).toBe(true);
    await tab.setViewportSize({ width: 1280, height: 800 });
    await tab.getByRole("heading", { name: "Labels and colours" }).click();
    expect(await tab.getByLabel("Colour by").isVisible()).toBe(true);
    expect(await tab.locator(".app-left .app-section").count()).toBe(2);
    expect(page.complaints).toEqual([]);
  });
});
