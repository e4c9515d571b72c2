/** The explorer's page in Chromium, used as a person does: on the demo town, as a single file, with two runs, and for training. */

import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mapPositions, widestColumns } from "../src/explore/app/scene-view.js";
import { openScene } from "../src/explore/scene/open-scene.js";
import type { Adjacency, Scene } from "../src/explore/scene/scene.js";
import { fetchedSource } from "../src/explore/scene/scene-sources.js";
import {
  drag,
  dropFile,
  type ExplorerTab,
  type ExploreServer,
  errors,
  expectCardBeside,
  expectSoon,
  findNode,
  focusedNode,
  linkState,
  loneliestNode,
  nodePlaces,
  nodesInside,
  openPage,
  openTab,
  type Place,
  pictureParts,
  SKIP_REASON,
  saveByMenu,
  search,
  startServer,
  text,
  WITHOUT_WEBGL,
} from "./explore/explorer-page.js";
import { BROWSER_ARGUMENTS, browserPath, fileBrowser } from "./support/browser.js";

/** One test below and test/explore-map.test.ts use WebGL. */
const browser = fileBrowser(WITHOUT_WEBGL);
const browserWithWebgl = fileBrowser(BROWSER_ARGUMENTS);
/** Folder for screenshots of the page in both colour schemes and widths; none are saved without it. */
const SCREENSHOTS = process.env["HMGE_SCREENSHOTS"];
const reason = SKIP_REASON;

const counts = (lines: readonly string[]) => lines.map((line) => Number(/([\d,]+)/.exec(line)?.[1].replace(",", "")));

