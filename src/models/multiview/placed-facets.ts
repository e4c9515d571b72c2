/** Lengths and places of the untrained facets in the vector. */

import { Rng } from "../../core/rng.js";
import { leadingColumns, scaledToLength, selectColumns } from "../../numeric/columns.js";
import type { Rows } from "../../numeric/rows.js";
import { LENGTHS } from "./constants.js";
import type { UntrainedFacet, Widths } from "./facet-widths.js";
import { explainedShare } from "./facets/feature-facet.js";
import type { FacetColumns } from "./preparation.js";
import { rotateInto } from "./rotate-into.js";

/** Columns of the vector, with the root mean square length of a row as `length`. */
export interface PlacedFacet {
  readonly name: UntrainedFacet;
  readonly columns: Rows<Float32Array>;
  readonly length: number;
}

export interface Directions {
  readonly degrees: Rows<Float32Array>;
  readonly diffusion: Rows<Float32Array>;
  readonly spectral: Rows<Float32Array>;
  /** Only with features. */
  readonly fromFeatures?: {
    readonly infomax: Rows<Float32Array>;
    readonly own: Rows<Float32Array>;
    readonly smoothed: Rows<Float32Array>;
    readonly unrelated: number;
  };
}

/** Columns of the facets that have more directions than places, or fewer. */
export type StructureWidths = Pick<Widths, "diffusion" | "fine diffusion" | "spectral">;

/** The untrained facets that have columns, in the order of the vector. */
export function placedFacets(
  { degrees, diffusion, spectral, fromFeatures }: Directions,
  widths: StructureWidths,
  seed: number,
): PlacedFacet[] {
  const lengths = structureLengths(fromFeatures);
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
  return [...facetsOfFeatures(fromFeatures), ...facets].filter(({ columns }) => columns.width > 0);
}

/**
 * Lengths of the facets that are not of the features. The facets of a few quantities are long even if the quantities are noise; so next to
 * quantities that have nothing in common the structure is as long as without features.
 */
export function structureLengths(fromFeatures: Directions["fromFeatures"]): typeof LENGTHS.withoutFeatures {
  const { withFeatures, withoutFeatures } = LENGTHS;
  if (fromFeatures === undefined) return withoutFeatures;
  const { unrelated } = fromFeatures;
  const between = (name: keyof typeof withFeatures) =>
    (1 - unrelated) * withFeatures[name] + unrelated * withoutFeatures[name];
  return {
    diffusion: between("diffusion"),
    degrees: between("degrees"),
    "fine diffusion": between("fine diffusion"),
    spectral: between("spectral"),
    edges: between("edges"),
  };
}

/** The columns of the facets, each scaled to its length. */
export function scaledFacets(facets: readonly PlacedFacet[]): FacetColumns[] {
  return facets.map(({ name, columns, length }) => ({ name, columns: scaledToLength(columns, length) }));
}

/** Columns of the vector that the facets of the features take. */
export function columnsOfFeatures(fromFeatures: Directions["fromFeatures"]): number {
  return facetsOfFeatures(fromFeatures).reduce((sum, { columns }) => sum + columns.width, 0);
}

/**
 * The facets of the features, the longest first. Infomax stands for what the directions of the features do not explain. A facet whose
 * columns would be zero up to rounding takes none.
 */
function facetsOfFeatures(fromFeatures: Directions["fromFeatures"]): PlacedFacet[] {
  if (fromFeatures === undefined) return [];
  const { infomax, own, smoothed } = fromFeatures;
  const [ofOwn, ofSmoothed] = [explainedShare(own), explainedShare(smoothed)];
  const ofFeatures: PlacedFacet[] = [
    { name: "infomax", columns: infomax, length: (1 - ofOwn) * (1 - ofSmoothed) },
    { name: "features", columns: own, length: Math.sqrt(ofOwn) },
    { name: "smoothed features", columns: smoothed, length: Math.sqrt(ofSmoothed) },
  ];
  return ofFeatures.filter(({ length }) => length >= LENGTHS.shortest).sort((a, b) => b.length - a.length);
}
