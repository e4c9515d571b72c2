/** A second run of the same graph, with its nodes in the order of the first, so that both share indices. */

import { InputError } from "../../index.js";
import type { DecoderVectors, NodeMap, Scene } from "../scene/scene.js";

/** Maps, vectors and decoders are reordered; edges are left out, because the page takes them from the first run. */
export function alignScene(scene: Scene, ids: readonly string[]): Scene {
  if (scene.ids.length === ids.length && scene.ids.every((id, place) => id === ids[place])) return scene;
  const places = new Map(scene.ids.map((id, place) => [id, place]));
  const order = ids.map((id) => {
    const place = places.get(id);
    if (place === undefined)
      throw new InputError(`${scene.header.title}: has no node "${id}"; expected another run of the same graph.`);
    return place;
  });
  const rows = (data: Float32Array, width: number) => {
    const out = new Float32Array(order.length * width);
    order.forEach((place, row) => {
      out.set(data.subarray(place * width, (place + 1) * width), row * width);
    });
    return out;
  };
  let vectors: Promise<Float32Array> | undefined;
  const decoders = new Map<number, Promise<DecoderVectors | undefined>>();
  const alignDecoder = async (relation: number) => {
    const found = await scene.decoder(relation);
    if (found === undefined) return undefined;
    const { width } = found;
    const source = rows(found.source, width);
    return { width, source, target: found.target === found.source ? source : rows(found.target, width) };
  };
  return {
    header: scene.header,
    ids,
    maps: scene.maps.map(({ name, positions }): NodeMap => ({ name, positions: rows(positions, 2) })),
    attributes: [],
    vectors() {
      vectors ??= scene.vectors().then((data) => rows(data, scene.header.dim));
      return vectors;
    },
    adjacency: () => Promise.reject(new InputError(`${scene.header.title}: edges are those of the first run.`)),
    decoder(relation) {
      const known = decoders.get(relation) ?? alignDecoder(relation);
      decoders.set(relation, known);
      return known;
    },
  };
}

/** The first run with the vectors, facets and decoder of another one, whose nodes have the same order. */
export function withVectorsOf(first: Scene, chosen: Scene): Scene {
  const { model, seed, dim, facets, decoder } = chosen.header;
  const relationOf = first.header.relations.map(({ name }) =>
    chosen.header.relations.findIndex((other) => other.name === name),
  );
  return {
    ...first,
    header: { ...first.header, model, seed, dim, facets, decoder },
    vectors: chosen.vectors,
    decoder: async (relation) => (relationOf[relation] < 0 ? undefined : chosen.decoder(relationOf[relation])),
  };
}

/** Index of each id; built when first asked for. */
export function idIndex(ids: readonly string[]): (id: string) => number {
  let places: Map<string, number> | undefined;
  return (id) => {
    places ??= new Map(ids.map((other, place) => [other, place]));
    return places.get(id) ?? -1;
  };
}
