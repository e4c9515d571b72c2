import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { demo } from "../src/cli/demo/demo.js";
import type { DemoResult } from "../src/cli/demo/demo-summary.js";
import { runCommand } from "./cli/in-process.js";
import { root } from "./support/repository.js";

describe("the demonstration", () => {
  const folder = mkdtempSync(join(tmpdir(), "hmge-demo-"));
  const env = { ...process.env, LC_ALL: "C.UTF-8", npm_lifecycle_event: "" };
  const hmge = (...args: string[]) =>
    spawnSync(process.execPath, [join(root, "dist/cli/main.js"), ...args], { cwd: folder, encoding: "utf8", env });
  let text = "";

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("tells its story when the program is given nothing to do", () => {
    const { status, stdout } = hmge();
    expect(status).toBe(0);
    for (const part of [
      "Saltmere",
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
    text = stdout;
  });

  test("names commands that work when pasted", () => {
    const commands = [...text.matchAll(/^ {2}npx hmge (.+)$/gm)].map(([, words]) => words);
    expect(commands).toHaveLength(3);
    for (const command of commands) {
      const words = [...command.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
      // as long as it takes to see that it works
      const short = words[0] === "embed" ? [...words, "--epochs", "5"] : words;
      expect(hmge(...short), command).toMatchObject({ status: 0 });
    }
  });

  test("replaces an earlier demonstration, keeps foreign files, gives the same result, and says nothing with --quiet", async () => {
    writeFileSync(join(folder, "hmge-demo/mine.txt"), "mine");
    const before = readFileSync(join(folder, "hmge-demo/vectors/embeddings.parquet"));
    const stderr = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
    const { code, text: said, document } = await runCommand(demo, ["--out", join(folder, "hmge-demo"), "--quiet"]);
    expect([code, said, stderr.mock.calls]).toEqual([0, "", []]);
    stderr.mockRestore();
    expect(readFileSync(join(folder, "hmge-demo/vectors/embeddings.parquet")).equals(before)).toBe(true);
    expect(existsSync(join(folder, "hmge-demo/mine.txt"))).toBe(true);
    const { agreements, portraits } = document as DemoResult;
    // the planted groupings are found; seen: 12 times chance for families, 3.4 to 8 times for the others
    for (const { grouping, nearest, chance } of agreements) {
      expect(nearest / chance, grouping).toBeGreaterThan(grouping === "family" ? 6 : 2.5);
    }
    for (const { near } of portraits) expect(near.filter(({ ties }) => ties.length > 0).length).toBeGreaterThan(2);
  });

  test("refuses a seed that is none", () => {
    const { status, stderr } = hmge("demo", "--seed", "x");
    expect(status).toBe(2);
    expect(stderr).toBe('hmge: --seed: found "x"; expected integer ≥ 0.\n');
  });
});
