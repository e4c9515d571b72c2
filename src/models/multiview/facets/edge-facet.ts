/**
 * The edges facet: vectors e that distinguish edges from negative pairs (uniformly drawn pairs of nodes), with a decoder per relation.
 *
 * Encoder: e = T̃ + P·T̃, where T is a table with one row per node, the tilde means dropout during training, and P is the mean
 * of the relations' normalised adjacencies. With features, T̃ + F̃·W replaces T̃; F are the leading directions of the
 * features. If the spectral directions F contain all significant structure, e = F·W: a table would only fit noise.
 *
 * Decoder: the score of a pair (i, j) in relation d is
 *
 *   Σ_k e_ik·r_dk·e_jk + a_d·(δ_di + δ_dj) + t_d·(δ_i + δ_j) + b_d + w_d·(y_di·y_dj),
 *
 * where δ_di = ln(1 + degree of i in d) minus its mean over the nodes, δ_i is the same for the sum of i's degrees in all relations,
 * and y_d are the relation's own columns, if it has any (relation-columns.ts). The degrees of an edge's ends include the edge itself: without it the AUC fell in sparse graphs
 * (koumbia_5 with 80 % of the edges held out, seed 1: 80.5 instead of 86.4).
 *
 * A second score without relation, e_i·e_j + c, keeps the plain dot product useful. Both scores minimise the cross-entropy
 * of edges against two kinds of random pairs: one endpoint of an edge with a random node, and two random nodes.
 *
 * Relations are drawn in proportion to the square root of their number of edges; in proportion to the number itself, edges
 * of a small relation would hardly occur. Fixed columns (infomax and opposed directions) are appended to e in both scores, so
 * that e learns the structure that they do not explain. In a graph without features, the directions of the diffusion are
 * appended too. Their weights in the decoder start at zero: a relation whose neighbours are far apart must not use them.
 */

import { InternalError } from "../../../core/errors.js";
import {
  add,
  addRow,
  bceLogits,
  concatColumns,
  dropout,
  gatherDots,
  gatherRows,
  interleaveIndex,
  matmul,
  multiply,
  ones,
  pairDots,
  randomKey,
  sampleEntries,
  sampleNodes,
  scaleRows,
  sliceColumns,
  spmmSum,
} from "../../../engine/ops/index.js";
import type { ProgramBuilder, Tensor } from "../../../engine/program.js";
import type { SparseOperator } from "../../../engine/sparse.js";
import { normal, zeros } from "../../../nn/init.js";
import type { ParameterFactory, RelationVectors } from "../../../nn/model.js";
import { aliasTable } from "../../../nn/walks/alias-table.js";
import { EDGES } from "../constants.js";
import { drawnCopies } from "./edge-batch.js";
import { centredDegrees, centredLogDegrees } from "./edge-degrees.js";

export interface EdgeParameters {
  /** T [n, width] */
  readonly table?: Tensor;
  /** W [k, width] */
  readonly fromFeatures?: Tensor;
  /** r, t, a and b of each relation, [D, columns + 3]. */
  readonly decoder: Tensor;
  /** c [1, 1] */
  readonly offset: Tensor;
  /** w [D, 1] */
  readonly columnWeights?: Tensor;
}

export interface EdgePrepared {
  readonly numNodes: number;
  /** Symmetric adjacencies without scaling and self-loops, from which edges are drawn. */
  readonly plain: readonly SparseOperator[];
  readonly normalized: readonly SparseOperator[];
  /** 1/D for each relation, [1, D] */
  readonly share: Tensor;
  /** δ of each relation, [n, D] by rows. */
  readonly degrees: Float32Array;
  /** δ of all relations together, [n, 1] */
  readonly allDegrees: Float32Array;
  /** Alias table of the uniform distribution over the nodes. */
  readonly anyNode: Tensor;
  /** F [n, k] */
  readonly features?: Tensor;
  /** Untrained columns that are appended to e in the scores, [n, numFixed]. */
  readonly fixedColumns?: Tensor;
  /** Directions of the diffusion, which are appended after them, [n, numDiffused]. */
  readonly diffusedColumns?: Tensor;
  /** y [n·D, columns]; row i·D + d belongs to node i in relation d. */
  readonly relationColumns?: Tensor;
}

export interface EdgeShape {
  readonly width: number;
  /** Without a table there must be features. */
  readonly table: boolean;
  readonly numFeatures: number;
  readonly numFixed: number;
  readonly numDiffused: number;
  /** Whether relations have columns of their own. */
  readonly relationColumns: boolean;
}

