/** Which columns of a vector each facet gets. Shares are fractions of dim. */

import type { GraphInput } from "../../nn/model.js";
import { SHARES } from "./constants.js";

/** The facets. The vector has them in this order, from coarse to fine; those of the features come in the order of their length. */
export const FACETS = [
  "infomax",
  "features",
  "smoothed features",
  "diffusion",
  "degrees",
  "fine diffusion",
  "spectral",
  "edges",
] as const;

export type FacetName = (typeof FACETS)[number];

/** What each facet holds, one sentence each. */
export const FACET_DOCS: Readonly<Record<FacetName, string>> = {
  infomax:
    "Directions of vectors that HDMI learned from features and edges; only in graphs with features, and trained first.",
  features: "Leading directions of the nodes' features.",
  "smoothed features": "Leading directions of the features after they are averaged along random walks.",
  diffusion: "Leading directions of a random walk over all relations.",
  degrees: "Significant directions of the nodes' degrees over the relations.",
  "fine diffusion": "Further directions of the random walk over all relations, which distinguish smaller groups.",
  spectral: "Significant directions of the union of all relations and of single relations.",
  edges: "Columns trained to distinguish edges from random pairs of nodes, with a decoder per relation.",
};
/** A facet that is computed before the training of the edges. */
export type UntrainedFacet = Exclude<FacetName, "edges">;
export const UNTRAINED_FACETS = FACETS.filter((name): name is UntrainedFacet => name !== "edges");

/** Columns of each facet; they add up to dim. */
export type Widths = Readonly<Record<FacetName, number>>;

/** Maximum number of columns of the facets that are not spectral and not edges; they leave at least one column to the edges. */
export function maxWidths({ features, relations, numNodes }: GraphInput, dim: number) {
  const share = features === undefined ? SHARES.maxWithoutFeatures : SHARES.maxWithFeatures;
  const numColumns = features?.numColumns ?? 0;
  // in a narrow vector, these facets have one column each even if their share is less
  const coarsest: FacetName[] = features === undefined ? ["diffusion"] : ["features", "diffusion"];
  const first = coarsest.slice(0, dim - 1);
  const most = (name: keyof typeof share, limit = numNodes) =>
    Math.min(limit, Math.max(Number(first.includes(name)), Math.floor(share[name] * dim)));
  return {
    infomax: most("infomax"),
    features: most("features", numColumns),
    "smoothed features": most("smoothed features", numColumns),
    diffusion: most("diffusion"),
    degrees: most("degrees", relations.length),
  };
}

/** Columns of the features' own directions, of at most `max`, if so many explain this share of the variance. */
export function explainedWidth(max: number, share: number): number {
  return Math.floor(max * Math.min(1, share / SHARES.fullFeatures));
}

/**
 * The limits of the edges, if `rest` columns are left for edges, spectral directions and diffusion. `coarse`: columns of the
 * diffusion without its fine directions; narrow vectors keep them, in wide ones the edges may take them, except where the edges
 * need many columns because a relation is a union of cliques.
 */
export function edgeLimits(
  dim: number,
  rest: number,
  coarse: number,
  ofCliques = false,
): { readonly min: number; readonly max: number } {
  const free = dim < SHARES.wide || ofCliques ? rest - coarse : rest;
  const limit = (share: number) => Math.min(free, Math.ceil(share * dim));
  return { min: limit(SHARES.minEdges), max: limit(ofCliques ? SHARES.maxEdgesOfCliques : SHARES.maxEdges) };
}

/** Columns for further directions of the diffusion; `isBeside`: the vector stands next to features. */
export function numFineDirections({ features }: GraphInput, dim: number, isBeside = false): number {
  const share = isBeside ? SHARES.fineBesideFeatures : SHARES.fineDiffusion;
  return features === undefined ? Math.floor(share * dim) : 0;
}

/** The widths if edges and all other facets except the spectral one reach their maximum. */
export function widestFacets(graph: GraphInput, dim: number): Widths {
  const others = maxWidths(graph, dim);
  const rest = dim - Object.values(others).reduce((sum, width) => sum + width, 0);
  const { max: edges } = edgeLimits(dim, rest, 0); // the diffusion has its columns
  const fine = Math.min(numFineDirections(graph, dim), rest - edges);
  return { ...others, edges, "fine diffusion": fine, spectral: rest - edges - fine };
}

/** Maximum number of feature directions that the encoder of the edges reads. */
export function numFeatureDirections(dim: number): number {
  return Math.ceil(SHARES.featureInputs * dim);
}