/** Ids in the first column of a CSV file without quotes. */
async function exportedIds(tab: Page): Promise<string[]> {
  const [download] = await Promise.all([
    tab.waitForEvent("download"),
    tab.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  const [, ...lines] = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
  return lines.map((line) => line.split(",")[0]);
}

let server: ExploreServer;
afterAll(() => server?.stop());
beforeAll(async () => {
  if (browserPath === undefined) return;
  [server] = await Promise.all([startServer([]), browser()]);
});

describe.skipIf(reason !== "")(`the explorer of the demo town${reason}`, () => {
  let scene: Scene;
  let page: ExplorerTab;
  let tab: Page;
  const allEdges = () => scene.header.relations.reduce((sum, { numEdges }) => sum + numEdges, 0);
  const neighborsOf = ({ rowStart, columns }: Adjacency, node: number) =>
    [...columns.subarray(rowStart[node], rowStart[node + 1])].map((other) => scene.ids[other]);

  beforeAll(async () => {
    scene = await openScene(fetchedSource(`${server.address}scene/0/`));
    page = await openTab(await browser(), server.address, { origin: new URL(server.address).origin });
    tab = page.tab;
  });
  const restart = () => openPage(tab, server.address);

  test("opens with the map, all relations and a legend that counts all nodes", async () => {
    expect(await text(tab, "h1")).toBe("Saltmere");
    const rows = await tab.locator(".relation-list li").allInnerTexts();
    const listed = scene.header.relations.map(
      ({ name, numEdges }) => `${name}\n${numEdges.toLocaleString("en")} edges`,
    );
    expect(rows.map((row) => row.trim().replaceAll(/\s*\n\s*/g, "\n"))).toEqual(listed);
    const legend = counts(await tab.locator(".color-legend-toggle").allInnerTexts());
    expect(legend.reduce((sum, count) => sum + count, 0)).toBe(317);
    expect(await text(tab, ".app-foot")).toContain("317 nodes · 5,776 edges in 6 relations");
    const { lines, circles } = await pictureParts(tab);
    expect([lines, circles]).toEqual([0, 317]);
    expect(page.complaints).toEqual([]);
  });

  test("draws with WebGL where there is WebGL, and says so where there is none", async () => {
    const notice = "This browser has no WebGL";
    expect(await tab.getByText(notice).count()).toBe(1);
    const other = await openTab(await browserWithWebgl(), server.address, { origin: new URL(server.address).origin });
    expect(await other.tab.getByText(notice).count()).toBe(0);
    const hasWebgl = other.tab
      .locator("canvas")
      .first()
      .evaluate((canvas: HTMLCanvasElement) => canvas.getContext("webgl2") !== null);
    expect(await hasWebgl).toBe(true);
    expect((await pictureParts(other.tab)).circles).toBe(317);
    expect(other.complaints).toEqual([]);
    await other.tab.close();
  });

  test("a node found by its id is in the link; a new tab opens the same state; back and forward return", async () => {
    await restart();
    await tab.getByRole("combobox", { name: "Map", exact: true }).selectOption("principal components");
    await tab.getByLabel("Colour by").selectOption("society");
    await findNode(tab, scene.ids[5]);
    await findNode(tab, scene.ids[9]);
    const state = { map: { name: "principal components" }, color: "society", focus: scene.ids[9] };
    expect(linkState(tab)).toMatchObject(state);

    const other = await openTab(await browser(), tab.url(), { origin: new URL(server.address).origin });
    await expectSoon(() => focusedNode(other.tab)).toBe(scene.ids[9]);
    expect(await other.tab.getByRole("combobox", { name: "Map", exact: true }).inputValue()).toBe(state.map.name);
    expect(await text(other.tab, ".color-legend-chooser option:checked")).toBe("society");
    expect((await pictureParts(other.tab)).svg).toBe((await pictureParts(tab)).svg);
    await other.tab.context().close();

    await tab.goBack();
    await expectSoon(() => focusedNode(tab)).toBe(scene.ids[5]);
    await tab.getByRole("button", { name: "Back to the previous node" }).click();
    await expectSoon(() => focusedNode(tab)).toBe("");
    expect(await tab.getByRole("button", { name: "Back to the previous node" }).isDisabled()).toBe(true);
    await tab.getByRole("button", { name: "Forward to the next node" }).click();
    await expectSoon(() => focusedNode(tab)).toBe(scene.ids[5]);
    expect(await text(tab, ".color-legend-chooser option:checked")).toBe("society");
  });

  test("the choice of one colour is in the link too", async () => {
    await restart();
    await tab.getByLabel("Colour by").selectOption("one colour");
    await expectSoon(() => linkState(tab)["color"]).toBe(null);
    await openPage(tab, tab.url());
    expect(await text(tab, ".color-legend-chooser option:checked")).toBe("one colour");
  });

  test("the two columns of the largest variance are shown whole after another map was zoomed", async () => {
    await restart();
    for (let k = 0; k < 3; k++) await tab.getByRole("button", { name: "Zoom in" }).click();
    expect((await pictureParts(tab)).circles).toBeLessThan(317);
    await tab.getByRole("combobox", { name: "Map", exact: true }).selectOption("two columns");
    const columns = await widestColumns(scene);
    await expectSoon(() => linkState(tab)["map"]).toEqual({ columns });
    const [[x, y]] = await nodePlaces(tab, await mapPositions(scene, { columns }));
    const { left, top } = await tab.locator("canvas").evaluate((canvas) => canvas.getBoundingClientRect());
    const [cx, cy] = [x - left, y - top].map((value) => String(Math.round(100 * value) / 100));
    await expectSoon(async () => (await pictureParts(tab)).svg).toContain(`<circle cx="${cx}" cy="${cy}"`);
  });

  test("the map moves to a node that is found outside the view", async () => {
    await restart();
    const { positions } = scene.maps[0];
    const [left, right] = [Math.min, Math.max].map((most) => {
      const across = scene.ids.map((_, node) => positions[2 * node]);
      return across.indexOf(most(...across));
    });
    const places = await nodePlaces(tab, positions);
    await tab.mouse.move(...places[left]);
    await tab.mouse.wheel(0, -1000);
    await expectSoon(() => linkState(tab)["camera"]).toBeDefined();
    await findNode(tab, scene.ids[right]);
    const [x, y] = [positions[2 * right], positions[2 * right + 1]];
    await expectSoon(() => linkState(tab)["camera"]).toMatchObject({ x, y });
    expect((await pictureParts(tab)).svg).toContain(`>${scene.ids[right]}</text>`);
  });

  test("the pointer names nodes; a click opens one; box and lasso select exactly the nodes inside", async () => {
    await restart();
    const places = await nodePlaces(tab, scene.maps[0].positions);
    const lonely = loneliestNode(places);
    await tab.mouse.move(...places[lonely]);
    await expectSoon(() => text(tab, ".hover-card")).toContain(scene.ids[lonely]);
    await expectCardBeside(tab, places[lonely]);
    await tab.mouse.click(...places[lonely]);
    await expectSoon(() => focusedNode(tab)).toBe(scene.ids[lonely]);

    const expectSelection = async (nodes: readonly number[]) => {
      await expectSoon(() => text(tab, ".selection-panel-count")).toBe(`${nodes.length} nodes of 317 selected`);
      const rows = await tab.locator(".selection-table table").getAttribute("aria-rowcount");
      expect(Number(rows)).toBe(nodes.length + 1);
      expect((await exportedIds(tab)).sort()).toEqual(nodes.map((node) => scene.ids[node]).sort());
    };
    const [left, right, top, bottom] = [450.5, 700.5, 200.5, 500.5];
    const box: Place[] = [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
    ];
    const inBox = nodesInside(places, box);
    expect(inBox.length).toBeGreaterThan(20);
    await tab.getByRole("button", { name: "Box" }).click();
    await drag(tab, [box[0], box[2]]);
    await expectSelection(inBox);

    const loop: Place[] = [
      [300.5, 80.5],
      [900.5, 300.5],
      [600.5, 380.5],
      [700.5, 600.5],
      [320.5, 650.5],
    ];
    const inLoop = nodesInside(places, loop);
    expect(inLoop.length).toBeGreaterThan(20);
    await tab.getByRole("button", { name: "Lasso" }).click();
    await drag(tab, loop);
    await expectSelection(inLoop);
    await tab.getByRole("button", { name: "Clear the selection" }).click();
    expect(await text(tab, ".selection-panel-count")).toContain("No nodes are selected");

    await tab.getByRole("button", { name: "Move" }).click();
    await tab.keyboard.down("Shift");
    await drag(tab, [box[0], box[2]]);
    await tab.keyboard.up("Shift");
    await expectSelection(inBox);
  });

  test("switches of relations and the choice of edges change what is drawn", async () => {
    await restart();
    const drawn = () => text(tab, ".relation-list-drawn");
    await tab.getByRole("radio", { name: "all" }).check();
    await expectSoon(drawn).toBe(`${allEdges().toLocaleString("en")} edges drawn.`);
    expect((await pictureParts(tab)).lines).toBe(allEdges());
    await tab.getByRole("checkbox", { name: "family" }).uncheck();
    const left = allEdges() - scene.header.relations[0].numEdges;
    await expectSoon(drawn).toBe(`${left.toLocaleString("en")} edges drawn.`);
    await tab.getByRole("button", { name: "All off" }).click();
    await expectSoon(drawn).toBe("No edges are drawn: all relations are off.");
    await tab.getByRole("button", { name: "All on" }).click();
    await tab.getByRole("radio", { name: "none" }).check();
    await expectSoon(drawn).toBe("No edges are drawn.");
    expect((await pictureParts(tab)).lines).toBe(0);
    await tab.getByRole("radio", { name: "of the selection" }).check();
    await findNode(tab, scene.ids[0]);
    const relations = await Promise.all(scene.header.relations.map((_, d) => scene.adjacency(d)));
    const degree = relations.reduce((sum, relation) => sum + neighborsOf(relation, 0).length, 0);
    await expectSoon(drawn).toBe(`${degree} edges drawn.`);

    await restart();
    const isChosen = (name: string) => tab.getByRole("radio", { name }).isChecked();
    expect(await isChosen("of the selection")).toBe(true);
    await tab.keyboard.down("Shift");
    await drag(tab, [
      [450.5, 200.5],
      [700.5, 500.5],
    ]);
    await tab.keyboard.up("Shift");
    await expectSoon(() => isChosen("inside the selection")).toBe(true);
    const selected = new Set(await exportedIds(tab));
    const inside = relations.flatMap((relation) =>
      scene.ids.flatMap((id, node) =>
        selected.has(id) ? neighborsOf(relation, node).filter((other) => selected.has(other) && other > id) : [],
      ),
    );
    await expectSoon(drawn).toBe(`${inside.length.toLocaleString("en")} edges drawn.`);
    await tab.getByText("Overlap of relations").click();
    await expectSoon(() => tab.locator(".relation-list-overlap tbody tr").count()).toBe(6);
  });

  test("nodes are coloured by other attributes, also of a dropped table, and the legend hides nodes", async () => {
    await restart();
    await tab.getByLabel("Colour by").selectOption("degree");
    expect(await text(tab, ".color-legend-ends")).toMatch(/^≤ \d+\s.*≥ \d+$/s);
    await tab.getByLabel("Colour by").selectOption("quarter");
    const first = tab.locator(".color-legend-toggle").first();
    const [count] = counts([await first.innerText()]);
    await first.click();
    expect((await pictureParts(tab)).circles).toBe(317 - count);
    await tab.getByRole("button", { name: "Show all" }).click();

    const rows = scene.ids.slice(0, 100).map((id, i) => `${id},${i < 30 ? "red" : "blue"}`);
    await dropFile(tab, "teams.csv", `person,team\n${rows.join("\n")}\nnobody,red\n`);
    await expectSoon(() => text(tab, ".color-legend-chooser option:checked")).toBe("team");
    expect(await text(tab, ".app-message")).toContain(
      "teams.csv: values of 100 nodes. 1 row of other nodes is ignored.",
    );
    const legend = (await tab.locator(".color-legend-toggle").allInnerTexts()).map((line) =>
      line.replaceAll(/\s+/g, " "),
    );
    expect(legend.map((line) => line.trim())).toEqual(["blue 70", "red 30", "no value 217"]);
    await tab.getByRole("button", { name: "Show only red" }).click();
    expect((await pictureParts(tab)).circles).toBe(30);

    await dropFile(tab, "teams.csv", `person,team\n${scene.ids[0]},green\n`);
    await expectSoon(() => text(tab, ".color-legend-chooser option:checked")).toBe("team (2)");
    await dropFile(tab, "wrong.csv", "person,team\nnobody,red\n");
    await expectSoon(() => errors(tab)).toHaveLength(1);
    expect((await errors(tab))[0]).toContain(
      "wrong.csv: none of its 1 rows is a node of the graph, whose ids look like",
    );
    // only the last three messages stay, each once, and they can be closed
    for (const name of ["a.csv", "b.csv", "b.csv"]) await dropFile(tab, name, "person,team\nnobody,red\n");
    await expectSoon(async () => (await errors(tab)).map((line) => line.split(":")[0])).toEqual([
      "wrong.csv",
      "a.csv",
      "b.csv",
    ]);
    expect(await tab.locator(".app-message").count()).toBe(0);
    await tab.getByRole("button", { name: "Close this message" }).first().click();
    await expectSoon(() => errors(tab)).toHaveLength(2);
  });

  test("a dropped column of names labels the nodes on the map, in lists and in the link; ids can be chosen again", async () => {
    await restart();
    const rows = scene.ids.map((id, i) => `${id},Person ${i}`);
    await dropFile(tab, "names.csv", `node,name\n${rows.join("\n")}\n`);
    await expectSoon(() => text(tab, ".label-chooser option:checked")).toBe("name");
    await findNode(tab, scene.ids[9], "Person 9");
    const labels = async () =>
      [...(await pictureParts(tab)).svg.split("translate(")[0].matchAll(/>([^<]+)<\/text>/g)].map(([, label]) => label);
    await expectSoon(async () => (await labels()).every((label) => label.startsWith("Person "))).toBe(true);
    expect(await labels()).toContain("Person 9");
    expect(linkState(tab)).toMatchObject({ labels: "name", focus: scene.ids[9] });
    expect(await text(tab, ".node-panel-items .panel-node")).toMatch(/^Person \d+ /);
    await tab.getByLabel("Labels").selectOption("id");
    await expectSoon(() => focusedNode(tab)).toBe(scene.ids[9]);
    await expectSoon(labels).toContain(scene.ids[9]);
    await expectSoon(() => linkState(tab)["labels"]).toBe(null);
  });

  test("predictions are marked and are no neighbours", async () => {
    await restart();
    await findNode(tab, scene.ids[20]);
    const work = scene.header.relations.findIndex(({ name }) => name === "work");
    await tab.getByLabel("Missing edges in").selectOption("work");
    await expectSoon(() => text(tab, ".prediction-list-mark")).toContain("of work");
    expect(await text(tab, ".prediction-list-mark strong")).toBe("Predicted, not in the data.");
    const predicted = await tab.locator(".prediction-list .panel-node").allInnerTexts();
    const linked = neighborsOf(await scene.adjacency(work), 20);
    expect([predicted.length, linked.length > 0]).toEqual([10, true]);
    expect(predicted.filter((id) => linked.includes(id) || id === scene.ids[20])).toEqual([]);
  });

  test("saves pictures and its state, which opens again; other JSON is refused in one line", async () => {
    await restart();
    await tab.getByRole("button", { name: "Zoom in" }).click();
    await tab.getByLabel("Colour by").selectOption("one colour");
    await tab.getByRole("checkbox", { name: "market" }).uncheck();
    const png = await readFile(await (await saveByMenu(tab, "Picture (PNG)")).path());
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    const [width, height, numColors] = await tab.evaluate(
      async (bytes) => {
        const bitmap = await createImageBitmap(new Blob([Uint8Array.from(bytes)]));
        const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d")!;
        context.drawImage(bitmap, 0, 0);
        const pixels = new Uint32Array(context.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer);
        return [bitmap.width, bitmap.height, new Set(pixels).size];
      },
      [...png],
    );
    // twice the pixels of the map, and no legend: the nodes have one colour and no edges are drawn
    const box = (await tab.locator("canvas").boundingBox())!;
    expect([width, height, numColors > 10]).toEqual([
      ...[box.width, box.height].map((side) => Math.round(2 * side)),
      true,
    ]);
    await tab.getByLabel("Colour by").selectOption("quarter");
    const before = await pictureParts(tab);
    const legend = await tab.locator(".color-legend-name").allInnerTexts();
    const [, drawnLegend] = before.svg.split("translate(");
    expect([...drawnLegend.matchAll(/>([^<]+)<\/text>/g)].map(([, line]) => line)).toEqual(["quarter", ...legend]);
    expect(before.circles).toBeGreaterThan(100);
    const problem = await tab.evaluate(
      (svg) => new DOMParser().parseFromString(svg, "image/svg+xml").querySelector("parsererror")?.textContent,
      before.svg,
    );
    expect(problem).toBeUndefined();
    const saved = await readFile(await (await saveByMenu(tab, "This state (JSON)")).path(), "utf8");

    await restart();
    await findNode(tab, scene.ids[3]);
    await tab.getByText("Save and open", { exact: true }).click();
    const [chooser] = await Promise.all([
      tab.waitForEvent("filechooser"),
      tab.getByRole("button", { name: "Open a state or node table" }).click(),
    ]);
    await chooser.setFiles({ name: "state.json", mimeType: "application/json", buffer: Buffer.from(saved) });
    await expectSoon(() => tab.getByRole("checkbox", { name: "market" }).isChecked()).toBe(false);
    expect(await focusedNode(tab)).toBe("");
    expect((await pictureParts(tab)).svg).toBe(before.svg);
    await dropFile(tab, "other.json", '{"nodes": [1, 2]}');
    await expectSoon(() => errors(tab)).toHaveLength(1);
    expect((await errors(tab))[0]).toContain("other.json: found other data; expected a state that this page saved.");
    await dropFile(tab, "state.json", saved.replace('"numNodes": 317', '"numNodes": 5'));
    await expectSoon(() => errors(tab)).toHaveLength(2);
    expect((await errors(tab))[1]).toContain("state.json: a state of a graph with 5 nodes; this one has 317.");
  });

  test("is used with the keyboard alone", async () => {
    await restart();
    const active = () => tab.evaluate(() => document.activeElement?.textContent);
    await tab.keyboard.press("Tab");
    expect(await active()).toBe("To the map");
    await tab.keyboard.press("Enter");
    expect(await tab.evaluate(() => document.activeElement?.tagName)).toBe("CANVAS");
    await tab.keyboard.press("/");
    expect(await search(tab).evaluate((input) => input === document.activeElement)).toBe(true);
    await tab.keyboard.type(scene.ids[7].toLowerCase());
    await tab.keyboard.press("ArrowDown");
    await tab.keyboard.press("Enter");
    await expectSoon(() => focusedNode(tab)).toBe(scene.ids[7]);
    for (let k = 0; k < 2; k++) await tab.keyboard.press("Shift+Tab");
    while ((await active()) !== "To the node") await tab.keyboard.press("Shift+Tab");
    await tab.keyboard.press("Enter");
    expect(await active()).toBe(scene.ids[7]);
    const tabTo = async (selector: string) => {
      for (let k = 0; k < 60; k++) {
        await tab.keyboard.press("Tab");
        if (await tab.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
      }
      throw new Error(`Tab does not reach ${selector}`);
    };
    // the neighbour that Enter opens is gone from the list: the keyboard stays at the node
    await tab.locator(".node-panel-items .panel-node").first().waitFor();
    await tabTo(".node-panel-items .panel-node");
    await tab.keyboard.press("Enter");
    await expectSoon(() => focusedNode(tab)).not.toBe(scene.ids[7]);
    expect(await active()).toBe(await focusedNode(tab));
    await tab.goBack();
    await expectSoon(() => focusedNode(tab)).toBe(scene.ids[7]);
    await search(tab).focus();
    await tabTo("input[type=checkbox][aria-label=letters]");
    await tab.keyboard.press("Space");
    await expect
      .poll(() => linkState(tab)["relations"])
      .toEqual(["family", "market", "neighbours", "societies", "work"]);
    await tabTo("canvas");
    await tab.keyboard.press("+");
    const camera = () => linkState(tab)["camera"] as { x: number; y: number; scale: number } | undefined;
    await expectSoon(camera).toBeDefined();
    const { x, y, scale } = camera()!;
    await tab.keyboard.press("ArrowRight");
    await expectSoon(camera).toEqual({ x: expect.closeTo(x + 60 / scale, 5), y, scale });
    await tab.keyboard.press("/");
    expect(await search(tab).evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await search(tab).inputValue()).toBe(scene.ids[7]);
  });

  test("fits windows of 1280 and 380 pixels, light and dark", async () => {
    for (const width of [1280, 380]) {
      await tab.setViewportSize({ width, height: 800 });
      await restart();
      const places = await nodePlaces(tab, scene.maps[0].positions);
      const lonely = loneliestNode(places);
      await tab.mouse.move(...places[lonely]);
      await expectSoon(() => text(tab, ".hover-card")).toContain(scene.ids[lonely]);
      await expectCardBeside(tab, places[lonely]);
      await findNode(tab, scene.ids[0]);
      // closed at first on a narrow page
      if (width === 380) await tab.getByRole("heading", { name: "Likeliest missing edges" }).click();
      // a narrow page leads from the map to the selection
      await tab.evaluate(() => scrollTo(0, 0));
      const { x, y } = (await tab.locator("canvas").boundingBox())!;
      await tab.keyboard.down("Shift");
      await drag(tab, [
        [x + 2, y + 2],
        [x + 300, y + 300],
      ]);
      await tab.keyboard.up("Shift");
      await expectSoon(() => text(tab, ".selection-panel-count")).toContain(" selected");
      const note = tab.getByRole("button", { name: /^\d+ nodes selected: see Selection$/ });
      expect(await note.count()).toBe(width === 380 ? 1 : 0);
      if (width === 380) {
        await note.click();
        await expectSoon(
          async () => Math.abs((await tab.locator(".selection-panel-count").boundingBox())!.y) < 400,
        ).toBe(true);
        expect(await tab.evaluate(() => document.activeElement?.textContent)).toBe("Selection");
      }
      await tab.locator(".prediction-list-items").waitFor();
      expect(await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
      // on a wide page only the columns beside the map scroll
      const excess = await tab.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
      expect(excess > 0).toBe(width === 380);
      const backgrounds: string[] = [];
      for (const colorScheme of ["light", "dark"] as const) {
        await tab.emulateMedia({ colorScheme });
        backgrounds.push(await tab.evaluate(() => getComputedStyle(document.body).backgroundColor));
        if (SCREENSHOTS === undefined) continue;
        mkdirSync(SCREENSHOTS, { recursive: true });
        await tab.screenshot({ path: join(SCREENSHOTS, `town-${width}-${colorScheme}.png`) });
      }
      expect(backgrounds[0]).not.toBe(backgrounds[1]);
      await tab.emulateMedia({ colorScheme: "light" });
    }
    await tab.setViewportSize({ width: 1280, height: 800 });
    // every test above used this tab
    expect(page.complaints).toEqual([]);
  });
});
