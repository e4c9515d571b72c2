/** The map that places new nodes, in model.safetensors. */

import { join } from "node:path";
import type { Embedding } from "../core/embedding.js";
import { InputError } from "../core/errors.js";
import type { Multiplex } from "../graph/multiplex.js";
import { type NamedTensor, readSafetensors } from "../io/safetensors.js";
import { fitNeighborMap, type NeighborMap } from "../tasks/new-nodes.js";

const MAP = "neighbors.map";
const FIT = "neighborFit";

export function neighborTensors(
  graph: Multiplex,
  embedding: Embedding,
): { tensors: NamedTensor[]; metadata: Record<string, string> } {
  const map = fitNeighborMap(graph, embedding);
  if (map === undefined) return { tensors: [], metadata: {} };
  const { dim, weights, determination } = map;
  return {
    tensors: [{ name: MAP, shape: [dim + 2, dim], data: Float32Array.from(weights) }],
    metadata: determination === null ? {} : { [FIT]: String(determination) },
  };
}

export interface StoredNeighborMap {
  readonly map: NeighborMap;
  /** Of the training. */
  readonly relations: readonly string[];
  readonly model: string;
}

/** Of the folder of a run. */
export async function readNeighborMap(folder: string): Promise<StoredNeighborMap> {
  const { tensors, metadata } = await readSafetensors(join(folder, "model.safetensors"));
  const tensor = tensors.get(MAP);
  if (tensor === undefined || tensor.shape.length !== 2 || !(tensor.data instanceof Float32Array)) {
    throw new InputError(
      `${folder}: its model cannot place new nodes. Run hmge embed again, with this version, to make one that can.`,
    );
  }
  const names: unknown = JSON.parse(metadata["relations"] ?? "[]");
  return {
    map: {
      dim: tensor.shape[1],
      weights: Float64Array.from(tensor.data),
      determination: metadata[FIT] === undefined ? null : Number(metadata[FIT]),
    },
    relations: Array.isArray(names) ? names.map(String) : [],
    model: metadata["model"] ?? "unknown",
  };
}
