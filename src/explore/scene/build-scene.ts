/** Builds a scene from a run: its header, and its parts when they are asked for. */

import { type Embedding, InputError, type Multiplex, type Relation, type TrainedDecoder } from "../../index.js";
import {
  type Adjacency,
  type Attribute,
  type AttributeFacts,
  type DecoderVectors,
  type Facet,
  INCOMING,
  type NodeMap,
  OUTGOING,
  type SceneHeader,
} from "./scene.js";
import { encodeAdjacency, encodeAttribute, encodeDecoder, encodeFloats, encodeIds } from "./scene-parts.js";

/** What a scene is built from; all of it has the nodes of the embedding in the same order. */
export interface SceneInput {
  readonly program: string;
  readonly title: string;
  readonly model: string;
  readonly seed: number;
  readonly embedding: Embedding;
  readonly facets?: readonly Facet[];
  readonly maps: readonly NodeMap[];
  readonly attributes?: readonly Attribute[];
  /** Undefined if the edges are not known; a scene without edges has no relations and no decoder. */
  readonly graph?: Pick<Multiplex, "ids" | "relations" | "directed">;
  readonly decoder?: TrainedDecoder;
  readonly notes?: readonly string[];
}

/** A scene as a header and named parts. */
export interface SceneParts {
  readonly header: SceneHeader;
  readonly names: readonly string[];
  /** Encodes a part anew at each call; throws if there is none of this name. */
  part(name: string): Uint8Array<ArrayBuffer>;
}

export function buildScene(input: SceneInput): SceneParts {
  const { program, title, model, seed, embedding, facets = [], maps, attributes = [], graph, notes = [] } = input;
  const { ids, dim, vectors } = embedding;
  if (graph !== undefined) requireSameIds(ids, graph.ids);
  const relations = graph?.relations ?? [];
  const decoder = relations.length === 0 ? undefined : input.decoder;
  const makers = new Map<string, (name: string) => Uint8Array<ArrayBuffer>>([
    ["ids", () => encodeIds(ids)],
    ["vectors", (name) => encodeFloats(vectors, name)],
  ]);
  maps.forEach(({ positions }, k) => {
    makers.set(`map.${k}`, (name) => encodeFloats(positions, name));
  });
  attributes.forEach((attribute, k) => {
    makers.set(`attribute.${k}`, (name) => encodeAttribute(attribute, name));
  });
  relations.forEach((relation, r) => {
    makers.set(`adjacency.${r}`, (name) => encodeAdjacency(neighboursOf(relation, graph?.directed ?? false), name));
    if (decoder !== undefined) {
      makers.set(`decoder.${r}`, (name) => encodeDecoder(decoderVectors(decoder, r), name));
    }
  });
  return {
    header: {
      format: 1,
      program,
      title,
      numNodes: ids.length,
      dim,
      model,
      seed,
      facets: facets.map(({ name, width, doc }) => ({ name, width, ...(doc && { doc }) })),
      maps: maps.map(({ name }) => name),
      relations: relations.map(({ name, numEdges, values }) => ({ name, numEdges, weighted: values !== undefined })),
      directed: graph?.directed ?? false,
      attributes: attributes.map(factsOf),
      ...(decoder === undefined ? {} : { decoder: decoder.score }),
      notes,
    },
    names: [...makers.keys()],
    part(name) {
      const make = makers.get(name);
      if (make === undefined) throw new InputError(`scene: no part ${JSON.stringify(name)}.`);
      return make(name);
    },
  };
}

/** The attribute without its values. */
function factsOf(attribute: Attribute): AttributeFacts {
  const { name, kind, doc, fromVectors } = attribute;
  const origin = { ...(doc !== undefined && { doc }), ...(fromVectors !== undefined && { fromVectors }) };
  return kind === "category" ? { name, kind, categories: attribute.categories, ...origin } : { name, kind, ...origin };
}

function requireSameIds(ids: readonly string[], others: readonly string[]): void {
  if (ids.length === others.length && ids.every((id, i) => id === others[i])) return;
  throw new InputError(
    `scene: vectors of ${ids.length} nodes and a graph of ${others.length}; expected the same nodes in the same order.`,
  );
}

/** The neighbours in both directions of an edge. Two opposite edges give one neighbour, with both directions and the sum of their weights. */
export function neighboursOf(
  relation: Pick<Relation, "rowStart" | "columns" | "values">,
  directed: boolean,
): Adjacency {
  const { values } = relation;
  const rowStart = Uint32Array.from(relation.rowStart);
  const columns = Uint32Array.from(relation.columns);
  const weights = values === undefined ? undefined : Float32Array.from(values);
  return directed ? mergeDirections(rowStart, columns, weights) : { rowStart, columns, weights };
}

