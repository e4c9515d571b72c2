import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

/** Peaks of a new process before and after it used 200 MiB, in MiB. */
function peaks(): number[] {
  const file = new URL("../../dist/io/peak-memory.js", import.meta.url).href;
  const script = [
    `const { peakMemory } = await import(${JSON.stringify(file)});`,
    "const before = peakMemory();",
    "new Uint8Array(200 * 2 ** 20).fill(1);",
    "console.log(before / 2 ** 20, peakMemory() / 2 ** 20);",
  ].join("\n");
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  return stdout.trim().split(" ").map(Number);
}

test("the peak grows with the memory that was used", () => {
  const [before, after] = peaks();
  expect(before).toBeGreaterThan(20);
  expect(after - before).toBeGreaterThan(150);
});

test.skipIf(process.platform !== "linux")("does not count the process that started this one", () => {
  const used = new Uint8Array(400 * 2 ** 20).fill(1);
  expect(peaks()[0]).toBeLessThan(150);
  expect(used[0]).toBe(1);
});
