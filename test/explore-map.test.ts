/** The explorer's map in a real browser, used with mouse, touch and keyboard. */

import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { buildMapPage, openMapPage } from "./explore-map/open-map-page.js";
import { BROWSER_ARGUMENTS, browserPath } from "./support/browser.js";

/** Places and colours of five nodes; the fourth is hidden by its colour, the last is not on the map. */
const POSITIONS = [0, 0, 10, 5, -12, -8, 20, -10, Number.NaN, 0];
const [RED, GREEN, BLUE] = [
  [220, 20, 20, 255],
  [20, 160, 20, 255],
  [20, 20, 220, 255],
];
const COLORS = [...RED, ...GREEN, ...BLUE, 9, 9, 9, 0, 9, 9, 9, 255];
/** With this camera and 800 × 600 pixels the first three nodes are at these pixels. */
const CAMERA = { x: 0, y: 0, scale: 10 };
const PIXELS: readonly [number, number][] = [
  [400, 300],
  [500, 250],
  [280, 380],
];
const HIDDEN: [number, number] = [600, 400];
/** Time that a busy machine may take. */
const PATIENCE = { timeout: 20_000 };
const BACKGROUND = [247, 247, 245, 255];

const reason = browserPath === undefined ? " (skipped: no Chromium on this machine)" : "";

