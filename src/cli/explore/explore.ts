/** `hmge explore`: shows a run on a page, from a server on this machine or as one file. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import type { SceneParts } from "../../explore/scene/build-scene.js";
import { writeAtomically } from "../../io/atomic-write.js";
import { explainWriteError } from "../../io/system-faults.js";
import { plural } from "../../report/format.js";
import type { Command } from "../command.js";
import { requireOutputFile } from "../folder/output-file.js";
import { listenForInterrupt } from "../terminal/interrupt.js";
import type { Output } from "../terminal/output.js";
import { EXPLORE_OPTIONS, type ExploreArguments } from "./explore-options.js";
import { embeddedPage, readExplorePage, sceneForFile } from "./explore-page.js";
import { openBrowser } from "./open-browser.js";
import { readRunScene, type ShownRun, sameIds } from "./run-scene.js";
import { serveScenes } from "./serve-scenes.js";
import { withShownRuns } from "./shown-runs.js";

export const explore: Command<typeof EXPLORE_OPTIONS> = {
  usage: "[DIR… | SOURCE…] [options]",
  options: EXPLORE_OPTIONS,
  examples: [
    "vectors",
    "",
    "edges.csv --labels labels.tsv --run vectors",
    "vectors --nodes people.csv --out town.html",
    "seed-1 seed-2",
    "--static site",
  ],
  run: runExplore,
};

async function runExplore(args: ExploreArguments, output: Output): Promise<number> {
  const { values, words } = args;
  const { out, overwrite } = values;
  if (values.static !== undefined) {
    if (out !== undefined || words.length > 0) {
      throw new InputError(
        `--static: found together with ${out === undefined ? words[0] : "--out"}; expected neither, because the page is written without a graph.`,
      );
    }
    return writeStaticPage(values.static, args, output);
  }
  if (out !== undefined) {
    if (!/\.html?$/i.test(out))
      throw new InputError(`--out: found "${out}"; expected a file name that ends with .html.`);
    await requireOutputFile(out, overwrite, args);
  }
  const page = await readExplorePage();
  return withShownRuns(args, output, async (runs) => {
    const scenes = await readScenes(runs, args, output);
    if (out === undefined) return serve(scenes, page, args, output);
    const written = scenes.map((scene) => sceneForFile(scene));
    await writeAtomically(out, embeddedPage(page, written));
    report(written, { out }, output);
    if (!output.quiet) output.print(`  ${out}`);
    return 0;
  });
}

/** The scenes of the runs, which must have the same nodes. */
async function readScenes(runs: readonly ShownRun[], args: ExploreArguments, output: Output): Promise<SceneParts[]> {
  const scenes: { readonly parts: SceneParts; readonly ids: readonly string[] }[] = [];
  for (const run of runs) {
    const scene = await readRunScene(run, args, output);
    const [first] = scenes;
    if (first !== undefined && !sameIds(first.ids, scene.ids)) {
      const [a, b] = [first, scene].map(({ ids }) => plural(ids.length, "node"));
      throw new InputError(
        `explore: ${runs[0].folder} (${a}) and ${run.folder} (${b}) have different nodes; expected runs of one graph.`,
      );
    }
    scenes.push(scene);
  }
  return scenes.map(({ parts }) => parts);
}

/** Serves the scenes until Ctrl-C. */
async function serve(
  scenes: readonly SceneParts[],
  page: string,
  { values }: ExploreArguments,
  output: Output,
): Promise<number> {
  const interrupt = listenForInterrupt(() => {});
  try {
    const server = await serveScenes(scenes, page, values.port);
    report(scenes, { address: server.address }, output);
    output.print(`  ${server.address}`);
    output.note("The page is open until you press Ctrl-C.");
    if (!values.noOpen) openBrowser(server.address);
    await new Promise<void>((resolve) => {
      if (interrupt.signal.aborted) resolve();
      interrupt.signal.addEventListener("abort", () => resolve(), { once: true });
    });
    await server.close();
    return 0;
  } finally {
    interrupt.stop();
  }
}

/** Prints what is shown, the notes, and the document of --json. */
function report(scenes: readonly SceneParts[], place: { address: string } | { out: string }, output: Output): void {
  for (const { header } of scenes) {
    const { title, numNodes, relations, maps } = header;
    const edges = relations.reduce((sum, { numEdges }) => sum + numEdges, 0);
    if (!output.quiet) {
      output.print(
        `${output.style.bold(title)}  ${plural(numNodes, "node")}, ${plural(edges, "edge")} in ${plural(relations.length, "relation")}; maps: ${maps.join(", ")}`,
      );
    }
    for (const note of header.notes) output.note(`note: ${note}`);
  }
  // categories may be as many as nodes
  const facts = scenes.map(({ header: { attributes, ...facts } }) => {
    return { ...facts, attributes: attributes.map(({ name, kind }) => ({ name, kind })) };
  });
  output.document({ ...place, scenes: facts });
}

async function writeStaticPage(folder: string, args: ExploreArguments, output: Output): Promise<number> {
  const page = await readExplorePage();
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw explainWriteError(error, folder);
  });
  const file = join(folder, "index.html");
  await requireOutputFile(file, args.values.overwrite, args);
  await writeAtomically(file, page);
  if (!output.quiet) output.print(file);
  output.document({ static: folder, files: ["index.html"] });
  return 0;
}
