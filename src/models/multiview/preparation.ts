/**
 * The result of the preparation: a typed object, and the named arrays in which the contract of models stores it. Only this file knows
 * the names of the arrays.
 */

import { hasWeights } from "../../graph/counted-relations.js";
import type { GraphInput, NamedArrays } from "../../nn/model.js";
import { joinColumns, scaledToLength } from "../../numeric/columns.js";
import type { CsrMatrix, CsrPattern } from "../../numeric/csr.js";
import type { Rows } from "../../numeric/rows.js";
import { LENGTHS } from "./constants.js";
import {
  FACETS,
  maxWidths,
  numFeatureDirections,
  UNTRAINED_FACETS,
  type UntrainedFacet,
  widestFacets,
} from "./facet-widths.js";
import { categoryWidths, findCategories } from "./facets/category-facet.js";
import { maxRelationColumns } from "./facets/relation-columns.js";

export interface Preparation {
  /** The untrained facets in the order of the vector, each with at least one column. */
  readonly facets: readonly FacetColumns[];
  /** Columns of the edges facet; they are the last columns of the vector. */
  readonly numEdgeColumns: number;
  /** Root mean square length of a row in these columns. */
  readonly edgeLength: number;
  /** Whether the edges have a node table. Without a table the encoder reads spectral directions only. */
  readonly hasTable: boolean;
  /** Columns that the encoder of the edges reads: directions of the features and of infomax, or spectral directions. */
  readonly encoderInputs: Rows<Float32Array>;
  /** Untrained columns that the scores of the edges read in addition to their own: infomax and opposed directions. */
  readonly fixedColumns: Rows<Float32Array>;
  /** Directions of the diffusion, and categories, which the scores read like the fixed columns, but whose weights start at zero. */
  readonly diffusedColumns: Rows<Float32Array>;
  /** Columns of single relations; row i·D + d belongs to node i in relation d. */
  readonly relationColumns: Rows<Float32Array>;
  readonly weightUse: WeightUse;
  /** The relations as the training reads them; absent if a run is estimated. */
  readonly relations?: readonly TrainedRelation[];
}

/** An undirected relation. Without copies of edges both matrices have the same arrays. */
export interface TrainedRelation {
  /** Its edges are drawn from these entries; heavy edges have several copies where weights are used. */
  readonly drawn: CsrPattern;
  /** Each edge once; copies are weights. */
  readonly edges: CsrMatrix;
}

/** The columns of a facet as they stand in the vector. */
export interface FacetColumns {
  readonly name: UntrainedFacet;
  readonly columns: Rows<Float32Array>;
}

export interface WeightUse {
  /** 1 for each relation whose edge weights are used. */
  readonly used: Uint32Array;
  /** 1 for each relation for which the user decided this; absent if the test decided all. */
  readonly forced?: Uint32Array;
}

export function writePreparation(preparation: Preparation): NamedArrays {
  const {
    facets,
    numEdgeColumns,
    edgeLength,
    encoderInputs,
    fixedColumns,
    diffusedColumns,
    relationColumns,
    weightUse,
  } = preparation;
  const { relations = [] } = preparation;
  const layout = facets.map(({ name, columns }) => [FACETS.indexOf(name), columns.width]);
  return {
    layout: Uint32Array.from([...layout, [FACETS.indexOf("edges"), numEdgeColumns]].flat()),
    ...Object.fromEntries(facets.map(({ name, columns }) => [name, columns.data])),
    edgeLength: Float32Array.of(edgeLength),
    ...(preparation.hasTable ? {} : { withoutTable: Uint32Array.of(1) }),
    weighted: weightUse.used,
    ...(weightUse.forced === undefined ? {} : { forced: weightUse.forced }),
    ...(relationColumns.width === 0 ? {} : { relationColumns: relationColumns.data }),
    fixedColumns: fixedColumns.data,
    ...(diffusedColumns.width === 0 ? {} : { diffusedColumns: diffusedColumns.data }),
    ...(encoderInputs.width === 0 ? {} : { featureInputs: encoderInputs.data }),
    ...Object.fromEntries(relations.flatMap(relationEntries)),
  };
}

/** The inputs of the edges with further columns; their weights in the scores start at zero. */
export function inputsWith(
  { encoderInputs, diffusedColumns }: Preparation,
  numNodes: number,
  columns: readonly Rows<Float32Array>[],
): Pick<Preparation, "encoderInputs" | "diffusedColumns"> {
  const scaled = (length: number) => columns.map((some) => scaledToLength(some, length));
  return {
    encoderInputs: joinColumns(numNodes, [encoderInputs, ...scaled(1)]),
    diffusedColumns: joinColumns(numNodes, [diffusedColumns, ...scaled(LENGTHS.diffusionInScores)]),
  };
}

/** Names of the arrays of a matrix of relation d. */
function matrixNames(matrix: keyof TrainedRelation, d: number) {
  return { rowStart: `${matrix}.${d}.rowStart`, columns: `${matrix}.${d}.columns`, values: `${matrix}.${d}.values` };
}