describe.skipIf(reason !== "")(`the map in Chromium${reason}`, () => {
  let browser: Browser;
  let files: ReadonlyMap<string, string>;
  let tab: Page;

  beforeAll(async () => {
    [files, browser] = await Promise.all([
      buildMapPage(),
      chromium.launch({ executablePath: browserPath, args: BROWSER_ARGUMENTS }),
    ]);
    tab = await openMapPage(browser, files, { hasTouch: true });
  });
  afterAll(() => browser?.close());
  beforeEach(() => showFiveNodes(tab));

  test("shows points at their places in their colours, and edges between them", async () => {
    expect(await pixels(tab, [...PIXELS, HIDDEN])).toEqual([RED, GREEN, BLUE, BACKGROUND]);
    const middle: [number, number] = [340, 340];
    expect(await pixels(tab, [middle])).toEqual([BACKGROUND]);
    await tab.evaluate(() =>
      window.map.setEdges(Uint32Array.of(0, 2, 1, 3), Uint8Array.of(0, 0, 0, 255, 9, 9, 9, 255)),
    );
    const around = await pixels(tab, [middle, [339, 340], [341, 340], [340, 339], [340, 341], [550, 325]]);
    expect(around.slice(0, 5)).toContainEqual([0, 0, 0, 255]);
    // an edge to a hidden node is hidden
    expect(around[5]).toEqual(BACKGROUND);
  });

  test("dims what is not selected and draws a ring around the focus", async () => {
    await tab.evaluate(() => window.map.setEmphasis({ selected: Uint8Array.of(0, 1, 0, 0, 0), focus: 2 }));
    const [red, green, ring] = await pixels(tab, [PIXELS[0], PIXELS[1], [280 + 7, 380]]);
    expect(green).toEqual(GREEN);
    expect(red[0]).toBeGreaterThan(235);
    expect(red[1]).toBeGreaterThan(180);
    // nearly the colour of the focus: the edge of the ring is smooth
    expect(Math.max(Math.abs(ring[0] - 213), Math.abs(ring[1] - 94), ring[2])).toBeLessThan(16);
  });

  test("reports the node under the pointer and the node that is clicked", async () => {
    await tab.mouse.move(503, 252);
    await tab.mouse.move(700, 100);
    expect(await reports(tab, "hover")).toEqual([
      [1, 503, 252],
      [-1, expect.any(Number), expect.any(Number)],
    ]);
    await tab.mouse.click(281, 378);
    await tab.mouse.click(...HIDDEN);
    await tab.keyboard.down("Shift");
    await tab.mouse.click(400, 300);
    await tab.keyboard.up("Shift");
    expect(await reports(tab, "click")).toEqual([
      [2, false],
      [-1, false],
      [0, true],
    ]);
    expect(await reports(tab, "camera")).toEqual([]);
  });

  test("pans with the mouse: what was under the pointer stays there", async () => {
    await drag(tab, [400, 300], [450, 270], [460, 340]);
    expect((await pixels(tab, [[460, 340]]))[0]).toEqual(RED);
    expect(await camera(tab)).toEqual({ x: -6, y: 4, scale: 10 });
    expect(await reports(tab, "select")).toEqual([]);
  });

  test("selects exactly the visible nodes in a box, with Shift or with the tool", async () => {
    await tab.keyboard.down("Shift");
    await drag(tab, [270, 200], [600, 320]);
    await tab.keyboard.up("Shift");
    await tab.evaluate(() => window.map.setTool("box"));
    await drag(tab, [640, 440], [260, 280]);
    await tab.keyboard.down("Control");
    await drag(tab, [490, 240], [510, 260]);
    await tab.keyboard.up("Control");
    expect(await reports(tab, "select")).toEqual([
      [[0, 1], false],
      [[0, 2], false],
      [[1], true],
    ]);
    expect(await camera(tab)).toEqual(CAMERA);
  });

  test("selects exactly the visible nodes in a lasso; Escape gives it up", async () => {
    await tab.evaluate(() => window.map.setTool("lasso"));
    // around the first and third node, with a dent that leaves out the second
    await drag(tab, [250, 360], [260, 400], [640, 420], [640, 200], [560, 220], [470, 300], [260, 280]);
    expect(await reports(tab, "select")).toEqual([[[0, 2], false]]);
    await tab.mouse.move(100, 100);
    await tab.mouse.down();
    await tab.mouse.move(700, 100);
    await tab.mouse.move(700, 500);
    expect(await tab.locator(".map-view-outline polygon").count()).toBe(1);
    await tab.keyboard.press("Escape");
    expect(await tab.locator(".map-view-outline polygon").count()).toBe(0);
    await tab.mouse.up();
    expect(await reports(tab, "select")).toHaveLength(1);
  });

  test("zooms with the wheel at the pointer", async () => {
    await tab.mouse.move(500, 250);
    await tab.mouse.wheel(0, -400);
    await expect.poll(async () => (await camera(tab)).scale, PATIENCE).toBeGreaterThan(15);
    const { x, y, scale } = await camera(tab);
    expect(400 + (10 - x) * scale).toBeCloseTo(500, 6);
    expect(300 - (5 - y) * scale).toBeCloseTo(250, 6);
    expect((await pixels(tab, [[500, 250]]))[0]).toEqual(GREEN);
  });

  test("is used with the keyboard", async () => {
    await tab.locator("canvas").focus();
    const after = async (key: string) => {
      await tab.keyboard.press(key);
      return camera(tab);
    };
    expect(await after("ArrowRight")).toEqual({ x: 6, y: 0, scale: 10 });
    expect(await after("ArrowUp")).toEqual({ x: 6, y: 6, scale: 10 });
    expect(await after("ArrowLeft")).toEqual({ x: 0, y: 6, scale: 10 });
    expect(await after("ArrowDown")).toEqual({ x: 0, y: 0, scale: 10 });
    expect(await after("+")).toEqual({ x: 0, y: 0, scale: 14 });
    expect((await after("-")).scale).toBeCloseTo(10, 10);
    // the fourth node counts: only its colour is hidden
    expect(await after("0")).toEqual({ x: 4, y: -2.5, scale: (800 - 2 * 28) / 32 });
    await tab.keyboard.press("Escape");
    expect(await reports(tab, "select")).toEqual([[[], false]]);
    expect(await tab.locator("canvas").getAttribute("aria-label")).toMatch(/^Map of 5 nodes\. Arrow keys .*Escape/);
    expect(await tab.getByRole("application").count()).toBe(1);
  });

  test("is moved by one finger and zoomed by two", async () => {
    const session = await tab.context().newCDPSession(tab);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...places: [number, number][]) =>
      session.send("Input.dispatchTouchEvent", { type, touchPoints: places.map(([x, y], id) => ({ x, y, id })) });
    await touch("touchStart", [300, 300]);
    await touch("touchMove", [330, 280]);
    await touch("touchEnd");
    expect(await camera(tab)).toEqual({ x: -3, y: -2, scale: 10 });
    await touch("touchStart", [350, 300]);
    await touch("touchStart", [350, 300], [450, 300]);
    await touch("touchMove", [300, 300], [500, 300]);
    await touch("touchEnd");
    const zoomed = await camera(tab);
    expect(zoomed.scale).toBeCloseTo(20, 6);
    // the middle between the fingers stays
    expect([zoomed.x, zoomed.y]).toEqual([expect.closeTo(-3, 6), expect.closeTo(-2, 6)]);
    expect(await reports(tab, "click")).toEqual([]);
  });

  test("shows labels as text that do not overlap, and saves what is in view", async () => {
    await tab.evaluate(() => {
      window.showClusters(2000, 0);
      window.map.fit();
      window.map.setLabels((node) => `<b>${node}</b> & a long name that does not fit`);
    });
    const labels = tab.locator(".map-labels-label");
    await expect.poll(() => labels.count(), PATIENCE).toBeGreaterThan(20);
    expect(await labels.first().textContent()).toMatch(/^<b>\d+<\/b> & a long name/);
    const boxes = await labels.evaluateAll((all) => all.map((label) => label.getBoundingClientRect().toJSON()));
    const overlapping = boxes.filter((a, i) =>
      boxes.some((b, j) => j > i && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom),
    );
    expect(overlapping).toEqual([]);
    expect(Math.max(...boxes.map(({ width }) => width))).toBeLessThan(150.01);
    const [svg, type, bytes] = await tab.evaluate(async () => {
      const blob = await window.map.png();
      return [window.map.svg(), blob.type, blob.size] as const;
    });
    expect(svg).toMatch(/&lt;b&gt;\d+&lt;\/b&gt; &amp; .*…<\/text>/);
    expect(svg.match(/<circle /g)!.length).toBe(2000);
    expect([type, bytes > 20_000]).toEqual(["image/png", true]);
  });

  test("moves the points to new positions", async () => {
    await tab.emulateMedia({ reducedMotion: "no-preference" });
    await tab.evaluate(() => window.map.setPositions(Float32Array.of(0, 5, 10, 5, -12, -8, 20, -10, 5, 5)));
    await expect.poll(async () => (await pixels(tab, [[400, 250]]))[0], PATIENCE).toEqual(RED);
    expect(await pixels(tab, [PIXELS[0], PIXELS[1], [450, 250]])).toEqual([BACKGROUND, GREEN, [9, 9, 9, 255]]);
    await tab.emulateMedia({ reducedMotion: "reduce" });
  });

  test("draws again after the browser took the WebGL context away", async () => {
    await tab.evaluate(async () => {
      const context = document.querySelector("canvas")!.getContext("webgl2")!.getExtension("WEBGL_lose_context")!;
      context.loseContext();
      await new Promise((resolve) => setTimeout(resolve, 50));
      window.map.setPositions(Float32Array.of(10, 5, 0, 0, -12, -8, 20, -10, Number.NaN, 0));
      context.restoreContext();
    });
    await expect.poll(() => pixels(tab, PIXELS), PATIENCE).toEqual([GREEN, RED, BLUE]);
  });

  test("without WebGL shows a part of the points and says so", async () => {
    const old = await openMapPage(browser, files, { withoutWebgl: true });
    await showFiveNodes(old);
    expect(await old.locator(".map-view-notice").textContent()).toBe(
      "This browser has no WebGL: the map shows all 5 nodes.",
    );
    expect(await pixels(old, [...PIXELS, HIDDEN])).toEqual([RED, GREEN, BLUE, BACKGROUND]);
    await old.mouse.click(...PIXELS[1]);
    expect(await reports(old, "click")).toEqual([[1, false]]);
    await old.evaluate(() => window.map.setPositions(Float32Array.from({ length: 60_000 }, (_, i) => i)));
    expect(await old.locator(".map-view-notice").textContent()).toBe(
      "This browser has no WebGL: the map shows 20,000 of 30,000 nodes.",
    );
    await old.close();
  });
});

