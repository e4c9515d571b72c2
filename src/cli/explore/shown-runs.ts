/** The runs that the words of the command name: folders of runs, a source that is trained first, or the demo town. */

import { rmSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, extname, join, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import { generateTown } from "../../graph/synthetic/town.js";
import { demoFiles, embedFile, writeTown } from "../demo/demo.js";
import { embed } from "../embed/embed.js";
import { parseArguments } from "../options/parse-arguments.js";
import type { Output } from "../terminal/output.js";
import { type ExploreArguments, trainedFlags } from "./explore-options.js";
import type { ShownRun } from "./run-scene.js";

/** Runs that the page has room for. */
const MAX_RUNS = 2;

/** Finds or trains the runs and calls `show` with them. Returns the exit code of `show`, or of a training that failed. */
export async function withShownRuns(
  args: ExploreArguments,
  output: Output,
  show: (runs: readonly ShownRun[]) => Promise<number>,
): Promise<number> {
  const { words, values } = args;
  const isRun = await Promise.all(words.map(holdsRun));
  if (words.length > 0 && isRun.every(Boolean)) {
    const [flag] = trainedFlags(args);
    const unused = flag?.[0] ?? (values.run === undefined ? undefined : "run");
    if (unused !== undefined) {
      throw new InputError(`--${unused}: ${words[0]} holds a run, which is not trained again. Leave the option out.`);
    }
    if (words.length > MAX_RUNS) {
      throw new InputError(
        `explore: ${words.length} runs; expected at most ${MAX_RUNS}, which are shown side by side.`,
      );
    }
    return show(words.map((folder) => ({ folder, title: basename(resolve(folder)) })));
  }
  const run = words[isRun.indexOf(true)];
  if (run !== undefined) {
    const source = words[isRun.indexOf(false)];
    throw new InputError(
      `explore: ${run} holds a run, ${source} does not; expected folders of runs only, or sources only.`,
    );
  }
  const isTown = words.length === 0 && values.sql === undefined;
  return withRunFolder(values.run, async (folder) => {
    const trained = isTown ? await trainTown(args, folder, output) : await trainSource(args, folder, output);
    return typeof trained === "number" ? trained : show([trained]);
  });
}

/** Whether the path is a folder with vectors. */
async function holdsRun(path: string): Promise<boolean> {
  const names = await readdir(path).catch(() => []);
  return names.some((name) => name.startsWith("embeddings."));
}

/** Calls `work` with the folder of --run, or with a temporary folder that is removed when the work or the process ends. */
async function withRunFolder<T>(run: string | undefined, work: (folder: string) => Promise<T>): Promise<T> {
  if (run !== undefined) return work(run);
  const folder = await mkdtemp(join(tmpdir(), "hmge-explore-"));
  const removeNow = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeNow);
  try {
    return await work(join(folder, "run"));
  } finally {
    process.off("exit", removeNow);
    await rm(folder, { recursive: true, force: true });
  }
}

/** The town of `hmge demo`, trained as there. */
async function trainTown(args: ExploreArguments, out: string, output: Output): Promise<ShownRun | number> {
  const unused = trainedFlags(args).find(([name]) => name !== "seed");
  if (unused !== undefined) {
    throw new InputError(
      `--${unused[0]}: no source is given, and the demo town is trained as by hmge demo. Name a SOURCE.`,
    );
  }
  const { seed } = args.values;
  const town = generateTown(seed);
  const files = demoFiles(out);
  await writeTown(town, out);
  const record = await embedFile(files.edges, files.vectors, seed, output);
  if (typeof record === "number") return record;
  return { folder: files.vectors, title: town.name, nodeTables: [files.people], isOwn: true };
}

/** Trains the sources as `hmge embed` does with the same options; returns its exit code if it wrote no vectors. */
async function trainSource(args: ExploreArguments, folder: string, output: Output): Promise<ShownRun | number> {
  const { words, values } = args;
  const { labels, columns, threads, run, overwrite } = values;
  const options = [
    ...trainedFlags(args).flatMap(([name, texts]) => texts.map((text) => flagWord(name, text))),
    ...columns.map((text) => `--columns=${text}`),
    ...(threads === undefined ? [] : [`--threads=${threads}`]),
    ...(labels === undefined ? [] : [`--labels=${labels}`]),
    ...(labels === undefined && run === undefined ? ["--no-report"] : []),
    ...(overwrite && run !== undefined ? ["--overwrite"] : []),
  ];
  let isTrained = false;
  const code = await embed.run(parseArguments(embed, [...options, "--out", folder, "--", ...words]), {
    ...output,
    json: true,
    print: () => {},
    document: () => {
      isTrained = true;
    },
  });
  const [source] = words;
  if (!isTrained) return code ?? 1;
  const title = source === undefined ? "query" : basename(resolve(source), extname(source));
  return { folder, title, isOwn: true };
}

/** A switch has the text "true" and is written without it. */
function flagWord(name: string, text: string): string {
  return embed.options[flagOption(name)]?.value === undefined ? `--${name}` : `--${name}=${text}`;
}

/** `minWeight` for the flag `min-weight`. */
function flagOption(name: string): keyof typeof embed.options {
  return name.replace(/-[a-z]/g, (pair) => pair[1].toUpperCase()) as keyof typeof embed.options;
}