/** t, a and b. */
const NUM_SCALARS = 3;

export function initEdgeFacet(
  parameter: ParameterFactory,
  numNodes: number,
  numRelations: number,
  { width, table, numFeatures, numFixed, numDiffused, relationColumns }: EdgeShape,
): EdgeParameters {
  const columns = width + numFixed + numDiffused + NUM_SCALARS;
  return {
    ...(table ? { table: parameter("table", numNodes, width, normal(EDGES.startDeviation)) } : {}),
    ...(numFeatures === 0
      ? {}
      : {
          fromFeatures: parameter(
            "from-features",
            numFeatures,
            width,
            normal(EDGES.startDeviation / Math.sqrt(numFeatures)),
          ),
        }),
    decoder: parameter("decoder", numRelations, columns, (data) => {
      // r = 1, except for the diffusion; t = a = b = 0
      for (let at = 0; at < data.length; at++) data[at] = at % columns < width + numFixed ? 1 : 0;
    }),
    offset: parameter("offset", 1, 1, zeros),
    ...(relationColumns ? { columnWeights: parameter("column-weights", numRelations, 1, zeros) } : {}),
  };
}

export function prepareEdgeFacet(
  builder: ProgramBuilder,
  plain: readonly SparseOperator[],
  normalized: readonly SparseOperator[],
  inputs: Pick<EdgePrepared, "features" | "fixedColumns" | "diffusedColumns" | "relationColumns">,
): EdgePrepared {
  const [{ numRows: numNodes }] = plain;
  return {
    numNodes,
    ...inputs,
    plain,
    normalized,
    share: builder.constant(new Float32Array(plain.length).fill(1 / plain.length), 1, plain.length),
    degrees: centredDegrees(normalized),
    allDegrees: Float32Array.from(centredLogDegrees(normalized)),
    anyNode: aliasTable(builder, new Float64Array(numNodes).fill(1)),
  };
}

/** e, [n, width]. Dropout is applied if `rate`, the dropout rate of the table, is given. */
export function encodeEdges({ table, fromFeatures }: EdgeParameters, g: EdgePrepared, rate?: number): Tensor {
  const dropped = (tensor: Tensor, share: number, purpose: string) =>
    rate === undefined ? tensor : dropout(tensor, share, purpose);
  const mapped = (features: Tensor) => fromFeatures && matmul(features, fromFeatures);
  if (table === undefined) {
    const e = g.features && mapped(g.features);
    if (e === undefined) throw new InternalError("edges facet: neither a table nor directions");
    return e;
  }
  const fromTable = dropped(table, rate ?? 0, "table");
  const mappedFeatures = g.features && mapped(dropped(g.features, EDGES.featureDropout, "from-features"));
  const rows = mappedFeatures === undefined ? fromTable : add(mappedFeatures, fromTable);
  return add(spmmSum(g.normalized, g.share, rows), rows);
}

/** e, the fixed columns and the diffusion, which the scores multiply. */
function scored(e: Tensor, { fixedColumns, diffusedColumns }: EdgePrepared): Tensor {
  const appended = [fixedColumns, diffusedColumns].filter((columns) => columns !== undefined);
  return appended.length === 0 ? e : concatColumns([e, ...appended]);
}

/** Rows of the decoder, split into r, t, a and b. */
function splitDecoder(weights: Tensor): [Tensor, Tensor, Tensor, Tensor] {
  const width = weights.cols - NUM_SCALARS;
  const scalar = (at: number) => sliceColumns(weights, width + at, 1);
  return [sliceColumns(weights, 0, width), scalar(0), scalar(1), scalar(2)];
}

export interface EdgeLossOptions {
  /** Edges per step. */
  readonly batch: number;
  /** Random pairs of each kind per edge. */
  readonly negatives: number;
  /** Dropout rate of the table. */
  readonly dropout: number;
}