function relationEntries({ drawn, edges }: TrainedRelation, d: number): [string, Float32Array | Uint32Array][] {
  const entries = (names: ReturnType<typeof matrixNames>, { rowStart, columns, values }: CsrMatrix) => [
    [names.rowStart, rowStart] as [string, Uint32Array],
    [names.columns, columns] as [string, Uint32Array],
    ...(values === undefined ? [] : [[names.values, values] as [string, Float32Array]]),
  ];
  const ofDrawn = entries(matrixNames("drawn", d), drawn);
  return edges.columns === drawn.columns ? ofDrawn : [...ofDrawn, ...entries(matrixNames("edges", d), edges)];
}

function readRelation(arrays: NamedArrays, d: number): TrainedRelation {
  const read = ({ rowStart, columns, values }: ReturnType<typeof matrixNames>): CsrMatrix => ({
    rowStart: arrays[rowStart] as Uint32Array,
    columns: arrays[columns] as Uint32Array,
    values: arrays[values] as Float32Array | undefined,
  });
  const drawn = read(matrixNames("drawn", d));
  const edges = matrixNames("edges", d);
  return { drawn, edges: arrays[edges.columns] === undefined ? drawn : read(edges) };
}

/** The preparation in these arrays; without arrays, to estimate a run, `assumedPreparation`. */
export function readPreparation(
  graph: GraphInput,
  { dim }: { readonly dim: number },
  arrays: NamedArrays | undefined,
): Preparation {
  if (arrays === undefined) return assumedPreparation(graph, dim);
  const { numNodes, relations } = graph;
  const rows = (name: string, numRows = numNodes): Rows<Float32Array> => {
    const data = (arrays[name] ?? new Float32Array(0)) as Float32Array;
    return { data, width: data.length / numRows };
  };
  const names = arrays["layout"].filter((_, at) => at % 2 === 0);
  const widths = arrays["layout"].filter((_, at) => at % 2 === 1);
  return {
    facets: Array.from(names.subarray(0, -1), (index) => {
      const name = FACETS[index] as UntrainedFacet;
      return { name, columns: rows(name) };
    }),
    numEdgeColumns: widths[widths.length - 1],
    edgeLength: arrays["edgeLength"][0],
    hasTable: arrays["withoutTable"] === undefined,
    encoderInputs: rows("featureInputs"),
    fixedColumns: rows("fixedColumns"),
    diffusedColumns: rows("diffusedColumns"),
    relationColumns: rows("relationColumns", numNodes * relations.length),
    weightUse: { used: arrays["weighted"] as Uint32Array, forced: arrays["forced"] as Uint32Array | undefined },
    relations: relations.map((_, d) => readRelation(arrays, d)),
  };
}

/**
 * What a run is estimated with: every facet as wide as possible, a node table, all edge weights used, no opposed directions. The
 * columns are zero.
 */
function assumedPreparation(graph: GraphInput, dim: number): Preparation {
  const { numNodes, relations, features } = graph;
  const categories = findCategories(graph, dim);
  if (categories !== undefined) {
    const { quantities, values } = categoryWidths(categories, dim, 0, false);
    const own = zeroColumns(numNodes, quantities + values);
    const alone = assumedPreparation({ ...graph, features: undefined }, dim - own.width);
    const read = own.width + maxWidths(graph, dim)["smoothed features"];
    return {
      ...alone,
      facets: [{ name: "features", columns: own }, ...alone.facets],
      encoderInputs: zeroColumns(numNodes, alone.encoderInputs.width + read),
      diffusedColumns: zeroColumns(numNodes, alone.diffusedColumns.width + read),
    };
  }
  const widths = widestFacets(graph, dim);
  const numInputs =
    features === undefined ? 0 : Math.min(features.numColumns, numFeatureDirections(dim)) + widths.infomax;
  return {
    facets: UNTRAINED_FACETS.filter((name) => widths[name] > 0).map((name) => ({
      name,
      columns: zeroColumns(numNodes, widths[name]),
    })),
    numEdgeColumns: widths.edges,
    edgeLength: LENGTHS.withoutFeatures.edges,
    hasTable: true,
    encoderInputs: zeroColumns(numNodes, numInputs),
    fixedColumns: zeroColumns(numNodes, widths.infomax),
    diffusedColumns: zeroColumns(numNodes, features === undefined ? widths.diffusion + widths["fine diffusion"] : 0),
    relationColumns: zeroColumns(numNodes * relations.length, maxRelationColumns(numNodes, relations.length)),
    weightUse: { used: Uint32Array.from(relations, (relation) => (hasWeights(relation) ? 1 : 0)) },
  };
}

/** Columns of zeros, which take memory only while somebody reads them. */
function zeroColumns(numRows: number, width: number): Rows<Float32Array> {
  return {
    width,
    get data() {
      return new Float32Array(numRows * width);
    },
  };
}
