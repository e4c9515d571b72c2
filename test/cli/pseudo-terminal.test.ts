/** A few runs in a real pseudo-terminal; bench/terminal-widths.ts has all commands at many widths. */

import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { drawnLines, explainMissingTerminal, findWideLines, runInTerminal } from "../support/pseudo-terminal.js";
import { listFolder, temporaryFolder, writeSmallGraph } from "./program.js";

const PROGRAM = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const folder = temporaryFolder();
const edges = writeSmallGraph(folder, { name: "a_file_name_of_forty-four_characters_in_all.csv" });
const compare = ["compare", edges, "--models", "hmge", "--tasks", "links", "--seeds", "1", "--epochs", "20"];

for (const [name, columns, words] of [
  ["compare fits 80 columns although a file name fills the line", 80, compare],
  ["embed works in a terminal of unknown width", 0, ["embed", edges, "--epochs", "10", "--dim", "8"]],
] as const) {
  test(name, async (context) => {
    const missing = explainMissingTerminal();
    if (missing !== undefined) return context.skip(missing);
    const out = join(folder, `out-${columns}`);
    const ran = await runInTerminal([process.execPath, PROGRAM, ...words, "--out", out], { columns });
    expect(ran.lines.join("\n")).not.toContain("Invalid count value");
    expect(ran.code).toBe(0);
    expect(ran.cleared.length).toBeGreaterThan(0);
    expect(findWideLines(ran, columns)).toEqual([]);
  });
}

test("an error breaks at spaces to fit 45 columns", async (context) => {
  const missing = explainMissingTerminal();
  if (missing !== undefined) return context.skip(missing);
  const words = ["embed", edges, "--engine", "opengl", "--out", join(folder, "error")];
  const { code, lines } = await runInTerminal([process.execPath, PROGRAM, ...words], { columns: 45 });
  expect(code).toBe(2);
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.every((line) => line.length <= 45)).toBe(true);
  expect(lines.join(" ")).toMatch(/^hmge: --engine: unknown "opengl"; expected .*reference/);
});

test("cleared lines are distinguished from lines that stay", () => {
  const { lines, cleared } = drawnLines("\r\u001b[K12345\r\u001b[K\u001b[1mgraph\u001b[22m  x y\r\nlast");
  expect({ lines, cleared }).toEqual({ lines: ["graph  x y", "last"], cleared: ["12345"] });
  expect(findWideLines({ lines: ["a ".repeat(15), "x".repeat(40)], cleared: ["x".repeat(24)] }, 24)).toHaveLength(2);
});

test("a full disk behind standard error does not end a run", async (context) => {
  if (process.platform !== "linux") return context.skip("/dev/full is only on Linux");
  const full = openSync("/dev/full", "w");
  const one = writeSmallGraph(folder, { name: "one.csv" });
  const out = join(folder, "full");
  // The note on dropped self-loops goes to standard error.
  const words = ["embed", one, "--model", "hmge", "--epochs", "5", "--dim", "8", "--no-report", "--out", out];
  const code = await new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...words], { stdio: ["ignore", "ignore", full] });
    child.on("error", reject);
    child.on("close", resolve);
  });
  closeSync(full);
  expect(code).toBe(0);
  expect(listFolder(out)).toContain("embeddings.parquet");
});
