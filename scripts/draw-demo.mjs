/**
 * Draws docs/demo.svg: the output of the demo on this machine, as a picture of a terminal. Run by hand:
 * node scripts/draw-demo.mjs
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, exitOnSetupError, root } from "./setup.mjs";

// Sizes in SVG units.
const CHARACTER = 8.4;
const LINE = 18;
const MARGIN = 16;
const HEADING = /^(Saltmere|The loss|What the|Nearest to|Did it find|Files|Next)/;

await exitOnSetupError(async () => {
  await ensureInstalled();
  await ensureBuilt();
});
const folder = mkdtempSync(join(tmpdir(), "hmge-demo-"));
const { stdout, status } = spawnSync(process.execPath, [join(root, "dist/cli/main.js")], {
  cwd: folder,
  encoding: "utf8",
  env: { ...process.env, LC_ALL: "C.UTF-8", npm_lifecycle_event: "start" },
});
rmSync(folder, { recursive: true, force: true });
if (status !== 0) throw new Error(`draw-demo: the demo ended with exit code ${status}; expected 0`);

const lines = ["$ npm start", ...stdout.trimEnd().split("\n")];
const columns = Math.max(...lines.map((line) => [...line].length));
const width = Math.ceil(columns * CHARACTER + 2 * MARGIN);
const height = lines.length * LINE + 2 * MARGIN;
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const texts = lines.map((line, i) => {
  if (line === "") return "";
  const kind =
    i === 0 ? ' class="p"' : HEADING.test(line) ? ' class="h"' : /^ {2}npm start/.test(line) ? ' class="c"' : "";
  // textLength keeps the columns of charts aligned in any font
  const length = ([...line].length * CHARACTER).toFixed(1);
  return `<text x="${MARGIN}" y="${MARGIN + (i + 0.75) * LINE}" textLength="${length}"${kind}>${escaped(line)}</text>\n`;
});
writeFileSync(
  join(root, "docs/demo.svg"),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" xml:space="preserve" role="img" aria-label="Output of npm start">
<style>text { font: 14px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #d7dde5; white-space: pre; } .h { fill: #ffffff; font-weight: bold; } .c { fill: #7fd3e0; } .p { fill: #8fd18f; }</style>
<rect width="100%" height="100%" rx="8" fill="#16202b"/>
${texts.join("")}</svg>
`,
);
