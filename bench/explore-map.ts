/**
 * Frames per second of the explorer's map while it pans, in Chromium with WebGL in software (SwiftShader).
 *
 *   node bench/run.mjs explore-map [--seconds 4] [--pictures FOLDER]     pictures: screenshots in light and dark
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { table } from "../src/report/terminal.js";
import { BROWSER_ARGUMENTS, buildMapPage, openMapPage } from "../test/explore-map/open-map-page.js";
import { browserPath } from "../test/support/browser.js";
import { textOption } from "./options.js";

const CASES = [
  { numNodes: 2_000, numEdges: 4_000 },
  { numNodes: 100_000, numEdges: 0 },
  { numNodes: 100_000, numEdges: 65_000 },
  { numNodes: 1_000_000, numEdges: 0 },
];
