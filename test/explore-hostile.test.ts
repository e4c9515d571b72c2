/** Hostile links, files and other web pages against the explorer in a browser: nothing runs, nothing leaks, one line answers. */

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentOf } from "./cli/in-process.js";
import { temporaryFolder } from "./cli/program.js";
import {
  type ExplorerTab,
  type ExploreServer,
  errors,
  expectSoon,
  findNode,
  focusedNode,
  openPage,
  openTab,
  SKIP_REASON,
  search,
  startServer,
  WITHOUT_WEBGL,
} from "./explore/explorer-page.js";
import { writeHostileGraph } from "./explore/hostile-graph.js";
import { browserPath, fileBrowser } from "./support/browser.js";

const folder = temporaryFolder();
const browser = fileBrowser(WITHOUT_WEBGL);
const reason = SKIP_REASON;

let server: ExploreServer;
let other: Server;
let page: ExplorerTab;
afterAll(() => {
  server?.stop();
  other?.close();
});
beforeAll(async () => {
  if (browserPath === undefined) return;
  const { edges } = writeHostileGraph(folder);
  const run = join(folder, "run");
  const words = ["--model", "hmge", "--dim", "4", "--epochs", "1", "--no-report", "--quiet"];
  await documentOf(["embed", edges, "--out", run, ...words]);
  server = await startServer([run]);
  other = createServer((_, response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<p>other</p>"));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  page = await openTab(await browser(), server.address, { origin: new URL(server.address).origin });
});

/** Drops a file of these bytes, or of one text that is repeated. */
async function drop(name: string, content: string | readonly number[], copies = 1): Promise<void> {
  const dataTransfer = await page.tab.evaluateHandle(
    ([name, content, copies]) => {
      const transfer = new DataTransfer();
      const parts = typeof content === "string" ? Array(copies).fill(content) : [Uint8Array.from(content)];
      transfer.items.add(new File(parts, name));
      return transfer;
    },
    [name, content, copies] as const,
  );
  await page.tab.dispatchEvent("main", "drop", { dataTransfer });
}

const state = (value: object, scene: object = { numNodes: 40 }) =>
  JSON.stringify({ format: "hmge explorer state", version: 1, scene, state: value });
const MIB = 2 ** 20;

describe.skipIf(reason !== "")(`the explorer against hostile inputs${reason}`, () => {
  test.each<[what: string, name: string, content: string | readonly number[], copies?: number]>([
    ["an empty file", "empty.csv", ""],
    ["bytes that are no text", "binary.csv", [0, 255, 254, 1, 2, 128, 10, 13, 0, 200]],
    ["a line of 20 MB", "line.csv", "x".repeat(MIB), 20],
    ["a cell of 50 MB", "cell.csv", `node,text\nnobody,"${"x".repeat(MIB)}`, 50],
    ["a million empty lines", "lines.csv", "\n".repeat(1000), 1000],
    ["ten thousand columns", "wide.csv", `node${",x".repeat(10_000)}\nn29\n`],
    ["a file of 101 MiB", "large.csv", "x".repeat(MIB), 101],
    ["JSON that is no state", "other.json", '{"__proto__": {"polluted": 1}}'],
    ["JSON of a deep nesting", "deep.json", "[".repeat(MIB)],
    ["a state of another graph", "state.json", state({}, { numNodes: "<img src=x onerror=alert(1)>" })],
    ["a state that is cut off", "cut.json", state({ focus: "n29" }).slice(0, -9)],
  ])("%s is refused in one line", async (_, name, content, copies) => {
    await openPage(page.tab, server.address);
    await drop(name, content, copies);
    await expectSoon(() => errors(page.tab)).toHaveLength(1);
    const [line] = await errors(page.tab);
    expect(line).toContain(name);
    expect(line.length).toBeLessThan(400);
    await findNode(page.tab, "n29");
    expect(page.complaints).toEqual([]);
  });

  test("a node table with a cell of 1 MiB colours the nodes, and the page stays usable", async () => {
    await openPage(page.tab, server.address);
    await page.tab.evaluate(async (size) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(["node,text\nn29,", "<b>".repeat(size / 3), "\nn30,b\n"], "cell.csv"));
      document.querySelector("main")!.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true }));
    }, MIB);
    await expectSoon(() => page.tab.locator(".color-legend-name").count()).toBe(3);
    for (const name of await page.tab.locator(".color-legend-name").allInnerTexts())
      expect(name.length).toBeLessThan(130);
    await findNode(page.tab, "n29");
    expect(page.complaints).toEqual([]);
  });

  test.each<[what: string, value: object]>([
    [
      "names that are none",
      { focus: "<img src=x onerror=alert(1)>x", selected: ["nobody"], color: "<b>", hidden: ["x"] },
    ],
    [
      "keys of JavaScript",
      JSON.parse('{"__proto__": {"focus": "n29"}, "constructor": 1, "map": {"name": "__proto__"}}'),
    ],
    ["values of other types", { map: 3, camera: [], relations: { length: 1 }, edges: "x", focus: {}, selected: 1 }],
    ["a camera far away", { camera: { x: 1e308, y: -1e308, scale: 1e-308 } }],
    ["a camera that is too close", { camera: { x: 0, y: 0, scale: 1e308 } }],
    ["columns that are none", { map: { columns: [1e9, 4] } }],
    ["a selection of 100,000 names", { selected: Array.from({ length: 100_000 }, (_, i) => `n${i % 50}`) }],
  ])("a state and a link with %s open the page", async (_, value) => {
    await openPage(page.tab, server.address);
    await drop("state.json", state(value));
    await findNode(page.tab, "n29");
    const { length } = encodeURIComponent(JSON.stringify(value));
    if (length < MIB) await openPage(page.tab, `${server.address}#${encodeURIComponent(JSON.stringify(value))}`);
    await findNode(page.tab, "n30");
    expect(await errors(page.tab)).toEqual([]);
    expect(await page.tab.evaluate(() => "polluted" in {})).toBe(false);
    expect(page.complaints).toEqual([]);
  });

  test("links that are no state open the page", async () => {
    for (const hash of [
      "<img src=x onerror=alert(1)>",
      "javascript:alert(2)",
      "%",
      "%00",
      "%ff",
      `[${"[".repeat(1e5)}`,
    ]) {
      await openPage(page.tab, `${server.address}#${hash}`);
      expect(await errors(page.tab)).toEqual([]);
      expect(await focusedNode(page.tab)).toBe("");
    }
    await search(page.tab).fill("\u0000\ud800");
    expect(page.complaints).toEqual([]);
  });

  test("a page on another origin cannot read, frame or script the explorer, even with its token", async () => {
    const tab = await (await browser()).newPage();
    await tab.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    const found = await tab.evaluate(async (address) => {
      const header = `${address}scene/0/header`;
      const outcome = (work: Promise<unknown>) => work.then(String, () => "refused");
      const ended = (target: HTMLElement | EventTarget) =>
        new Promise<string>((resolve, reject) => {
          target.addEventListener("load", () => resolve("loaded"));
          target.addEventListener("open", () => resolve("opened"));
          target.addEventListener("error", reject);
        });
      const put = <T extends HTMLElement>(element: T, url: string) => {
        Object.assign(element, { src: url });
        const end = ended(element);
        document.body.append(element);
        return end;
      };
      const frame = document.createElement("iframe");
      await put(frame, address);
      const opened = window.open(address);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return {
        fetch: await outcome(fetch(header).then((response) => response.text())),
        opaque: await outcome(fetch(header, { mode: "no-cors" }).then((response) => response.text())),
        post: await outcome(fetch(address, { method: "POST", body: "x" })),
        script: await outcome(put(document.createElement("script"), header)),
        image: await outcome(put(document.createElement("img"), address)),
        socket: await outcome(ended(new WebSocket(address.replace("http", "ws")))),
        events: await outcome(ended(new EventSource(address))),
        frame: await outcome(Promise.resolve().then(() => frame.contentWindow!.document.title)),
        window: opened === null ? "refused" : await outcome(Promise.resolve().then(() => opened.document.title)),
      };
    }, server.address);
    const { window: title, ...others } = found;
    expect(Object.entries(others).filter(([, what]) => what !== "refused")).toEqual([]);
    // a window of its own group: the opener holds a closed stand-in
    expect(["refused", ""]).toContain(title);
    await tab.close();
  });
});
