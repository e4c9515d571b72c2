/** How the columns of a vector are shared out among views, as parts of all. */

import type { GraphInput, NamedArrays } from "../../nn/model.js";

export const VIEWS = ["edges", "spectral", "degrees", "infomax"] as const;

/** Columns of each view; they add up to dim. */
export type Widths = Readonly<Record<(typeof VIEWS)[number], number>>;

const MAX_EDGES_SHARE = 3 / 4;
const MIN_EDGES_SHARE = 1 / 8;
const DEGREES_SHARE = 1 / 8;
/** Of edges and spectral view together, beside features; without any they have all that degrees leave. */
const STRUCTURE_SHARE = 7 / 16;

/** Directions of the infomax view, as a share of dim. */
const INFOMAX_SHARE = 1 / 8;
/** Directions of the features that the encoder of the edges reads, as a share of dim. */
const FEATURE_INPUTS_SHARE = 1 / 2;

/** Columns for structure, and the most and fewest of them that the edges have. */
export interface StructureWidths {
  readonly structure: number;
  readonly mostEdges: number;
  readonly fewestEdges: number;
}

export function structureWidths({ features }: GraphInput, dim: number, degrees: number): StructureWidths {
  const structure = features === undefined ? dim - degrees : Math.ceil(STRUCTURE_SHARE * dim);
  const most = (share: number) => Math.min(structure, Math.ceil(share * dim));
  return { structure, mostEdges: most(MAX_EDGES_SHARE), fewestEdges: most(MIN_EDGES_SHARE) };
}

/** The columns when edges and degrees take as many as they may. */
export function widestViews(graph: GraphInput, dim: number): Widths {
  const share = graph.features === undefined ? DEGREES_SHARE : DEGREES_SHARE / 2;
  const degrees = Math.min(graph.relations.length, Math.floor(share * dim));
  const { structure, mostEdges } = structureWidths(graph, dim, degrees);
  return { edges: mostEdges, spectral: structure - mostEdges, degrees, infomax: dim - structure - degrees };
}

/** Directions of the features that the encoder of the edges reads. */
export function featureDirections(dim: number): number {
  return Math.ceil(FEATURE_INPUTS_SHARE * dim);
}

/** As found before training; to estimate a run, the widest there may be. */
export function widthsOf(
  graph: GraphInput,
  { dim }: { readonly dim: number },
  arrays: NamedArrays | undefined,
): Widths {
  if (arrays === undefined) return widestViews(graph, dim);
  return Object.fromEntries(VIEWS.map((name, k) => [name, arrays["widths"][k]])) as Widths;
}

/** Of the infomax view, before they fill its columns. */
export function numDirections({ infomax }: Widths, dim: number): number {
  return Math.min(infomax, Math.ceil(INFOMAX_SHARE * dim));
}

/** Columns that stand beside the edges in their scores; before they are found, those of infomax alone. */
export function numBeside(
  { numNodes }: GraphInput,
  widths: Widths,
  { dim }: { readonly dim: number },
  arrays: NamedArrays | undefined,
): number {
  const found = arrays?.["beside"];
  return found === undefined ? numDirections(widths, dim) : found.length / numNodes;
}

/** Without one the edges read directions of the graph, where others read those of features. */
export function hasTable({ features }: GraphInput, arrays: NamedArrays | undefined): boolean {
  return features !== undefined || arrays?.["featureInputs"] === undefined;
}

export function numFeatureInputs(
  graph: GraphInput,
  { dim }: { readonly dim: number },
  arrays: NamedArrays | undefined,
): number {
  if (arrays !== undefined) return (arrays["featureInputs"]?.length ?? 0) / graph.numNodes;
  if (graph.features === undefined) return 0;
  const directions = numDirections(widestViews(graph, dim), dim);
  return Math.min(graph.features.numColumns, featureDirections(dim)) + directions;
}
