/**
 * Columns of single relations, which only the decoder reads. They are not trained and not part of the vectors.
 *
 * The decoder of the edges facet weighs the columns of one shared vector. That vector cannot hold the groups of many relations
 * at once, for example if every relation is a union of other cliques. So each relation whose neighbours often have common
 * neighbours gets, if it has significant directions,
 *
 *   y = U·Λ, scaled to a fixed root mean square length,
 *
 * where U are these eigenvectors of its normalised adjacency Â and Λ their eigenvalues. The product y_i·y_j approximates
 * (Â²)_ij, the normalised number of common neighbours of i and j within the relation. Paths of two edges are counted, not the
 * edge between i and j itself, which a pair that is to be predicted does not have.
 */

import { ALONE } from "../../../core/sharing.js";
import type { Stage } from "../../../core/work.js";
import type { PrecomputeTools } from "../../../nn/model.js";
import { NO_COLUMNS } from "../../../numeric/columns.js";
import { largestOf } from "../../../numeric/extremes.js";
import type { Rows } from "../../../numeric/rows.js";
import { RELATION_COLUMNS } from "../constants.js";
import { countSignificant } from "../significance/significant-directions.js";
import { type GraphSizes, leadGraphs, leadStage, testGraphs, testStage } from "../significance/tested-directions.js";
import type { SimpleGraph } from "../weights/edge-copies.js";

const STAGE = "columns of single relations";

/** Columns that each relation may have; 0 if there is only one relation, or no room for the columns of all. */
export function maxRelationColumns(numNodes: number, numRelations: number): number {
  if (numRelations < 2) return 0;
  const room = Math.min(
    RELATION_COLUMNS.max,
    RELATION_COLUMNS.maxOfAll / numRelations,
    RELATION_COLUMNS.maxValues / (numNodes * numRelations),
  );
  return room < RELATION_COLUMNS.min ? 0 : Math.min(Math.floor(room), numNodes);
}

/** The stages of `relationColumns`. */
export function relationColumnStages(sizes: GraphSizes): Stage[] {
  const count = maxRelationColumns(sizes.numNodes, sizes.entries.length);
  if (count === 0) return [];
  return [testStage, leadStage].map((stage) => stage(sizes, { count, stageName: STAGE }));
}

export interface RelationColumns extends Rows<Float32Array> {
  /** Whether every relation has columns. */
  readonly ofAll: boolean;
}

const NONE: RelationColumns = { ...NO_COLUMNS, ofAll: false };

/**
 * y of every node and relation; row i·D + d belongs to node i in relation d. `candidates`: indices of the relations that may have
 * columns. A relation without columns has zeros. Without any significant direction there are no columns.
 */
export async function relationColumns(
  relations: readonly SimpleGraph[],
  candidates: readonly number[],
  tools: PrecomputeTools,
): Promise<RelationColumns> {
  const [{ numRows: numNodes }] = relations;
  const numRelations = relations.length;
  const tried = maxRelationColumns(numNodes, numRelations);
  if (tried === 0 || candidates.length === 0) return NONE;
  const graphs = candidates.map((d) => relations[d]);
  const request = { count: tried, purpose: "relation-columns", stageName: STAGE };
  const counts = (await testGraphs(graphs, request, tools)).map(({ scores }) => numDirections(scores));
  const width = Math.min(tried, largestOf(counts));
  if (width === 0) return NONE;
  const found = await leadGraphs(graphs, { ...request, count: width }, tools);
  const { sharing = ALONE } = tools;
  return sharing.once(() => {
    const data = new Float32Array(numNodes * numRelations * width);
    found.forEach(({ data: directions, width: stored, values }, m) => {
      const factors = columnFactors(values.subarray(0, Math.min(width, counts[m])), numNodes);
      for (let i = 0; i < numNodes; i++) {
        const at = (i * numRelations + candidates[m]) * width;
        for (let k = 0; k < factors.length; k++) data[at + k] = factors[k] * directions[i * stored + k];
      }
    });
    return { data, width, ofAll: candidates.length === numRelations && !counts.includes(0) };
  });
}

/** Significant directions with that of the degrees, which in a union of cliques belongs to the largest clique; 0 if no other is significant. */
function numDirections(scores: Float64Array): number {
  const others = countSignificant(scores.subarray(1));
  return others === 0 ? 0 : others + 1;
}

/** Eigenvalues, scaled so that the rows of U·Λ have the root mean square length `RELATION_COLUMNS.length`. */
function columnFactors(values: Float64Array, numNodes: number): Float64Array {
  const square = values.reduce((sum, value) => sum + value ** 2, 0); // the columns of U have length 1
  return values.map((value) => (RELATION_COLUMNS.length * value) / Math.sqrt(square / numNodes));
}