/** Cross-entropy of both scores: mean over edges plus mean over random pairs; 1 × 1. */
export function edgeLoss(parameters: EdgeParameters, g: EdgePrepared, o: EdgeLossOptions): Tensor {
  const { batch, negatives } = o;
  const { builder } = parameters.decoder;
  const z = scored(encodeEdges(parameters, g, o.dropout), g);
  const edge = sampleEntries(randomKey(builder, "edges"), g.plain, batch, drawnCopies(g.plain, g.normalized));
  const draw = (purpose: string, count: number) => sampleNodes(randomKey(builder, purpose), g.anyNode, batch, count);
  const degrees = builder.constant(g.degrees, g.degrees.length, 1);
  const allDegrees = builder.constant(g.allDegrees, g.numNodes, 1);
  const inRelation = (nodes: Tensor) => interleaveIndex(nodes, edge.matrix, g.plain.length);
  const [r, ...scalars] = splitDecoder(parameters.decoder); // [D, columns], [D, 1] …
  const [t, a, b] = scalars.map((weights) => gatherRows(weights, edge.matrix)); // [batch, 1]
  const places = builder.constant(
    Uint32Array.from({ length: batch }, (_, at) => at),
    batch,
    1,
    "index",
  );
  const w = parameters.columnWeights && gatherRows(parameters.columnWeights, edge.matrix); // [batch, 1]
  /** Adds the term of the relation's own columns to a score. */
  const withColumns = (score: Tensor, left: Tensor, right: Tensor): Tensor => {
    const y = g.relationColumns;
    if (y === undefined || w === undefined) return score;
    return add(score, scaleRows(gatherDots(y, y, inRelation(left), inRelation(right)), w));
  };
  /** The two scores of pairs of nodes: in the relation of the drawn edge, and without relation. */
  const scores = (left: Tensor, right: Tensor): readonly Tensor[] => {
    const repeat = ones(builder, 1, right.cols);
    const ofLeft = add(multiply(a, gatherRows(degrees, inRelation(left))), multiply(t, gatherRows(allDegrees, left)));
    const leftTerm = add(ofLeft, b); // [batch, 1]
    const rightTerm = add(gatherDots(a, degrees, places, inRelation(right)), gatherDots(t, allDegrees, places, right));
    const products = pairDots(z, r, { left, relation: edge.matrix, right });
    return [
      withColumns(add(add(products.weighted, rightTerm), matmul(leftTerm, repeat)), left, right),
      addRow(products.plain, matmul(parameters.offset, repeat)),
    ];
  };
  const loss = (logits: readonly Tensor[], isEdge: boolean): Tensor => {
    const [{ cols }] = logits;
    const targets = builder.constant(new Float32Array(batch * cols).fill(isEdge ? 1 : 0), batch, cols);
    const [decoded, plain] = logits.map((scores) => bceLogits(scores, targets));
    return add(decoded, plain);
  };
  // an edge and the random pairs that share its first end are computed together
  const sharing = scores(edge.row, concatColumns([edge.column, draw("negatives", negatives)]));
  const columns = (first: number, count: number) => sharing.map((scores) => sliceColumns(scores, first, count));
  const others = add(
    loss(columns(1, negatives), false),
    loss(scores(draw("pairs.left", 1), draw("pairs.right", negatives)), false),
  );
  return add(loss(columns(0, 1), true), others, 0.5);
}

/** The columns z that all decoders multiply: e, the fixed columns and the diffusion. */
export function edgeRelationBasis(parameters: EdgeParameters, g: EdgePrepared): Tensor {
  return scored(encodeEdges(parameters, g), g);
}

/** The decoder of a relation as vectors whose inner product is the score; `z` is the result of `edgeRelationBasis`. */
export function edgeRelationVectors(
  parameters: EdgeParameters,
  g: EdgePrepared,
  relation: number,
  z: Tensor = edgeRelationBasis(parameters, g),
): RelationVectors {
  const { builder } = parameters.decoder;
  const { numNodes, degrees, allDegrees } = g;
  const index = builder.constant(new Uint32Array(numNodes).fill(relation), numNodes, 1, "index");
  const [r, t, a, b] = splitDecoder(gatherRows(parameters.decoder, index));
  const numRelations = g.plain.length;
  const degree = builder.constant(
    Float32Array.from({ length: numNodes }, (_, i) => degrees[i * numRelations + relation]),
    numNodes,
    1,
  );
  const one = ones(builder, numNodes, 1);
  const byDegree = add(multiply(a, degree), multiply(t, builder.constant(allDegrees, numNodes, 1)));
  const source = [multiply(z, r), add(byDegree, b), one];
  const target = [z, one, byDegree];
  if (g.relationColumns !== undefined && parameters.columnWeights !== undefined) {
    const rows = Uint32Array.from({ length: numNodes }, (_, i) => i * numRelations + relation);
    const y = gatherRows(g.relationColumns, builder.constant(rows, numNodes, 1, "index"));
    source.push(scaleRows(y, gatherRows(parameters.columnWeights, index)));
    target.push(y);
  }
  return { source: concatColumns(source), target: concatColumns(target) };
}
