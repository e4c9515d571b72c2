/** Writes and reads the maps that place new nodes, in model.safetensors. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { VectorRows } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import type { Multiplex } from "../../graph/multiplex.js";
import { type NamedTensor, readSafetensors } from "../../io/formats/safetensors.js";
import { type FeatureMap, fitFeatureMap } from "../../tasks/new-nodes/feature-map.js";
import { fitNeighborMap, type NeighborMap } from "../../tasks/new-nodes/neighbor-map.js";

const NEIGHBORS = {
  weights: "neighbors.map",
  fits: "neighbors.fits",
  mean: "neighbors.mean",
  scale: "neighbors.scale",
  fit: "neighbors.fit",
} as const;
const FIT = "neighborFit";
const WEIGHTED = "neighborWeights";
const OWN_MAPS = "neighborRelations";
const FEATURES = {
  weights: "features.map",
  mean: "features.mean",
  rarity: "features.rarity",
  center: "features.center",
  deviation: "features.spread",
  fit: "features.fit",
} as const;
const FEATURE_NAMES = "featureNames";

export function nodeMapTensors(
  graph: Multiplex,
  vectors: VectorRows,
): { tensors: NamedTensor[]; metadata: Record<string, string> } {
  const map = fitNeighborMap(graph, vectors);
  if (map === undefined) return { tensors: [], metadata: {} };
  const { dim, weighted, relations, determination } = map;
  const tensor = (name: string, rows: number, cols: number, data: Float64Array): NamedTensor => {
    return { name, shape: [rows, cols], data: Float32Array.from(data) };
  };
  const tensors = (Object.keys(NEIGHBORS) as (keyof typeof NEIGHBORS)[]).map((key) =>
    tensor(NEIGHBORS[key], map[key].length / dim, dim, map[key]),
  );
  const metadata: Record<string, string> = {
    ...(determination === null ? {} : { [FIT]: String(determination) }),
    ...(weighted.length > 0 ? { [WEIGHTED]: JSON.stringify(weighted) } : {}),
    ...(relations.length > 0 ? { [OWN_MAPS]: JSON.stringify(relations) } : {}),
  };
  const features = graph.features === undefined ? undefined : fitFeatureMap(graph.features, vectors);
  if (graph.features !== undefined && features !== undefined) {
    const { names, numColumns } = graph.features;
    tensors.push(
      tensor(FEATURES.weights, numColumns, dim, features.weights),
      tensor(FEATURES.mean, 1, dim, features.mean),
      tensor(FEATURES.rarity, 1, numColumns, features.read.rarity),
      tensor(FEATURES.center, 1, numColumns, features.read.center),
      tensor(FEATURES.deviation, 1, numColumns, features.read.deviation),
      tensor(FEATURES.fit, 1, dim, features.fit),
    );
    metadata[FEATURE_NAMES] = JSON.stringify(names);
  }
  return { tensors, metadata };
}

export interface StoredNodeMaps {
  readonly map: NeighborMap;
  /** With the names of its features. */
  readonly features?: { readonly map: FeatureMap; readonly names: readonly string[] };
  /** Names of the training's relations. */
  readonly relations: readonly string[];
  readonly model: string;
}

/** Reads the maps of the run in a folder. */
export async function readNodeMaps(folder: string): Promise<StoredNodeMaps> {
  const file = join(folder, "model.safetensors");
  if (!existsSync(file)) {
    throw new InputError(
      `--model-from: ${folder} holds no model.safetensors; expected the folder of a training. A folder of placed nodes has none.`,
    );
  }
  const { tensors, metadata } = await readSafetensors(file, [...Object.values(NEIGHBORS), ...Object.values(FEATURES)]);
  const numbers = (name: string): Float64Array | undefined => {
    const data = tensors.get(name)?.data;
    return data instanceof Float32Array ? Float64Array.from(data) : undefined;
  };
  const { weights, fits, mean, scale, fit } = Object.fromEntries(
    Object.entries(NEIGHBORS).map(([key, name]) => [key, numbers(name)]),
  );
  if (!weights || !fits || !mean || !scale || !fit) {
    throw new InputError(`${folder}: its model cannot place new nodes. Run hmge embed again with this version.`);
  }
  const dim = fit.length;
  const names = (key: string): string[] => {
    const list: unknown = JSON.parse(metadata[key] ?? "[]");
    return Array.isArray(list) ? list.map(String) : [];
  };
  return {
    map: {
      dim,
      weighted: names(WEIGHTED),
      relations: names(OWN_MAPS),
      weights,
      fits,
      mean,
      scale,
      fit,
      determination: metadata[FIT] === undefined ? null : Number(metadata[FIT]),
    },
    ...storedFeatures(dim, numbers, names(FEATURE_NAMES)),
    relations: names("relations"),
    model: metadata["model"] ?? "unknown",
  };
}

function storedFeatures(
  dim: number,
  numbers: (name: string) => Float64Array | undefined,
  names: readonly string[],
): Pick<StoredNodeMaps, "features"> {
  const { weights, mean, rarity, center, deviation, fit } = Object.fromEntries(
    Object.entries(FEATURES).map(([key, name]) => [key, numbers(name)]),
  );
  if (!weights || !mean || !rarity || !center || !deviation || !fit) return {};
  return { features: { map: { dim, weights, mean, read: { rarity, center, deviation }, fit }, names } };
}
