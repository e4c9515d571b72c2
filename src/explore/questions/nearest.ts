/**
 * The nodes nearest to a node by the cosine of their vectors after the mean vector is subtracted, as `hmge neighbors` computes it.
 * Unlike `neighborsOf` it keeps means and lengths for the next question, copies no vectors, and gives the page its turns.
 */

import type { Facet, Scene } from "../scene/scene.js";
import { TopList } from "./top-list.js";
import { Turns } from "./turns.js";

/** Vectors with the figures by which the cosines of centred vectors are computed. */
export interface CenteredVectors {
  readonly dim: number;
  readonly vectors: Float32Array;
  readonly mean: Float64Array;
  /** Length of each vector after the mean is subtracted; 0 if nothing but rounding is left. */
  readonly lengths: Float64Array;
}

export interface NearNode {
  readonly node: number;
  readonly cosine: number;
}

/** A centred vector shorter than this share of the mean vector's length is rounding: float32 has 24 bits. */
const ROUNDING = 1e-6;
/** Vectors between two looks at the clock. */
const SLICE = 4096;

const known = new WeakMap<Float32Array, Promise<CenteredVectors>>();

/** The centred vectors of a scene. Their means and lengths are computed once for an array of vectors. */
export async function centeredVectors(scene: Scene): Promise<CenteredVectors> {
  const vectors = await scene.vectors();
  const centered = known.get(vectors) ?? centerVectors(vectors, scene.header.dim);
  known.set(vectors, centered);
  return centered;
}

export async function centerVectors(vectors: Float32Array, dim: number): Promise<CenteredVectors> {
  const turns = new Turns();
  const numNodes = dim === 0 ? 0 : vectors.length / dim;
  const mean = new Float64Array(dim);
  for (let i = 0, at = 0; i < numNodes; i++) {
    for (let k = 0; k < dim; k++, at++) mean[k] += vectors[at];
    if (i % SLICE === 0 && turns.due()) await turns.take();
  }
  let square = 0;
  for (let k = 0; k < dim; k++) {
    mean[k] /= numNodes;
    square += mean[k] * mean[k];
  }
  const shortest = ROUNDING * Math.sqrt(square);
  const lengths = new Float64Array(numNodes);
  for (let i = 0, at = 0; i < numNodes; i++) {
    let sum = 0;
    for (let k = 0; k < dim; k++, at++) sum += (vectors[at] - mean[k]) ** 2;
    const length = Math.sqrt(sum);
    lengths[i] = length > shortest ? length : 0;
    if (i % SLICE === 0 && turns.due()) await turns.take();
  }
  return { dim, vectors, mean, lengths };
}

/**
 * The `count` other nodes of largest cosine, largest first; equal cosines in the order of the nodes. A node whose vector is the
 * mean vector is nobody's neighbour and has none.
 */
export async function nearestNodes(centered: CenteredVectors, node: number, count: number): Promise<NearNode[]> {
  const { dim, vectors, mean, lengths } = centered;
  if (!(lengths[node] > 0)) return [];
  const query = new Float64Array(dim);
  let ofMean = 0;
  for (let k = 0; k < dim; k++) {
    query[k] = (vectors[node * dim + k] - mean[k]) / lengths[node];
    ofMean += query[k] * mean[k];
  }
  const top = new TopList(count);
  const turns = new Turns();
  for (let i = 0; i < lengths.length; i++) {
    if (i % SLICE === 0 && turns.due()) await turns.take();
    if (i === node || lengths[i] === 0) continue;
    let dot = -ofMean;
    for (let k = 0, at = i * dim; k < dim; k++, at++) dot += query[k] * vectors[at];
    top.offer(i, Math.max(-1, Math.min(1, dot / lengths[i])));
  }
  return top.nodes.map(({ node: near, score }) => ({ node: near, cosine: score }));
}

/**
 * How much each facet adds to the cosine of two nodes: the part of the inner product in its columns divided by both lengths.
 * The parts add up to the cosine. Without facets the whole vector is one.
 */
export function facetParts(
  { dim, vectors, mean, lengths }: CenteredVectors,
  facets: readonly Facet[],
  a: number,
  b: number,
): { readonly name: string; readonly part: number }[] {
  const scale = lengths[a] * lengths[b];
  let column = 0;
  return facetsOrWhole(facets, dim).map(({ name, width }) => {
    let dot = 0;
    for (const end = Math.min(dim, column + width); column < end; column++) {
      dot += (vectors[a * dim + column] - mean[column]) * (vectors[b * dim + column] - mean[column]);
    }
    return { name, part: scale === 0 ? 0 : dot / scale };
  });
}

/** The facets, with the columns that none of them names; the whole vector if there are none. */
function facetsOrWhole(facets: readonly Facet[], dim: number): readonly Facet[] {
  const rest = dim - facets.reduce((sum, { width }) => sum + width, 0);
  if (facets.length === 0) return [{ name: "vector", width: dim }];
  return rest > 0 ? [...facets, { name: "other columns", width: rest }] : facets;
}