async function showFiveNodes(tab: Page): Promise<void> {
  await tab.mouse.move(1, 1);
  await tab.evaluate(
    ({ positions, colors, camera }) => {
      window.map.setPositions(Float32Array.from(positions));
      window.map.setColors(Uint8Array.from(colors));
      window.map.setEmphasis({ selected: undefined, focus: -1 });
      window.map.setEdges(new Uint32Array(), new Uint8Array());
      window.map.setLabels(() => "");
      window.map.setTool("pan");
      window.map.camera = camera;
      window.reports.length = 0;
    },
    { positions: POSITIONS, colors: COLORS, camera: CAMERA },
  );
}

/** What the map reported under this name. */
function reports(tab: Page, name: string): Promise<unknown[][]> {
  return tab.evaluate(
    (wanted) => window.reports.filter(([own]) => own === wanted).map(([, ...values]) => values),
    name,
  );
}

async function camera(tab: Page): Promise<{ x: number; y: number; scale: number }> {
  const { x, y, scale } = await tab.evaluate(() => window.map.camera);
  const short = (value: number) => Math.round(value * 1e9) / 1e9 + 0;
  return { x: short(x), y: short(y), scale };
}

/** Colours on a screenshot at these pixels. */
async function pixels(tab: Page, places: readonly (readonly [number, number])[]): Promise<number[][]> {
  await tab.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const picture = (await tab.screenshot()).toString("base64");
  return tab.evaluate(
    async ({ picture, places }) => {
      const image = new Image();
      image.src = `data:image/png;base64,${picture}`;
      await image.decode();
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d")!;
      context.drawImage(image, 0, 0);
      return places.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data]);
    },
    { picture, places },
  );
}

async function drag(tab: Page, first: [number, number], ...others: [number, number][]): Promise<void> {
  await tab.mouse.move(...first);
  await tab.mouse.down();
  for (const place of others) await tab.mouse.move(...place);
  await tab.mouse.up();
}