function mergeDirections(rowStart: Uint32Array, columns: Uint32Array, weights: Float32Array | undefined): Adjacency {
  const numNodes = rowStart.length - 1;
  const incoming = transposed(rowStart, columns, weights);
  const mergedStart = new Uint32Array(numNodes + 1);
  const mergedColumns = new Uint32Array(2 * columns.length);
  const mergedWeights = weights === undefined ? undefined : new Float32Array(2 * columns.length);
  const directions = new Uint8Array(2 * columns.length);
  let end = 0;
  for (let i = 0; i < numNodes; i++) {
    let [a, b] = [rowStart[i], incoming.rowStart[i]];
    const [endA, endB] = [rowStart[i + 1], incoming.rowStart[i + 1]];
    while (a < endA || b < endB) {
      const [nextA, nextB] = [a < endA ? columns[a] : Infinity, b < endB ? incoming.columns[b] : Infinity];
      mergedColumns[end] = Math.min(nextA, nextB);
      let weight = 0;
      if (nextA <= nextB) {
        weight += weights?.[a] ?? 0;
        directions[end] |= OUTGOING;
        a++;
      }
      if (nextB <= nextA) {
        weight += incoming.weights?.[b] ?? 0;
        directions[end] |= INCOMING;
        b++;
      }
      if (mergedWeights !== undefined) mergedWeights[end] = weight;
      end++;
    }
    mergedStart[i + 1] = end;
  }
  return {
    rowStart: mergedStart,
    columns: mergedColumns.slice(0, end),
    weights: mergedWeights?.slice(0, end),
    directions: directions.slice(0, end),
  };
}

/** The incoming edges of each node, ascending. */
function transposed(rowStart: Uint32Array, columns: Uint32Array, weights: Float32Array | undefined): Adjacency {
  const numNodes = rowStart.length - 1;
  const starts = new Uint32Array(numNodes + 1);
  for (const column of columns) starts[column + 1]++;
  for (let i = 0; i < numNodes; i++) starts[i + 1] += starts[i];
  const next = starts.slice();
  const rows = new Uint32Array(columns.length);
  const values = weights === undefined ? undefined : new Float32Array(columns.length);
  for (let i = 0; i < numNodes; i++) {
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
      const at = next[columns[k]]++;
      rows[at] = i;
      if (values !== undefined && weights !== undefined) values[at] = weights[k];
    }
  }
  return { rowStart: starts, columns: rows, weights: values };
}

/**
 * Vectors whose dot product or cosine is the score of the decoder. A decoder without directions averages the scores of (i, j)
 * and (j, i): the average of s_i·t_j and s_j·t_i is the product of [s_i, t_i] and [t_j, s_j] / 2. For the cosine the four
 * vectors are scaled to length 1 first. If the columns of s are multiples of those of t, both scores are equal and nothing is
 * averaged.
 */
export function decoderVectors(decoder: TrainedDecoder, relation: number): DecoderVectors {
  const { source, target } = decoder.vectors(relation);
  const width = source.dim;
  if (target === undefined || target.vectors === source.vectors)
    return { width, source: source.vectors, target: source.vectors };
  const isCosine = decoder.score === "cosine";
  if (decoder.directed || (!isCosine && hasProportionalColumns(source.vectors, target.vectors, width))) {
    return { width, source: source.vectors, target: target.vectors };
  }
  const [s, t] = [source, target].map(({ vectors }) => (isCosine ? unitRows(vectors, width) : vectors));
  return { width: 2 * width, source: sideBySide(s, t, width, 1), target: sideBySide(t, s, width, isCosine ? 1 : 0.5) };
}

/** Largest difference of proportional columns, as a share of the largest entry: some roundings of float32. */
const ROUNDING = 1e-6;

/** Whether each column of s is a multiple of the same column of t. */
function hasProportionalColumns(s: Float32Array, t: Float32Array, width: number): boolean {
  for (let column = 0; column < width; column++) {
    let peak = column;
    for (let k = column; k < t.length; k += width) if (Math.abs(t[k]) > Math.abs(t[peak])) peak = k;
    const factor = t[peak] === 0 ? 0 : s[peak] / t[peak];
    const limit = ROUNDING * Math.abs(factor * t[peak]);
    for (let k = column; k < s.length; k += width) if (Math.abs(s[k] - factor * t[k]) > limit) return false;
  }
  return true;
}

function sideBySide(left: Float32Array, right: Float32Array, width: number, factor: number): Float32Array {
  const both = new Float32Array(2 * left.length);
  for (let k = 0; k < left.length; k++) {
    const at = 2 * width * Math.floor(k / width) + (k % width);
    both[at] = factor * left[k];
    both[at + width] = factor * right[k];
  }
  return both;
}

function unitRows(vectors: Float32Array, width: number): Float32Array {
  const scaled = new Float32Array(vectors.length);
  for (let start = 0; start < vectors.length; start += width) {
    let squares = 0;
    for (let k = start; k < start + width; k++) squares += vectors[k] ** 2;
    const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
    for (let k = start; k < start + width; k++) scaled[k] = scale * vectors[k];
  }
  return scaled;
}
