/**
 * Frames per second of the explorer's map while it pans, in Chromium with WebGL in software (SwiftShader).
 *
 *   node bench/run.mjs explore-map [--seconds 4] [--nodes 100000] [--pictures FOLDER]
 *
 * `--nodes` runs only the cases with this number of nodes; `--pictures` also saves screenshots in light and dark.
 */

import { mkdirSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { table } from "../src/report/terminal.js";
import { buildMapPage, openMapPage } from "../test/explore-map/open-map-page.js";
import { BROWSER_ARGUMENTS, browserPath } from "../test/support/browser.js";
import { numberOption, textOption } from "./options.js";

const VIEWPORT = { width: 1000, height: 700 };
/** Wait for the first frame and the labels, in milliseconds. */
const SETTLE = 1500;
const CASES = [
  { numNodes: 2_000, numEdges: 4_000 },
  { numNodes: 100_000, numEdges: 0 },
  { numNodes: 100_000, numEdges: 65_000 },
  { numNodes: 1_000_000, numEdges: 0 },
];

if (browserPath === undefined) {
  console.error(
    "explore-map: no Chromium was found; expected /usr/bin/chromium, or its path in the variable CHROMIUM.",
  );
  process.exit(2);
}
const seconds = numberOption("seconds", 4);
const pictures = textOption("pictures", "");
const only = numberOption("nodes", 0);
const files = await buildMapPage();
const browser = await chromium.launch({ executablePath: browserPath, args: BROWSER_ARGUMENTS });
const rows: string[][] = [];
for (const { numNodes, numEdges } of CASES) {
  if (only !== 0 && numNodes !== only) continue;
  const tab = await openMapPage(browser, files, { viewport: VIEWPORT });
  await tab.evaluate(([nodes, edges]) => window.showClusters(nodes, edges), [numNodes, numEdges]);
  await tab.waitForTimeout(SETTLE);
  await tab.evaluate((time) => window.framesWhilePanning(time), 1);
  const gaps = (await tab.evaluate((time) => window.framesWhilePanning(time), seconds)).sort((a, b) => a - b);
  const perSecond = (1000 * gaps.length) / gaps.reduce((sum, gap) => sum + gap, 0);
  const slow = gaps[Math.floor(0.95 * gaps.length)];
  rows.push([`${numNodes}`, `${numEdges}`, perSecond.toFixed(1), slow.toFixed(0)]);
  await tab.close();
}
if (pictures !== "") await takePictures(pictures);
await browser.close();
console.log(table([["nodes", "edges", "frames per second", "95 % of frames within ms"], ...rows]));
console.log(`${VIEWPORT.width} × ${VIEWPORT.height} pixels, SwiftShader, ${cpus().length} × ${cpus()[0].model}`);

/** Screenshots of every case without and with a selection, in light and dark. */
async function takePictures(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const colorScheme of ["light", "dark"] as const) {
    for (const { numNodes, numEdges } of CASES) {
      const tab = await openMapPage(browser, files, { viewport: VIEWPORT, colorScheme });
      await tab.evaluate(([nodes, edges]) => window.showClusters(nodes, edges), [numNodes, numEdges]);
      await tab.waitForTimeout(SETTLE);
      const path = join(folder, `${colorScheme}-${numNodes}-${numEdges}`);
      await tab.screenshot({ path: `${path}.png` });
      await tab.evaluate((nodes) => {
        const selected = Uint8Array.from({ length: nodes }, (_, node) => (node % 9 === 0 ? 1 : 0));
        window.map.setEmphasis({ selected, focus: 90 });
      }, numNodes);
      await tab.waitForTimeout(SETTLE);
      await tab.screenshot({ path: `${path}-selected.png` });
      await tab.close();
    }
  }
}
