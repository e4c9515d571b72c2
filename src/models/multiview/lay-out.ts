/** Lengths and places of the untrained facets in the vector. */

import { Rng } from "../../core/rng.js";
import type { NamedArrays } from "../../nn/model.js";
import { leadingColumns, scaledToLength, selectColumns } from "../../numeric/columns.js";
import type { Rows } from "../../numeric/rows.js";
import { FACETS, type UntrainedFacet, type Widths } from "./facet-widths.js";
import { rotateInto } from "./rotate-into.js";

/** Columns of the vector, with the root mean square length of a row as `length`. */
export interface PlacedFacet {
  readonly name: UntrainedFacet;
  readonly columns: Rows<Float32Array>;
  readonly length: number;
}

/** Root mean square length of a row in the columns of each facet, if the graph has no features. */
const LENGTHS = { diffusion: 1, degrees: 0.7, "fine diffusion": 0.7, spectral: 0.5 };
/** The same with features: what the features show is longer. */
const LENGTHS_WITH_FEATURES = { diffusion: 0.35, degrees: 0.25, "fine diffusion": 0.25, spectral: 0.25 };
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

/** The untrained facets in the order of their columns; `widths`: columns of the facets that have more directions than places, or fewer. */
export function placedFacets(
  { degrees, diffusion, spectral, fromFeatures }: Directions,
  widths: Pick<Widths, "diffusion" | "fine diffusion" | "spectral">,
  seed: number,
): PlacedFacet[] {
  const lengths = fromFeatures === undefined ? LENGTHS : LENGTHS_WITH_FEATURES;
  const fine = Array.from({ length: widths["fine diffusion"] }, (_, k) => widths.diffusion + k);
  const facets: PlacedFacet[] = [
    { name: "diffusion", columns: leadingColumns(diffusion, widths.diffusion), length: lengths.diffusion },
    { name: "degrees", columns: degrees, length: lengths.degrees },
    { name: "fine diffusion", columns: selectColumns(diffusion, fine), length: lengths["fine diffusion"] },
    {
      name: "spectral",
      columns: rotateInto(spectral, widths.spectral, 1, new Rng(seed, "spread.spectral")), // the stream's first name
      length: lengths.spectral,
    },
  ];
  if (fromFeatures === undefined) return facets;
  const { infomax, own, smoothed } = fromFeatures;
  const explained = Math.min(1, lengthOf(own) ** 2);
  const ofFeatures: PlacedFacet[] = [
    // infomax stands for what the directions of the features do not explain
    { name: "infomax", columns: infomax, length: Math.sqrt(1 - explained) },
    { name: "features", columns: own, length: lengthOf(own) },
    { name: "smoothed features", columns: smoothed, length: lengthOf(smoothed) },
  ];
  return [...ofFeatures.sort((a, b) => b.length - a.length), ...facets];
}

/** Root mean square length of a row. */
function lengthOf({ data, width }: Rows<Float32Array>): number {
  if (data.length === 0) return 0;
  let square = 0;
  for (const x of data) square += x * x;
  return Math.sqrt((square * width) / data.length);
}

/** The arrays of the facets and their layout, with `edges` columns of the edges last. */
export function layOut(facets: readonly PlacedFacet[], edges: number): NamedArrays {
  const present = facets.filter(({ columns }) => columns.width > 0);
  const layout = [
    ...present.map(({ name, columns }) => [FACETS.indexOf(name), columns.width]),
    [FACETS.indexOf("edges"), edges],
  ];
  return {
    layout: Uint32Array.from(layout.flat()),
    ...Object.fromEntries(present.map(({ name, columns, length }) => [name, scaledToLength(columns, length).data])),
  };
}
