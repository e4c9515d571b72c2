/**
 * Measures how well the vectors preserve each relation: R² of a linear prediction of the relation's leading spectral direction from
 * the vectors. R² is near 0 if aggregation has averaged the relation away.
 *
 * The direction is the second eigenvector of the degree-regularised adjacency (graph/normalize.ts), where the mean degree
 * is taken over the nodes with an edge in the relation. The first eigenvector is trivial, because it follows the degrees. Edges of
 * directed graphs count in both directions. The solver (numeric/eigen/leading-eigenvectors.ts) has a fixed random seed, so equal graphs
 * give equal bits.
 *
 * For a weighted relation the direction is found with and without weights; the direction that the vectors predict better counts.
 * A relation without a connected component that has half of its nodes has no R², because its leading directions are those of
 * single components. R² is adjusted for the width: random vectors reach 0, not dim / n.
 */

import type { Embedding, VectorRows } from "../../core/embedding.js";
import type { SpectralRecovery } from "../../core/record.js";
import { Rng } from "../../core/rng.js";
import type { Work } from "../../core/work.js";
import { countComponents } from "../../graph/components.js";
import { hasWeights } from "../../graph/counted-relations.js";
import type { Multiplex, Relation } from "../../graph/multiplex.js";
import { regularizedOperator, regularizedScales, rowSums } from "../../graph/normalize.js";
import { type CsrMatrix, symmetricSum, transposeRows } from "../../numeric/csr.js";
import { eigenvectorsWork, leadingEigenvectors } from "../../numeric/eigen/leading-eigenvectors.js";
import { explainedVariance } from "./explained-variance.js";

/** Eigenvectors computed for a direction: the first one follows the degrees, the second one is the direction. */
const NUM_EIGENVECTORS = 2;
/** Multiplications that all this may take: about a second or two. */
const MAX_WORK = 1.5e9;
/** Share of a relation's nodes that its largest piece must have. */
const MIN_PIECE = 0.5;
/** Rows per number of a vector that a sample must have at least. */
const MIN_ROWS = 10;

/** Multiplications for the directions of so many readings of relations. */
function directionsWork({ numNodes }: Multiplex, read: readonly Relation[]): number {
  return read.reduce((sum, { columns }) => sum + eigenvectorsWork(numNodes, columns.length, NUM_EIGENVECTORS), 0);
}

/** Nodes that vectors are fitted on. */
function sampledRows(dim: number, numReadings: number): number {
  return Math.max(MIN_ROWS * dim, MAX_WORK / (numReadings * dim ** 2));
}

/** Work of `spectralRecovery`. */
export function recoveryWork(graph: Multiplex, dim: number): Work {
  const read = graph.relations.flatMap(readingsOf);
  const directions = directionsWork(graph, read);
  if (directions > MAX_WORK) return { entries: read.length };
  const rows = Math.min(graph.numNodes, sampledRows(dim, read.length));
  const size = Math.min(graph.numNodes, dim);
  return { loops: 4 * directions + read.length * ((rows * dim * size) / 2 + size ** 3) };
}

/** One entry per relation, or none with a note when the graph is too large for it. */
export function spectralRecovery(graph: Multiplex, embedding: Embedding | VectorRows): SpectralRecovery {
  const { relations } = graph;
  const read = relations.flatMap(readingsOf);
  if (directionsWork(graph, read) > MAX_WORK) {
    return {
      relations: [],
      note: "not computed: on a graph of this size it would take a large part of the time of the run",
    };
  }
  const rows = sampledRows(embedding.dim, read.length);
  return {
    relations: relations.map((relation) => {
      const readings = readingsOf(relation).map((reading) => {
        const found = leadingDirection(reading, graph);
        if (found === undefined) return { relation: relation.name, eigenvalue: null, r2: null };
        const { largestComponent } = countComponents([reading], graph.numNodes);
        if (largestComponent < MIN_PIECE * found.nodes.length) {
          return { relation: relation.name, eigenvalue: found.eigenvalue, r2: null };
        }
        const sampled = everyNth(found.nodes, found.direction, Math.floor(rows));
        return { relation: relation.name, eigenvalue: found.eigenvalue, r2: explainedVariance(embedding, sampled) };
      });
      return readings.reduce((best, other) => ((other.r2 ?? -1) > (best.r2 ?? -1) ? other : best));
    }),
  };
}

/** The relation with its weights and without them, because a model may use or ignore the weights. */
function readingsOf(relation: Relation): Relation[] {
  const { values: _, ...edges } = relation;
  return hasWeights(relation) ? [relation, edges] : [edges];
}

export interface Direction {
  /** Nodes with an edge, ascending. */
  readonly nodes: Uint32Array;
  /** One number for each of them. */
  readonly direction: Float64Array;
  readonly eigenvalue: number;
}

/** The leading non-trivial eigenvector; undefined with fewer than three nodes with edges. */
export function leadingDirection(
  relation: Relation,
  { numNodes, directed }: Pick<Multiplex, "numNodes" | "directed">,
): Direction | undefined {
  const matrix = directed ? bothDirections(relation, numNodes) : relation;
  const degrees = rowSums(matrix, numNodes);
  const nodes = Uint32Array.from({ length: numNodes }, (_, i) => i).filter((i) => degrees[i] > 0);
  if (nodes.length < 3) return undefined;
  const meanDegree = degrees.reduce((sum, degree) => sum + degree, 0) / nodes.length;
  const operator = regularizedOperator(matrix, regularizedScales(degrees, meanDegree));
  const { data, width, values } = leadingEigenvectors(operator, NUM_EIGENVECTORS, new Rng(1, "spectral recovery"));
  return { nodes, direction: Float64Array.from(nodes, (i) => data[i * width + 1]), eigenvalue: values[1] };
}

/** A + Aᵀ */
function bothDirections({ rowStart, columns, values }: Relation, numNodes: number): CsrMatrix {
  const weighted = { rowStart, columns, values: values ?? new Float32Array(columns.length).fill(1) };
  return symmetricSum(weighted, transposeRows(weighted, numNodes), 1);
}

/** At most `count` of the nodes, evenly spaced. */
function everyNth(nodes: Uint32Array, direction: Float64Array, count: number) {
  if (nodes.length <= count) return { nodes, direction };
  const places = Array.from({ length: count }, (_, k) => Math.floor((k * nodes.length) / count));
  return {
    nodes: Uint32Array.from(places, (place) => nodes[place]),
    direction: Float64Array.from(places, (place) => direction[place]),
  };
}
