/** The explorer as one file, of two runs, and as the page that trains: opened from a disk in a browser. */

import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { shownText } from "../src/explore/questions/node-facts.js";
import type { Scene } from "../src/explore/scene/scene.js";
import { centered, neighborsOf } from "../src/index.js";
import { documentOf } from "./cli/in-process.js";
import { temporaryFolder } from "./cli/program.js";
import {
  drag,
  dropFile,
  errors,
  expectSoon,
  findNode,
  focusedNode,
  loneliestNode,
  nodePlaces,
  nodesInside,
  openTab,
  type Place,
  pictureParts,
  SKIP_REASON,
  saveByMenu,
  search,
  text,
  WITHOUT_WEBGL,
} from "./explore/explorer-page.js";
import { HOSTILE_IDS, hostileEdges, writeHostileGraph } from "./explore/hostile-graph.js";
import { browserPath, fileBrowser } from "./support/browser.js";
import { embeddedScene } from "./support/embedded-scene.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const fileAddress = (name: string) => pathToFileURL(at(name)).href;
const browser = fileBrowser(WITHOUT_WEBGL);
const reason = SKIP_REASON;
const OFFLINE = { isOffline: true };

beforeAll(async () => {
  if (browserPath !== undefined) await Promise.all([writePages(), browser()]);
});

/** Writes a page of one run, a page of two runs, and the page that trains. */
async function writePages(): Promise<void> {
  const options = ["--model", "hmge", "--dim", "8", "--epochs", "2", "--threads", "1", "--quiet"];
  const { edges, labels } = writeHostileGraph(folder);
  for (const seed of ["1", "2"]) {
    await documentOf(["embed", edges, "--out", at(`run-${seed}`), "--seed", seed, "--no-report", ...options]);
  }
  const common = ["--labels", labels, "--threads", "1", "--quiet"];
  await documentOf(["explore", at("run-1"), "--out", at("one.html"), ...common]);
  await documentOf(["explore", at("run-1"), at("run-2"), "--out", at("two.html"), ...common]);
  await documentOf(["explore", "--static", at("site")]);
}

