/** How the columns of a vector are shared out among views, as parts of all. */

import type { GraphInput } from "./model.js";

export const VIEWS = ["edges", "spectral", "degrees", "infomax"] as const;

/** Columns of each view; they add up to dim. */
export type Widths = Readonly<Record<(typeof VIEWS)[number], number>>;

const MOST_EDGES_SHARE = 3 / 4;
const FEWEST_EDGES_SHARE = 1 / 8;
const DEGREES_SHARE = 1 / 8;
/** Of edges and spectral view together, beside features; without any they have all that degrees leave. */
const STRUCTURE_SHARE = 7 / 16;

/** Columns for structure, and the most and fewest of them that the edges have. */
export interface StructureWidths {
  readonly structure: number;
  readonly mostEdges: number;
  readonly fewestEdges: number;
}

export function structureWidths({ features }: GraphInput, dim: number, degrees: number): StructureWidths {
  const structure = features === undefined ? dim - degrees : Math.ceil(STRUCTURE_SHARE * dim);
  const most = (share: number) => Math.min(structure, Math.ceil(share * dim));
  return { structure, mostEdges: most(MOST_EDGES_SHARE), fewestEdges: most(FEWEST_EDGES_SHARE) };
}

/** The columns when edges and degrees take as many as they may. */
export function widestViews(graph: GraphInput, dim: number): Widths {
  const share = graph.features === undefined ? DEGREES_SHARE : DEGREES_SHARE / 2;
  const degrees = Math.min(graph.relations.length, Math.floor(share * dim));
  const { structure, mostEdges } = structureWidths(graph, dim, degrees);
  return { edges: mostEdges, spectral: structure - mostEdges, degrees, infomax: dim - structure - degrees };
}
