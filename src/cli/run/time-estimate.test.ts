/** The time that `inspect` and `embed` promise: all phases of a run. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runCommand } from "../../../test/cli/in-process.js";
import { embed } from "../embed/embed.js";
import { inspect } from "../inspect/inspect.js";
import { stageWords } from "../terminal/preparation-progress.js";
import { busyThreads, type Phase, type RunTime } from "./time-estimate.js";

const folder = mkdtempSync(join(tmpdir(), "hmge-time-"));
afterAll(() => rmSync(folder, { recursive: true }));
const edges = join(folder, "edges.csv");
const rows = Array.from({ length: 400 }, (_, e) => `n${e % 50},n${(e * 7 + 3) % 50},${e % 2 === 0 ? "a" : "b"}`);
writeFileSync(edges, `source,target,relation\n${rows.join("\n")}\n`);

async function secondsOf(...words: string[]): Promise<RunTime> {
  const { document } = await runCommand(inspect, [edges, "--threads", "1", ...words]);
  return (document as { run: { seconds: RunTime } }).run.seconds;
}

const phase = ({ phases }: RunTime, name: Phase["name"]) => phases.find((own) => own.name === name)!;

test("all phases of a run are in the promised time", async () => {
  const time = await secondsOf();
  expect(time.phases.map(({ name }) => name)).toEqual(["reading", "preparation", "epochs", "report and files"]);
  for (const key of ["least", "usual", "most"] as const) {
    expect(time[key]).toBeCloseTo(
      time.phases.reduce((sum, own) => sum + own[key], 0),
      12,
    );
  }
  for (const { least, usual, most } of time.phases) {
    expect(least).toBeLessThanOrEqual(usual);
    expect(usual).toBeLessThan(most);
  }
  // directions of the union and of two relations: several hundred matrices of some fifty rows
  expect(phase(time, "preparation").usual).toBeGreaterThan(0.1);
});

test("fewer epochs shorten the epochs, and a line says what remains", async () => {
  const [few, many] = [await secondsOf("--epochs", "3"), await secondsOf("--epochs", "300")];
  expect(phase(many, "epochs").usual / phase(few, "epochs").usual).toBeCloseTo(100, 6);
  expect(phase(few, "preparation")).toEqual(phase(many, "preparation"));
  const { text } = await runCommand(inspect, [edges, "--epochs", "300", "--threads", "1"]);
  expect(text).toMatch(
    / {2}time {8}about .* to at most .*, with 1 thread on an idle machine\n +reading .*, preparation .*, 300 epochs /,
  );
});

test("three nodes with vectors of width 2048 are embedded, reported and mapped", async () => {
  // by way of matrices of 2048 rows this took four minutes
  writeFileSync(join(folder, "three.csv"), "source,target\na,b\nb,c\nc,a\n");
  const out = join(folder, "wide");
  const { code } = await runCommand(embed, [
    ...[join(folder, "three.csv"), "--dim", "2048", "--epochs", "1", "--threads", "1", "--out", out],
  ]);
  expect(code).toBe(0);
});

test("a bar has the share done, the stage and the time left", () => {
  expect(stageWords("preparation", "degrees", 0.25, 30)).toEqual([
    "preparation 25 %: degrees",
    "about 1 min 30 s left",
  ]);
  expect(stageWords("preparation", "degrees", 0, 30)).toEqual(["preparation 0 %: degrees"]);
  expect(stageWords("preparation", "degrees", 0.5, 1)).toEqual(["preparation 50 %: degrees"]);
  expect(stageWords("preparation", "degrees", 1, 60)).toEqual(["preparation 100 %: degrees"]);
});

test("ranks of one machine compute with at most its CPUs, those of several machines with all of theirs", () => {
  const cpus = availableParallelism();
  expect(busyThreads(1, { numRanks: 1, localSize: 1 })).toBe(1);
  expect(busyThreads(1, { numRanks: 4 * cpus, localSize: 4 * cpus })).toBe(cpus);
  expect(busyThreads(1, { numRanks: 8 * cpus, localSize: 4 * cpus })).toBe(2 * cpus);
  expect(busyThreads(cpus, { numRanks: 3, localSize: 1 })).toBe(3 * cpus);
});
