/** Which columns of a vector each facet gets. Shares are fractions of dim. */

import type { GraphInput, NamedArrays } from "../../nn/model.js";

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
/** A facet that is computed before the training of the edges. */
export type UntrainedFacet = Exclude<FacetName, "edges">;
export const UNTRAINED_FACETS = FACETS.filter((name): name is UntrainedFacet => name !== "edges");

/** Columns of each facet; they add up to dim. */
export type Widths = Readonly<Record<FacetName, number>>;

/** Edges have at least and at most so many columns. */
const MIN_EDGES_SHARE = 1 / 8;
const MAX_EDGES_SHARE = 3 / 8;
/** Further directions of the diffusion in a graph without features. */
const FINE_SHARE = 1 / 4;
/** Maximum of each other facet, without and with features. Spectral directions fill the rest. */
const MAX_SHARES = {
  without: {
    infomax: 0,
    features: 0,
    "smoothed features": 0,
    diffusion: 1 / 8,
    degrees: 3 / 16,
  },
  with: {
    infomax: 1 / 8,
    features: 1 / 4,
    "smoothed features": 1 / 4,
    diffusion: 1 / 8,
    degrees: 1 / 16,
  },
};
/** Directions of the features that the encoder of the edges facet reads. */
const FEATURE_INPUTS_SHARE = 1 / 2;

/** Maximum number of columns of the facets that are not spectral and not edges. */
export function maxWidths({ features, relations, numNodes }: GraphInput, dim: number) {
  const share = features === undefined ? MAX_SHARES.without : MAX_SHARES.with;
  const numColumns = features?.numColumns ?? 0;
  const most = (name: keyof typeof share, limit = numNodes) => Math.min(limit, Math.floor(share[name] * dim));
  return {
    infomax: most("infomax"),
    features: most("features", numColumns),
    "smoothed features": most("smoothed features", numColumns),
    diffusion: most("diffusion"),
    degrees: most("degrees", relations.length),
  };
}

/** The limits of the edges, if so many columns are left for them, the spectral facet and fine diffusion. */
export function edgeLimits(dim: number, rest: number): { readonly min: number; readonly max: number } {
  const limit = (share: number) => Math.min(rest, Math.ceil(share * dim));
  return { min: limit(MIN_EDGES_SHARE), max: limit(MAX_EDGES_SHARE) };
}

/** Columns for further directions of the diffusion. */
export function numFineDirections({ features }: GraphInput, dim: number): number {
  return features === undefined ? Math.floor(FINE_SHARE * dim) : 0;
}

/** The widths if edges and all other facets except the spectral one reach their maximum. */
export function widestFacets(graph: GraphInput, dim: number): Widths {
  const others = maxWidths(graph, dim);
  const rest = dim - Object.values(others).reduce((sum, width) => sum + width, 0);
  const { max: edges } = edgeLimits(dim, rest);
  const fine = Math.min(numFineDirections(graph, dim), rest - edges);
  return { ...others, edges, "fine diffusion": fine, spectral: rest - edges - fine };
}

/** Maximum number of feature directions that the encoder of the edges reads. */
export function numFeatureDirections(dim: number): number {
  return Math.ceil(FEATURE_INPUTS_SHARE * dim);
}

/** The widths that the preparation found; without its arrays, to estimate a run, the widest possible. */
export function widthsOf(
  graph: GraphInput,
  { dim }: { readonly dim: number },
  arrays: NamedArrays | undefined,
): Widths {
  if (arrays === undefined) return widestFacets(graph, dim);
  const found = new Map(layoutOf(arrays).map(({ name, width }) => [name, width]));
  return Object.fromEntries(FACETS.map((name) => [name, found.get(name) ?? 0])) as Widths;
}

/** The facets in the order of their columns. */
export function layoutOf(arrays: NamedArrays): { readonly name: FacetName; readonly width: number }[] {
  const layout = arrays["layout"];
  return Array.from({ length: layout.length / 2 }, (_, k) => ({
    name: FACETS[layout[2 * k]],
    width: layout[2 * k + 1],
  }));
}

/**
 * Untrained columns that the scores of the edges read in addition to their own. Without the arrays of the preparation, to
 * estimate a run: the infomax directions alone.
 */
export function numFixedColumns({ numNodes }: GraphInput, widths: Widths, arrays: NamedArrays | undefined): number {
  const found = arrays?.["fixedColumns"];
  return found === undefined ? widths.infomax : found.length / numNodes;
}

/** Whether the edges have a node table. Without a table their only input are the spectral directions, as `featureInputs`. */
export function hasTable({ features }: GraphInput, arrays: NamedArrays | undefined): boolean {
  return features !== undefined || arrays?.["featureInputs"] === undefined;
}

/** Columns that the encoder of the edges reads: directions of the features and of infomax, or spectral directions. */
export function numFeatureInputs(
  graph: GraphInput,
  { dim }: { readonly dim: number },
  arrays: NamedArrays | undefined,
): number {
  if (arrays !== undefined) return (arrays["featureInputs"]?.length ?? 0) / graph.numNodes;
  if (graph.features === undefined) return 0;
  return Math.min(graph.features.numColumns, numFeatureDirections(dim)) + maxWidths(graph, dim).infomax;
}
