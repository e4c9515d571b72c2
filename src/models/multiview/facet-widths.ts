/** How many columns of a vector each facet gets. Shares are fractions of dim. */

import type { GraphInput, NamedArrays } from "../../nn/model.js";

export const FACETS = ["edges", "spectral", "degrees", "infomax"] as const;

/** Columns of each facet; they add up to dim. */
export type Widths = Readonly<Record<(typeof FACETS)[number], number>>;

const MAX_EDGES_SHARE = 3 / 4;
const MIN_EDGES_SHARE = 1 / 8;
/** Maximum of the degrees facet; half of it with features. */
const DEGREES_SHARE = 1 / 8;
/** Edges and spectral facet together, if there are features. Without features they share all columns except the degrees'. */
const STRUCTURE_SHARE = 7 / 16;

/** Directions of the infomax facet, before the isometry maps them into its columns. */
const INFOMAX_SHARE = 1 / 8;
/** Directions of the features that the encoder of the edges facet reads. */
const FEATURE_INPUTS_SHARE = 1 / 2;

/** Columns for edges and spectral facet together, and the limits of the edges among them. */
export interface StructureWidths {
  readonly structure: number;
  readonly maxEdges: number;
  readonly minEdges: number;
}

export function structureWidths({ features }: GraphInput, dim: number, degrees: number): StructureWidths {
  const structure = features === undefined ? dim - degrees : Math.ceil(STRUCTURE_SHARE * dim);
  const limit = (share: number) => Math.min(structure, Math.ceil(share * dim));
  return { structure, maxEdges: limit(MAX_EDGES_SHARE), minEdges: limit(MIN_EDGES_SHARE) };
}

/** The widths if edges and degrees reach their maximum. */
export function widestFacets(graph: GraphInput, dim: number): Widths {
  const share = graph.features === undefined ? DEGREES_SHARE : DEGREES_SHARE / 2;
  const degrees = Math.min(graph.relations.length, Math.floor(share * dim));
  const { structure, maxEdges } = structureWidths(graph, dim, degrees);
  return { edges: maxEdges, spectral: structure - maxEdges, degrees, infomax: dim - structure - degrees };
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
  return Object.fromEntries(FACETS.map((name, k) => [name, arrays["widths"][k]])) as Widths;
}

/** Maximum number of directions of the infomax facet. */
export function numInfomaxDirections({ infomax }: Widths, dim: number): number {
  return Math.min(infomax, Math.ceil(INFOMAX_SHARE * dim));
}

/**
 * Untrained columns that the scores of the edges read in addition to their own. Without the arrays of the preparation, to
 * estimate a run: the infomax directions alone.
 */
export function numFixedColumns(
  { numNodes }: GraphInput,
  widths: Widths,
  { dim }: { readonly dim: number },
  arrays: NamedArrays | undefined,
): number {
  const found = arrays?.["fixedColumns"];
  return found === undefined ? numInfomaxDirections(widths, dim) : found.length / numNodes;
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
  const directions = numInfomaxDirections(widestFacets(graph, dim), dim);
  return Math.min(graph.features.numColumns, numFeatureDirections(dim)) + directions;
}
