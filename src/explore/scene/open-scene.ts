/** Opens a scene: reads its header, ids, maps and attributes at once, and its larger parts when they are first asked for. */

import { InputError } from "../../index.js";
import { checkHeader } from "./check-header.js";
import type { Scene, SceneHeader } from "./scene.js";
import { decodeAdjacency, decodeAttribute, decodeDecoder, decodeFloats, decodeIds } from "./scene-parts.js";

/** Called while a part is read, with the bytes read so far and, if known, the bytes of the whole part. */
export type PartProgress = (done: number, total: number | undefined) => void;

/** Where the header and the parts of a scene come from. */
export interface SceneSource {
  header(): Promise<SceneHeader>;
  part(name: string, onProgress?: PartProgress): Promise<ArrayBuffer>;
}

export interface OpenOptions {
  /** Called with the share of the first parts that is read, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

/** Throws an InputError if a part is damaged or does not fit the header. */
export async function openScene(source: SceneSource, { onProgress }: OpenOptions = {}): Promise<Scene> {
  const header = checkHeader(await source.header());
  const { numNodes, dim, relations } = header;
  const names = ["ids", ...header.maps.map((_, k) => `map.${k}`), ...header.attributes.map((_, k) => `attribute.${k}`)];
  const shares = new Float64Array(names.length);
  const parts = await Promise.all(
    names.map((name, k) =>
      source.part(name, (done, total) => {
        shares[k] = total === undefined || total === 0 ? 0 : done / total;
        onProgress?.(shares.reduce((sum, share) => sum + share, 0) / names.length);
      }),
    ),
  );
  onProgress?.(1);
  const firstAttribute = 1 + header.maps.length;
  const lazy = cachedParts();
  return {
    header,
    ids: decodeIds(parts[0], numNodes),
    maps: header.maps.map((name, k) => ({ name, positions: decodeFloats(parts[1 + k], names[1 + k], 2 * numNodes) })),
    attributes: header.attributes.map((facts, k) =>
      decodeAttribute(parts[firstAttribute + k], names[firstAttribute + k], facts, numNodes),
    ),
    vectors: () => lazy("vectors", async (name) => decodeFloats(await source.part(name), name, numNodes * dim)),
    async adjacency(relation) {
      requireRelation(relation, relations.length);
      const facts = { numNodes, weighted: relations[relation].weighted, directed: header.directed };
      return lazy(`adjacency.${relation}`, async (name) => decodeAdjacency(await source.part(name), name, facts));
    },
    async decoder(relation) {
      requireRelation(relation, relations.length);
      if (header.decoder === undefined) return undefined;
      return lazy(`decoder.${relation}`, async (name) => decodeDecoder(await source.part(name), name, numNodes));
    },
  };
}

function requireRelation(relation: number, count: number): void {
  if (Number.isInteger(relation) && relation >= 0 && relation < count) return;
  throw new InputError(`scene: found relation ${relation}; expected 0 to ${count - 1}.`);
}

/** Reads each part once; a part that could not be read is tried again at the next call. */
function cachedParts() {
  const known = new Map<string, Promise<unknown>>();
  return <T>(name: string, read: (name: string) => Promise<T>): Promise<T> => {
    const earlier = known.get(name) as Promise<T> | undefined;
    if (earlier !== undefined) return earlier;
    const made = read(name);
    known.set(name, made);
    made.catch(() => known.delete(name));
    return made;
  };
}
