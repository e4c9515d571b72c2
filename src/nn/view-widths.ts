/**
 * How the columns of a vector are shared out among views of a graph, without labels.
 *
 * Degrees have a column for each direction they pass with, up to an eighth of dim (a sixteenth beside features). The edges
 * have as many as the union of the relations, or one of them, has directions above noise: at least an eighth of dim and
 * at most three quarters. Beside features, where width is dear, directions of the union count by what they explain of
 * edges they were not found on, so that few strong ones are worth few columns: at least three sixteenths and at most
 * seven. The spectral view has what remains of the room for both; beside features only the columns it finds directions for,
 * and none where the union has more of them than the edges have columns. Infomax has all the rest.
 */

import { type Columns, NO_COLUMNS } from "./columns.js";
import type { GraphInput } from "./model.js";
import type { SpectralView } from "./spectral-view.js";

export const VIEWS = ["edges", "spectral", "degrees", "infomax"] as const;

/** Columns of each view; they add up to dim. */
export type Widths = Readonly<Record<(typeof VIEWS)[number], number>>;

/** Columns of a view as a part of all, alone and beside features. */
const MOST_EDGES = 3 / 4;
const FEWEST_EDGES = { alone: 1 / 8, besideFeatures: 3 / 16 };
const MOST_DEGREES = { alone: 1 / 8, besideFeatures: 1 / 16 };
/** Of edges and spectral view together, beside features; without any they have all that degrees leave. */
const STRUCTURE = 7 / 16;
/** Directions of the infomax view, as a part of dim. */
const INFOMAX_DIRECTIONS = 1 / 8;

type Shape = Pick<GraphInput, "features" | "relations">;

/** The columns when edges take as many as they may, and degrees too unless their number is known. */
export function widestViews(graph: Shape, dim: number, numDegrees = mostDegrees(graph, dim)): Widths {
  const structure = structureWidth(graph, dim, numDegrees);
  const edges = Math.min(structure, Math.ceil(MOST_EDGES * dim));
  return { edges, spectral: structure - edges, degrees: numDegrees, infomax: dim - structure - numDegrees };
}

/** The columns by what the views have found, and the directions of the spectral view. */
export async function shareWidth(
  graph: Shape,
  dim: number,
  numDegrees: number,
  view: SpectralView,
): Promise<{ readonly directions: Columns; readonly widths: Widths }> {
  const { numDirections: found, common } = view;
  const most = widestViews(graph, dim, numDegrees);
  const fewest = Math.ceil(FEWEST_EDGES[place(graph)] * dim);
  const wanted = graph.features === undefined ? found : Math.ceil(common.effective);
  const edges = Math.min(most.edges, Math.max(wanted, fewest));
  const room = structureWidth(graph, dim, numDegrees) - edges;
  const left = graph.features === undefined || common.count <= edges;
  const directions = left ? await view.columns(room) : NO_COLUMNS;
  const spectral = graph.features === undefined ? room : directions.count;
  return { directions, widths: { edges, spectral, degrees: numDegrees, infomax: dim - edges - spectral - numDegrees } };
}

/** Directions of the infomax view, before they fill its columns. */
export function numDirections({ infomax }: Widths, dim: number): number {
  return Math.min(infomax, Math.ceil(INFOMAX_DIRECTIONS * dim));
}

function place({ features }: Shape): "alone" | "besideFeatures" {
  return features === undefined ? "alone" : "besideFeatures";
}

function mostDegrees(graph: Shape, dim: number): number {
  return Math.min(graph.relations.length, Math.floor(MOST_DEGREES[place(graph)] * dim));
}

/** Columns of edges and spectral view together. */
function structureWidth({ features }: Shape, dim: number, numDegrees: number): number {
  return features === undefined ? dim - numDegrees : Math.ceil(STRUCTURE * dim);
}
