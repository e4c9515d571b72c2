/** Starts the explorer's server, opens its page in Chromium, and finds nodes on the map. */

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { Browser, Download, Page } from "playwright-core";
import { expect } from "vitest";
import { boundsOf, fitCamera, toScreen } from "../../src/explore/map/camera.js";
import { PROGRAM } from "../cli/program.js";
import { browserPath } from "../support/browser.js";

export interface ExploreServer {
  readonly address: string;
  stop(): void;
}

/** Runs `hmge explore WORDS` until `stop`. */
export async function startServer(words: readonly string[]): Promise<ExploreServer> {
  const child = spawn(process.execPath, [PROGRAM, "explore", ...words, "--no-open", "--json", "--quiet"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  const { address } = await new Promise<{ address: string }>((resolve, reject) => {
    child.on("close", (code) => reject(new Error(`hmge explore ended with exit code ${code}`)));
    child.stdout.on("data", (data) => {
      text += data;
      if (text.endsWith("\n}\n")) resolve(JSON.parse(text));
    });
  });
  return { address, stop: () => void child.kill("SIGINT") };
}

export interface ExplorerTab {
  readonly tab: Page;
  /** Messages of the console, errors, dialogs, and requests to other addresses. */
  readonly complaints: string[];
}

export interface TabOptions {
  /** Origin to which the page may send requests; without it only addresses that need no network are allowed. */
  readonly origin?: string;
  readonly isOffline?: boolean;
}

/** Opens a tab in a context of its own, so that tabs share neither storage nor network state. */
export async function openTab(
  browser: Browser,
  address: string,
  { origin, isOffline = false }: TabOptions,
): Promise<ExplorerTab> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
  await context.setOffline(isOffline);
  const tab = await context.newPage();
  tab.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  tab.on("console", (message) => complaints.push(message.text()));
  tab.on("pageerror", (error) => complaints.push(error.message));
  tab.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  tab.on("request", (request) => {
    const url = new URL(request.url());
    if (!/^(about|file|data|blob):$/.test(url.protocol) && url.origin !== origin) complaints.push(`requested ${url}`);
  });
  await openPage(tab, address);
  return { tab, complaints };
}

/** Opens the address anew, also if only its last part (after #) differs, and waits for the map. */
export async function openPage(tab: Page, address: string): Promise<void> {
  await tab.goto("about:blank");
  await tab.goto(address);
  await tab.locator("canvas").first().waitFor();
}

/** The state in the page's address. */
export function linkState(tab: Page): Readonly<Record<string, unknown>> {
  const { hash } = new URL(tab.url());
  return hash === "" ? {} : JSON.parse(decodeURIComponent(hash.slice(1)));
}

export type Place = readonly [x: number, y: number];

/** Pixels of each node on a map that shows all of them, in pixels of the page. */
export async function nodePlaces(tab: Page, positions: Float32Array, map = 0): Promise<Place[]> {
  const box = await tab.locator("canvas").nth(map).boundingBox();
  if (box === null) throw new Error("the map is not in view");
  const camera = fitCamera(boundsOf(positions), box);
  return Array.from({ length: positions.length / 2 }, (_, node) => {
    const [x, y] = toScreen(camera, box, positions[2 * node], positions[2 * node + 1]);
    return [box.x + x, box.y + y] as const;
  });
}

/** A node with no other one near it, so that a click can mean only this one. */
export function loneliestNode(places: readonly Place[]): number {
  const room = places.map(([x, y], node) =>
    Math.min(...places.map(([a, b], other) => (other === node ? Number.POSITIVE_INFINITY : Math.hypot(a - x, b - y)))),
  );
  return room.indexOf(Math.max(...room));
}

/** Nodes inside a polygon: a ray to the right crosses its border an odd number of times. */
export function nodesInside(places: readonly Place[], corners: readonly Place[]): number[] {
  const isInside = ([x, y]: Place) => {
    const crossed = corners.filter(([x1, y1], k) => {
      const [x2, y2] = corners[(k + 1) % corners.length];
      return y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1);
    });
    return crossed.length % 2 === 1;
  };
  return places.flatMap((place, node) => (isInside(place) ? [node] : []));
}

export async function drag(tab: Page, [first, ...others]: readonly Place[]): Promise<void> {
  await tab.mouse.move(...first);
  await tab.mouse.down();
  for (const place of others) await tab.mouse.move(...place);
  await tab.mouse.up();
}

/** Drops a file on the page. */
export async function dropFile(tab: Page, name: string, content: string): Promise<void> {
  const dataTransfer = await tab.evaluateHandle(
    ({ name, content }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], name));
      return transfer;
    },
    { name, content },
  );
  await tab.dispatchEvent("main", "drop", { dataTransfer });
}

/** Clicks an entry of the menu "Save and open" that saves a file. */
export async function saveByMenu(tab: Page, entry: string): Promise<Download> {
  await tab.getByText("Save and open", { exact: true }).click();
  const [download] = await Promise.all([
    tab.waitForEvent("download"),
    tab.getByRole("button", { name: entry, exact: true }).click(),
  ]);
  return download;
}

/** The picture in view as SVG: number of lines (edges) and circles (nodes, and two more for the node in focus). */
export async function pictureParts(tab: Page): Promise<{ svg: string; lines: number; circles: number }> {
  const svg = await readFile(await (await saveByMenu(tab, "Picture (SVG)")).path(), "utf8");
  const count = (pattern: RegExp) => (svg.match(pattern) ?? []).length;
  return { svg, lines: count(/<line /g), circles: count(/<circle /g) };
}

/** Without WebGL, which software draws slowly: the map is a plain canvas. */
export const WITHOUT_WEBGL = ["--no-sandbox", "--disable-gpu", "--disable-3d-apis"];

/** Why the tests of pages are skipped; empty if they are not. */
export const SKIP_REASON = browserPath === undefined ? " (skipped: no Chromium on this machine)" : "";

/** Time that a busy machine may take. */
export const expectSoon = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });

export const text = (tab: Page, selector: string) => tab.locator(selector).first().innerText();
export const focusedNode = (tab: Page) => text(tab, ".node-panel-title");
export const errors = (tab: Page) => tab.locator(".app-error").allInnerTexts();
export const search = (tab: Page) => tab.getByRole("combobox", { name: /^Find a node/ });

export async function findNode(tab: Page, id: string, title = id): Promise<void> {
  await search(tab).fill(id);
  await search(tab).press("Enter");
  await expectSoon(() => focusedNode(tab)).toBe(title);
}

/** The card at the pointer begins or ends 12 pixels beside it, in both directions. */
export async function expectCardBeside(tab: Page, [x, y]: Place): Promise<void> {
  const { x: left, y: top, width, height } = (await tab.locator(".hover-card").boundingBox())!;
  const distance = (at: number, start: number, size: number) =>
    Math.min(Math.abs(start - at), Math.abs(at - start - size));
  // places of pointers are whole pixels
  for (const found of [distance(x, left, width), distance(y, top, height)])
    expect(Math.abs(found - 12)).toBeLessThan(2);
}
