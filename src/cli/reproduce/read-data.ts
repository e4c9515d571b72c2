/** The graphs of `--data`. */

import { readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import type { GraphCase } from "../../experiments/graphs/graph-case.js";
import { readCase } from "../../experiments/graphs/read-case.js";
import type { Scale } from "../../experiments/paper/scale.js";
import { partOf } from "../../io/graph/dataset-folder.js";
import { loadGraph } from "../../io/graph/load-graph.js";
import { cannotRead } from "../../io/read-input.js";
import { formatCount } from "../../report/format.js";
import { isFolder } from "../folder/is-folder.js";

export interface DataGraphs {
  readonly cases: readonly GraphCase[];
  /** A note for the reader: `--data` is missing, or some graphs are too large. */
  readonly note: string | undefined;
}

/** Reads a dataset folder, or all dataset folders inside a folder. Skips graphs that are too large for the scale and names them. */
export async function readData(folder: string | undefined, scale: Scale): Promise<DataGraphs> {
  if (folder === undefined) {
    return {
      cases: [],
      note: "Generated graphs only, because --data is missing. Add --data with a folder of data sets to include real graphs.",
    };
  }
  const paths = await datasetFolders(folder);
  const cases: GraphCase[] = [];
  const tooLarge: string[] = [];
  for (const path of paths) {
    const name = basename(resolve(path));
    const graph = await loadGraph(path);
    const edges = graph.relations.reduce((sum, { numEdges }) => sum + numEdges, 0);
    if (edges > scale.maxDataEdges) tooLarge.push(`${name} (${formatCount(edges)} edges)`);
    else cases.push(await readCase(name, graph));
  }
  const note =
    tooLarge.length === 0
      ? undefined
      : `Skipped at this scale, because they have more than ${formatCount(scale.maxDataEdges)} edges: ${tooLarge.join(", ")}.`;
  return { cases, note };
}

const isEdges = (file: string) => partOf(file) === "edges";

async function datasetFolders(folder: string): Promise<string[]> {
  const names = await list(folder);
  if (names.some(isEdges)) return [folder];
  const found: string[] = [];
  for (const name of names.sort()) {
    const path = join(folder, name);
    if (!(await isFolder(path))) continue;
    if ((await list(path)).some(isEdges)) found.push(path);
  }
  if (found.length === 0) {
    throw new InputError(
      `--data: ${folder} contains no data set; expected a folder with an edges file, or a folder of such folders.`,
    );
  }
  return found;
}

function list(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    throw cannotRead(error, folder);
  });
}
