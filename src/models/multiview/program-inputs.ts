/** What loss and vectors of multiview read: the untrained columns as tensors, the inputs of the edges facet, and its batch size. */

import { broadcastRow, concatColumns, inverseSqrt, scale, scaleRows, sumSquares } from "../../engine/ops/index.js";
import type { ProgramBuilder, Tensor } from "../../engine/program.js";
import { countedRelations } from "../../graph/counted-relations.js";
import { rawOperator } from "../../graph/normalize.js";
import type { GraphInput } from "../../nn/model.js";
import type { Rows } from "../../numeric/rows.js";
import { batchOf } from "./facets/edge-batch.js";
import {
  type EdgeParameters,
  type EdgePrepared,
  type EdgeShape,
  encodeEdges,
  prepareEdgeFacet,
} from "./facets/edge-facet.js";
import type { Preparation } from "./preparation.js";
import { normalizedEdges, trainedRelations } from "./weights/trained-relations.js";

export interface ProgramInputs {
  readonly edges: EdgePrepared;
  /** Edges per step. */
  readonly batch: number;
  /** The untrained facets, [n, width] each. */
  readonly untrained: readonly Tensor[];
  /** Root mean square length of a row in the columns of the edges. */
  readonly edgeLength: number;
}

/** `batch`: the option of the model. */
export function programInputs(
  graph: GraphInput,
  preparation: Preparation,
  batch: number,
  builder: ProgramBuilder,
): ProgramInputs {
  const { facets, edgeLength, encoderInputs, fixedColumns, diffusedColumns, relationColumns, weightUse, hasTable } =
    preparation;
  const { numNodes } = graph;
  const relations = preparation.relations ?? trainedRelations(countedRelations(graph, weightUse.used));
  const plain = relations.map(({ drawn }) => rawOperator(drawn, numNodes, false));
  const normalized = relations.map(({ edges }) => normalizedEdges(edges, numNodes));
  const constant = ({ data, width }: Rows<Float32Array>, numRows = numNodes) => builder.constant(data, numRows, width);
  const optional = (columns: Rows<Float32Array>, numRows = numNodes) =>
    columns.width === 0 ? undefined : constant(columns, numRows);
  return {
    edges: prepareEdgeFacet(builder, plain, normalized, {
      relationColumns: optional(relationColumns, numNodes * relations.length),
      features: optional(encoderInputs),
      fixedColumns: optional(fixedColumns),
      diffusedColumns: optional(diffusedColumns),
    }),
    batch: batchOf(normalized, batch, hasTable),
    untrained: facets.map(({ columns }) => constant(columns)),
    edgeLength,
  };
}

/** The shape of the parameters of the edges facet. */
export function edgeShape(preparation: Preparation): EdgeShape {
  const { numEdgeColumns, hasTable, encoderInputs, fixedColumns, diffusedColumns, relationColumns } = preparation;
  return {
    width: numEdgeColumns,
    table: hasTable,
    numFeatures: encoderInputs.width,
    numFixed: fixedColumns.width,
    numDiffused: diffusedColumns.width,
    relationColumns: relationColumns.width > 0,
  };
}

/** All facets side by side, the edges last. */
export function allFacets(parameters: EdgeParameters, { untrained, edges, edgeLength }: ProgramInputs): Tensor {
  return concatColumns([...untrained, ofLength(encodeEdges(parameters, edges), edgeLength)]);
}

/** Added to a mean square, so that rows of zeros stay zeros; smaller than any mean square of trained rows. */
const TINY = 1e-30;

/** Scaled so that the root mean square length of a row is `length`. */
function ofLength(x: Tensor, length: number): Tensor {
  const factor = scale(inverseSqrt(sumSquares(x, 1 / x.rows), TINY), length); // [1, 1]
  return scaleRows(x, broadcastRow(factor, x.rows));
}
