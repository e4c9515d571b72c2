/** Lengths and places of the untrained facets in the vector. */

import type { NamedArrays } from "../../nn/model.js";
import { leadingColumns, scaledToLength, selectColumns } from "../../numeric/columns.js";
import type { Rows } from "../../numeric/rows.js";
import { FACETS, type UntrainedFacet } from "./facet-widths.js";

/** Columns of the vector, with the root mean square length of a row as `length`. */
export interface PlacedFacet {
  readonly name: UntrainedFacet;
  readonly columns: Rows<Float32Array>;
  readonly length: number;
}

/** Root mean square length of a row in the columns of each facet, if the graph has no features. */
const LENGTHS = { diffusion: 1, degrees: 0.7, spectral: 0.5 };
/** The same with features: what the features show is longer. */
const LENGTHS_WITH_FEATURES = { diffusion: 0.35, degrees: 0.25, spectral: 0.25 };
/** Length of the edges. */
export const EDGE_LENGTH = 0.35;

export interface Directions {
  readonly degrees: Rows<Float32Array>;
  readonly diffusion: Rows<Float32Array>;
  readonly spectral: Rows<Float32Array>;
  /** Only with features. */
  readonly fromFeatures?: {
    readonly infomax: Rows<Float32Array>;
    readonly own: Rows<Float32Array>;
    readonly smoothed: Rows<Float32Array>;
  };
}

/**
 * The columns of all untrained facets with their lengths. The first `coarse` directions of the diffusion are a facet, the next
 * `fine` another one, whose columns keep their length relative to the first.
 */
export function placedFacets(
  { degrees, diffusion, spectral, fromFeatures }: Directions,
  { coarse, fine }: { readonly coarse: number; readonly fine: number },
): PlacedFacet[] {
  const lengths = fromFeatures === undefined ? LENGTHS : LENGTHS_WITH_FEATURES;
  const first = leadingColumns(diffusion, coarse);
  const next = selectColumns(
    diffusion,
    Array.from({ length: Math.max(0, Math.min(fine, diffusion.width - coarse)) }, (_, k) => coarse + k),
  );
  const fineLength = (lengths.diffusion * lengthOf(next)) / (lengthOf(first) || 1);
  const facets: PlacedFacet[] = [
    { name: "diffusion", columns: first, length: lengths.diffusion },
    { name: "degrees", columns: degrees, length: lengths.degrees },
    { name: "fine diffusion", columns: next, length: fineLength },
    { name: "spectral", columns: spectral, length: lengths.spectral },
  ];
  if (fromFeatures === undefined) return facets;
  const { infomax, own, smoothed } = fromFeatures;
  const explained = Math.min(1, lengthOf(own) ** 2);
  return [
    // infomax stands for what the directions of the features do not explain
    { name: "infomax", columns: infomax, length: Math.sqrt(1 - explained) },
    { name: "features", columns: own, length: lengthOf(own) },
    { name: "smoothed features", columns: smoothed, length: lengthOf(smoothed) },
    ...facets,
  ];
}

/** Root mean square length of a row. */
function lengthOf({ data, width }: Rows<Float32Array>): number {
  if (data.length === 0) return 0;
  let square = 0;
  for (const x of data) square += x * x;
  return Math.sqrt((square * width) / data.length);
}

/** The arrays of the facets, longest first and `edges` columns of the edges last, and their layout. */
export function layOut(facets: readonly PlacedFacet[], edges: number): NamedArrays {
  const present = facets.filter(({ columns }) => columns.width > 0).sort((a, b) => b.length - a.length);
  const layout = [
    ...present.map(({ name, columns }) => [FACETS.indexOf(name), columns.width]),
    [FACETS.indexOf("edges"), edges],
  ];
  return {
    layout: Uint32Array.from(layout.flat()),
    ...Object.fromEntries(present.map(({ name, columns, length }) => [name, scaledToLength(columns, length).data])),
  };
}