describe.skipIf(reason !== "")(`the explorer as a file${reason}`, () => {
  test("works without network, and hostile names are shown as text", async () => {
    const { tab, complaints } = await openTab(await browser(), fileAddress("one.html"), OFFLINE);
    const scene = await embeddedScene(readFileSync(at("one.html"), "utf8"));
    for (const id of HOSTILE_IDS) {
      await search(tab).fill(id);
      await search(tab).press("Enter");
      await expectSoon(() => tab.locator(".node-panel-title").textContent()).toBe(shownText(id));
      const places = await nodePlaces(tab, scene.maps[0].positions);
      await tab.mouse.move(...places[scene.ids.indexOf(id)]);
      await tab.locator(".hover-card").waitFor();
    }
    const legend = await tab.locator(".color-legend-name").allInnerTexts();
    expect(legend.sort()).toEqual([`"'>`, "<svg onload=alert(4)>"]);
    expect(await tab.locator(".relation-list-name").allInnerTexts()).toEqual(["<script>alert(3)</script>", "plain"]);
    await tab.getByRole("radio", { name: "all" }).check();
    await expectSoon(() => text(tab, ".relation-list-drawn")).toBe("80 edges drawn.");
    await tab.locator("canvas").focus();
    await tab.getByRole("button", { name: "Lasso" }).click();
    await drag(tab, [
      [265, 60],
      [915, 60],
      [915, 770],
      [265, 770],
    ]);
    await expectSoon(() => text(tab, ".selection-panel-count")).toBe("40 nodes of 40 selected");
    const { svg } = await pictureParts(tab);
    expect(svg).not.toMatch(/<(img|script|b)\b/);
    expect(await tab.locator("img, #page script, #page svg[onload]").count()).toBe(0);
    await dropFile(tab, "<img src=x onerror=alert(5)>.csv", "node,<img src=x onerror=alert(6)>\nn29,<b>7</b>\n");
    await expectSoon(() => tab.locator(".color-legend-name").allInnerTexts()).toContain("<b>7</b>");
    await dropFile(tab, "<img src=x onerror=alert(8)>.csv", "a\n");
    await expectSoon(() => errors(tab)).toHaveLength(1);
    expect(await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
    expect(complaints).toEqual([]);
    await tab.context().close();
  });

  test("two runs are side by side and share focus and selection", async () => {
    const { tab, complaints } = await openTab(await browser(), fileAddress("two.html"), OFFLINE);
    const html = readFileSync(at("two.html"), "utf8");
    const [first, second] = await Promise.all([0, 1].map((k) => embeddedScene(html, k)));
    expect(await tab.locator(".app-map-name").allInnerTexts()).toEqual(["run-1", "run-2"]);
    expect(first.maps[0].positions).not.toEqual(second.maps[0].positions);
    const places = await nodePlaces(tab, second.maps[0].positions, 1);
    const node = loneliestNode(places);
    await tab.mouse.click(...places[node]);
    await expectSoon(() => tab.locator(".node-panel-title").textContent()).toBe(shownText(second.ids[node]));

    const nearest = async (run: Scene) => {
      const vectors = centered({ ids: [...run.ids], dim: run.header.dim, vectors: await run.vectors() });
      return neighborsOf(vectors, second.ids[node], 10).map((near) => near.node);
    };
    const [ofFirst, ofSecond] = [await nearest(first), await nearest(second)];
    const common = ofFirst.filter((id) => ofSecond.includes(id));
    await expectSoon(() => text(tab, ".run-comparison-node p")).toContain(
      `The runs agree on ${common.length} of the 10 nearest nodes`,
    );
    expect(await text(tab, ".run-comparison-node p")).toContain(`: ${10 * common.length} %; chance gives 26 %.`);
    const shownCommon = await tab.locator(".run-comparison-common .panel-node").allInnerTexts();
    expect(shownCommon).toEqual(common.map((id) => shownText(id)));
    const firstNear = () => tab.locator("[aria-label='Nearest by vector'] .panel-node").allInnerTexts();
    await expectSoon(firstNear).toEqual(ofFirst.map((id) => shownText(id)));
    await tab.getByLabel(/of run/).selectOption("2: run-2");
    await expectSoon(firstNear).toEqual(ofSecond.map((id) => shownText(id)));
    await tab.getByRole("button", { name: "Compare all nodes" }).click();
    await expectSoon(() => text(tab, ".run-comparison-mean p")).toMatch(
      /^Mean over 40 nodes: the runs share \d+ % of the ten nearest nodes; chance gives 26 %\.$/,
    );
    expect(await text(tab, ".app-foot")).toMatch(
      /run-1: model \w+, width 8, seed 1 · run-2: model \w+, width 8, seed 2\./,
    );
    const before = await tab.locator("canvas").first().screenshot();
    const canvas = (await tab.locator("canvas").nth(1).boundingBox())!;
    const [left, right, top, bottom] = [canvas.x + 1.5, canvas.x + canvas.width / 2, canvas.y + 1.5, canvas.y + 400];
    const half: Place[] = [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
    ];
    const inside = nodesInside(places, half);
    expect(inside.length).toBeGreaterThan(1);
    await tab.getByRole("button", { name: "Box" }).click();
    await drag(tab, [half[0], half[2]]);
    await expectSoon(() => text(tab, ".selection-panel-count")).toBe(`${inside.length} nodes of 40 selected`);
    expect((await tab.locator("canvas").first().screenshot()).equals(before)).toBe(false);
    expect(complaints).toEqual([]);
    await tab.context().close();
  });

  test("trains on a file, explores the run, and saves a page that opens from a file", async () => {
    const site: Server = createServer((request, response) => {
      const isPage = request.url === "/";
      response.writeHead(isPage ? 200 : 404, { "Content-Type": "text/html" });
      response.end(isPage ? readFileSync(join(at("site"), "index.html")) : "");
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
    const { tab, complaints } = await openTab(await browser(), address, { origin: new URL(address).origin });
    const edges = { name: "hostile.csv", mimeType: "text/csv", buffer: Buffer.from(hostileEdges()) };
    await tab.locator("#training-panel-file").setInputFiles(edges);
    await tab.getByText("80 rows, 40 nodes, 2 relations.").waitFor();
    await tab.getByRole("button", { name: "Use these edges" }).click();
    await tab.getByText(/^All options of multiview/).click();
    for (const [name, value] of Object.entries({ dim: 8, epochs: 3 }))
      await tab.fill(`#training-form-${name}`, `${value}`);
    await tab.getByRole("button", { name: "Train", exact: true }).click();
    await tab.getByRole("button", { name: "Explore this run" }).click();
    await findNode(tab, "n29");
    await tab.locator(".node-panel .facet-bar").first().waitFor();
    const rows = Array.from({ length: 40 }, (_, i) => `n${i},Node ${i},${i % 3},${i < 5 ? "few" : "many"}`);
    await dropFile(tab, "nodes.csv", `node,name,third,size\n${rows.join("\n")}\n`);
    await expectSoon(() => text(tab, ".app-message")).toContain("nodes.csv: values of 26 nodes.");
    await tab.getByLabel("Labels").selectOption("name");
    await tab.getByLabel("Colour by").selectOption("size");
    const saved = await saveByMenu(tab, "This page with its data (HTML)");
    await saved.saveAs(at("saved.html"));
    site.closeAllConnections();
    site.close();
    await tab.context().close();
    expect(complaints).toEqual([]);

    const opened = await openTab(await browser(), fileAddress("saved.html"), OFFLINE);
    expect(await text(opened.tab, "h1")).toBe("hostile");
    expect(await text(opened.tab, ".color-legend-chooser option:checked")).toBe("size");
    expect(await text(opened.tab, ".label-chooser option:checked")).toBe("name");
    await expectSoon(() => focusedNode(opened.tab)).toBe("Node 29");
    await opened.tab.locator(".prediction-list-items").waitFor();
    expect(opened.complaints).toEqual([]);
    await opened.tab.context().close();
  });
});
