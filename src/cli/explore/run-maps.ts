/** The maps of a run: t-SNE, saved in its folder, and the first two principal components. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Embedding } from "../../core/embedding.js";
import { isUserError } from "../../core/errors.js";
import type { NodeMap } from "../../explore/scene/scene.js";
import { readEmbeddings, writeEmbeddings } from "../../io/formats/embedding-files.js";
import { formatCount } from "../../report/format.js";
import { pca, TSNE_OPTIONS } from "../../tasks/projection/index.js";
import { readEngine } from "../options/engine-option.js";
import { projectTsne } from "../project/plane-map.js";
import type { Output } from "../terminal/output.js";

/** Maximum number of nodes of which t-SNE is computed without --tsne; it then takes about a minute. Not tuned. */
export const MAX_TSNE_NODES = 20_000;

const TSNE = "t-SNE";
const COMPONENTS = "principal components";
/** The t-SNE map of a run, in its folder. */
const MAP_FILE = "map.parquet";
const VECTORS_FILE = "embeddings.parquet";

export interface MapOptions {
  /** Whether t-SNE is computed however many nodes there are. */
  readonly tsne: boolean;
  readonly threads?: number;
}

export interface RunMaps {
  readonly maps: readonly NodeMap[];
  /** Why a map is missing. */
  readonly notes: readonly string[];
}

export async function readRunMaps(
  folder: string,
  embedding: Embedding,
  options: MapOptions,
  output: Output,
): Promise<RunMaps> {
  const components = { name: COMPONENTS, positions: pca(embedding).vectors };
  const kept = await readKeptMap(folder, embedding);
  if (kept !== undefined) return { maps: [{ name: TSNE, positions: kept }, components], notes: [] };
  const numNodes = embedding.ids.length;
  if (numNodes > MAX_TSNE_NODES && !options.tsne) {
    const note = `There is no t-SNE map: ${formatCount(numNodes)} nodes would take minutes. Add --tsne to compute it.`;
    return { maps: [components], notes: [note] };
  }
  const [perplexity, iterations, seed, sample] = [
    TSNE_OPTIONS.perplexity.default,
    TSNE_OPTIONS.iterations.default,
    TSNE_OPTIONS.seed.default,
    TSNE_OPTIONS.sample.default,
  ];
  const engine = await readEngine(options, output);
  const plane = await projectTsne(embedding, engine, { perplexity, iterations, seed, sample }, output);
  if (plane === undefined) return { maps: [components], notes: ["There is no t-SNE map: it was interrupted."] };
  if (plane.title !== TSNE) return { maps: [components], notes: [] };
  const complete = plane.facts["stopReason"] !== "aborted";
  if (complete) await keepMap(folder, plane.map, output);
  return {
    maps: [{ name: TSNE, positions: plane.map.vectors }, components],
    notes: complete ? [] : ["The t-SNE map is not finished: it was interrupted."],
  };
}

/** The map in the folder, if it has the same nodes and is newer than the vectors. */
async function readKeptMap(folder: string, { ids }: Embedding): Promise<Float32Array | undefined> {
  const path = join(folder, MAP_FILE);
  const [map, vectors] = await Promise.all(
    [path, join(folder, VECTORS_FILE)].map((file) => stat(file).catch(() => {})),
  );
  if (map === undefined || (vectors !== undefined && map.mtimeMs < vectors.mtimeMs)) return undefined;
  try {
    const kept = await readEmbeddings(path);
    const same = kept.dim === 2 && kept.ids.length === ids.length && kept.ids.every((id, i) => id === ids[i]);
    return same ? kept.vectors : undefined;
  } catch (error) {
    if (isUserError(error)) return undefined; // a damaged map is computed again
    throw error;
  }
}

async function keepMap(folder: string, map: Embedding, output: Output): Promise<void> {
  try {
    await writeEmbeddings(join(folder, MAP_FILE), map);
  } catch (error) {
    if (!isUserError(error)) throw error;
    output.note(`note: the t-SNE map is not kept: ${error.message}`);
  }
}
