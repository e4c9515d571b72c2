import { availableParallelism } from "node:os";
import { expect, it } from "vitest";
import { inspect } from "../inspect/inspect.js";
import { readEngine } from "./engine-option.js";
import { parseArguments } from "./parse-arguments.js";

it("notes in one line that there are fewer threads than were asked for", async () => {
  const notes: string[] = [];
  const args = (threads: number) => parseArguments(inspect, ["edges.csv", "--threads", String(threads)]).values;
  const output = { note: (text: string) => notes.push(text) };
  const most = availableParallelism();
  expect((await readEngine(args(1000), output)).numThreads).toBe(most);
  expect(notes).toEqual([`note: --threads 1,000 exceeds the number of available CPUs; using ${most}.`]);
  expect((await readEngine(args(1), output)).numThreads).toBe(1);
  expect(notes).toHaveLength(1);
});
