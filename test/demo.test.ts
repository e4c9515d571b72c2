/** The demonstration: `hmge` without arguments, run once as a process and once more in this one. */

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { demo } from "../src/cli/demo/demo.js";
import type { DemoResult } from "../src/cli/demo/demo-summary.js";
import { hmgeInProcess, refusalOf, runCommand } from "./cli/in-process.js";
import { PROGRAM, temporaryFolder } from "./cli/program.js";

/** Options with which a command ends within seconds. */
const ENDS_SOON: Readonly<Record<string, readonly string[]>> = {
  embed: ["--epochs", "5"],
  explore: ["--out", "town.html"],
};

describe("the demonstration", () => {
  const folder = temporaryFolder();
  let ended: { status: number | null; stdout: string };

  beforeAll(() => {
    const env = { ...process.env, LC_ALL: "C.UTF-8", npm_lifecycle_event: "" };
    ended = spawnSync(process.execPath, [PROGRAM], { cwd: folder, encoding: "utf8", env });
  });

  test("explains its result and writes its files when the program gets no arguments", () => {
    const { status, stdout } = ended;
    expect(status).toBe(0);
    for (const part of [
      "Saltmere",
      "5,776 edges in 6 relations",
      "The loss",
      "Parts of a vector, by number of columns",
      "Nearest to",
      "by chance",
      "Next",
    ]) {
      expect(stdout).toContain(part);
    }
    for (const line of stdout.split("\n")) expect([...line].length).toBeLessThanOrEqual(100);
    for (const file of ["edges.csv", "people.csv", "vectors/embeddings.parquet", "vectors/run.json"]) {
      expect(existsSync(join(folder, "hmge-demo", file))).toBe(true);
    }
  });

  test("names commands that work when pasted", async () => {
    const commands = [...ended.stdout.matchAll(/^ {2}npx hmge (.+)$/gm)].map(([, words]) => words);
    expect(commands).toHaveLength(4);
    const before = process.cwd();
    process.chdir(folder);
    try {
      for (const command of commands) {
        const words = [...command.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
        const ending = [...words, ...(ENDS_SOON[words[0]] ?? [])];
        expect(await hmgeInProcess(ending), command).toMatchObject({ code: 0 });
      }
    } finally {
      process.chdir(before);
    }
  });

  test("replaces an earlier demonstration, keeps other files, gives the same result, and prints nothing with --quiet", async () => {
    const copy = join(folder, "copy");
    cpSync(join(folder, "hmge-demo"), copy, { recursive: true });
    writeFileSync(join(copy, "mine.txt"), "mine");
    const before = readFileSync(join(copy, "vectors/embeddings.parquet"));
    const stderr = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
    const { code, text, document } = await runCommand(demo, ["--out", copy, "--quiet"]);
    expect([code, text, stderr.mock.calls]).toEqual([0, "", []]);
    stderr.mockRestore();
    expect(readFileSync(join(copy, "vectors/embeddings.parquet")).equals(before)).toBe(true);
    expect(existsSync(join(copy, "mine.txt"))).toBe(true);
    const { agreements, portraits } = document as DemoResult;
    // the planted groups are found: measured 12 times chance for families, 3.4 to 8 times for the others
    for (const { grouping, nearest, chance } of agreements) {
      expect(nearest / chance, grouping).toBeGreaterThan(grouping === "family" ? 6 : 2.5);
    }
    for (const { near } of portraits) expect(near.filter(({ ties }) => ties.length > 0).length).toBeGreaterThan(2);
  });

  test("refuses a seed that is no number", async () => {
    expect(await refusalOf(["demo", "--seed", "x"])).toBe('--seed: found "x"; expected integer ≥ 0.');
  });
});
