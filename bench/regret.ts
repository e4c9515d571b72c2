/**
 * The table of `hmge compare --regret`, computed by several processes of one thread each.
 *
 *   node bench/run.mjs regret DATASET… --out DIR [--processes N] [options of compare]
 *
 * Every training of the own model, every rival on a graph, and the baselines of a graph are jobs of their own; all store their results
 * in DIR. The table is then collected from DIR without training. Jobs that were finished before are not computed again.
 * Default of --processes: the number of cores. The program is the one in dist/, so build it first.
 */

import { spawn } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { compare } from "../src/cli/compare/compare.js";
import { expandModels } from "../src/cli/options/model-variants.js";
import { parseArguments } from "../src/cli/options/parse-arguments.js";
import { formatSeconds } from "../src/report/format.js";
import { numberOption } from "./options.js";

const args = process.argv.slice(2);
const place = args.indexOf("--processes");
const processes = numberOption("processes", availableParallelism());
const { words, flags, values } = parseArguments(compare, place < 0 ? args : args.toSpliced(place, 2));
if (values.out === undefined || words.length === 0 || !(processes >= 1)) {
  console.error("bench regret: expected DATASET… --out DIR and, if given, --processes N with N ≥ 1.");
  process.exit(2);
}

const PROGRAM = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
/** Flags that the jobs set themselves. */
const OWN_FLAGS = ["regret", "fill", "models", "own-seeds", "tasks", "threads"];
const passedOn = [...flags]
  .filter(([name]) => !OWN_FLAGS.includes(name))
  .flatMap(([name, typed]) => typed.flatMap((value) => (value === "true" ? [`--${name}`] : [`--${name}`, value])));

/** Runs the program; returns its exit code and everything it printed. */
function runProgram(programArgs: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [PROGRAM, ...programArgs], { stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
    child.on("close", (code) => done({ code: code ?? 1, text }));
  });
}

interface Job {
  readonly name: string;
  readonly args: readonly string[];
}

/** Bytes of the files of a source, by which the jobs are ordered: the largest graphs first. */
function sizeOf(source: string): number {
  const status = statSync(source);
  if (!status.isDirectory()) return status.size;
  return readdirSync(source).reduce((sum, name) => sum + statSync(join(source, name)).size, 0);
}

const { own, ownSeeds, models = ["all"], tasks = ["classify", "links"] } = values;
const rivals = (await expandModels([own, ...models.filter((name) => name !== own)])).slice(1);
const jobs = [...words]
  .sort((a, b) => sizeOf(b) - sizeOf(a))
  .flatMap((source): Job[] => {
    const graph = basename(resolve(source));
    const job = (name: string, ...more: string[]) => {
      return {
        name: `${graph}: ${name}`,
        args: ["compare", source, "--regret", "--threads", "1", ...passedOn, ...more],
      };
    };
    const allTasks = ["--tasks", tasks.join(",")];
    return [
      ...ownSeeds.flatMap((seed) =>
        tasks.map((task) => {
          const only = ["--own-seeds", String(seed), "--tasks", task];
          return job(`${own}, ${task}, seed ${seed}`, "--fill", "models", "--models", own, ...only);
        }),
      ),
      ...rivals.map((name) => job(name, "--fill", "models", "--models", name, ...allTasks)),
      job("baselines", "--fill", "baselines", "--own-seeds", ownSeeds.join(","), ...allTasks),
    ];
  });

const begin = performance.now();
const elapsed = () => formatSeconds((performance.now() - begin) / 1000);
let next = 0;
let finished = 0;
let failed = 0;
await Promise.all(
  Array.from({ length: processes }, async () => {
    while (next < jobs.length) {
      const { name, args: programArgs } = jobs[next++];
      const { code, text } = await runProgram(programArgs);
      finished++;
      if (code !== 0) failed++;
      const lines = text.trimEnd().split("\n");
      const remarks = lines.filter((line) => line.includes("left out:") || (code !== 0 && line === lines.at(-1)));
      console.log([`${elapsed()}: ${finished}/${jobs.length} ${name}`, ...remarks].join("\n  "));
    }
  }),
);
if (failed > 0) {
  console.error(`bench regret: ${failed} of ${jobs.length} jobs failed; run the same command again to repeat them.`);
  process.exit(1);
}
const lists = ["--models", rivals.join(","), "--own-seeds", ownSeeds.join(","), "--tasks", tasks.join(",")];
const collected = await runProgram(["compare", ...words, "--regret", "--threads", "1", ...passedOn, ...lists]);
console.log(`\n${collected.text}`);
process.exit(collected.code);
