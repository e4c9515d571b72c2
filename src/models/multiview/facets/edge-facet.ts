/**
 * Vectors that tell edges from other pairs, with a decoder per relation.
 *
 * e = T̃ + P·T̃, T a table of one row per node (dropout while training), P the mean of the relations' normalised adjacencies;
 * where there are features F̃·W is added to T̃, F their leading directions. Where given directions hold all that edges tell,
 * e = F·W of these: a table would learn noise. A pair (i, j) of relation d is scored
 *
 *   Σ_k e_ik·r_dk·e_jk + a_d·(δ_di + δ_dj) + b_d,  δ_di = ln(1 + degree of i in d), less its mean,
 *
 * and without relation e_i·e_j + c, so that the plain product is of use too. Both learn by cross-entropy, on edges, and on pairs
 * drawn uniformly: one end of an edge and any node, and any two nodes. Edges are drawn from relations by the root of their
 * size: drawn alike, those of a small relation beside a large one are hardly seen. Columns that
 * are given beside e count as its own in both scores, so that e learns what they do not tell.
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
  sliceColumns,
  spmmSum,
} from "../../../engine/ops/index.js";
import type { ProgramBuilder, Tensor } from "../../../engine/program.js";
import type { SparseOperator } from "../../../engine/sparse.js";
import { normal, zeros } from "../../../nn/init.js";
import type { ParameterFactory, RelationVectors } from "../../../nn/model.js";
import { aliasTable } from "../../../nn/walks/alias-table.js";
import { largestOf } from "../../../numeric/extremes.js";
import { mean } from "../../../numeric/rows.js";

/** Deviation of the table at the start. */
const START = 0.1;
/** Of the features' directions; the table has a rate of its own. */
const FEATURE_DROPOUT = 0.2;

export interface EdgeParameters {
  /** T [n, width] */
  readonly table?: Tensor;
  /** W [k, width] */
  readonly fromFeatures?: Tensor;
  /** Of every relation r, a and b, [D, columns + 2]. */
  readonly decoder: Tensor;
  /** c [1, 1] */
  readonly offset: Tensor;
}

export interface EdgePrepared {
  readonly numNodes: number;
  /** Symmetric patterns without scales or loops, for the draws. */
  readonly plain: readonly SparseOperator[];
  readonly normalized: readonly SparseOperator[];
  /** 1/D … 1/D */
  readonly share: Tensor;
  /** δ of every node and relation in turn, n·D. */
  readonly degrees: Float32Array;
  readonly anyNode: Tensor;
  /** F [n, k] */
  readonly features?: Tensor;
  /** Columns that count in the scores as those of e do, and are not trained. */
  readonly beside?: Tensor;
}

export interface EdgeShape {
  readonly width: number;
  /** Whether there is a table; without one there must be features. */
  readonly table: boolean;
  readonly numFeatures: number;
  readonly beside: number;
}

export function initEdgeView(
  parameter: ParameterFactory,
  numNodes: number,
  numRelations: number,
  { width, table, numFeatures, beside }: EdgeShape,
): EdgeParameters {
  const columns = width + beside + 2;
  return {
    ...(table ? { table: parameter("table", numNodes, width, normal(START)) } : {}),
    ...(numFeatures === 0
      ? {}
      : { fromFeatures: parameter("from-features", numFeatures, width, normal(START / Math.sqrt(numFeatures))) }),
    decoder: parameter("decoder", numRelations, columns, (data) => {
      // products as they are; degrees and the constant count nothing yet
      for (let at = 0; at < data.length; at++) data[at] = at % columns < columns - 2 ? 1 : 0;
    }),
    offset: parameter("offset", 1, 1, zeros),
  };
}

export function prepareEdgeView(
  builder: ProgramBuilder,
  plain: readonly SparseOperator[],
  normalized: readonly SparseOperator[],
  { features, beside }: Pick<EdgePrepared, "features" | "beside">,
): EdgePrepared {
  const [{ numRows: numNodes }] = plain;
  return {
    numNodes,
    features,
    beside,
    plain,
    normalized,
    share: builder.constant(new Float32Array(plain.length).fill(1 / plain.length), 1, plain.length),
    degrees: centredDegrees(normalized),
    anyNode: aliasTable(builder, new Float64Array(numNodes).fill(1)),
  };
}

/** A cache line of single-precision numbers. */
const RELATIONS_AT_ONCE = 16;

function centredDegrees(relations: readonly SparseOperator[]): Float32Array {
  const numRelations = relations.length;
  const [{ numRows }] = relations;
  const out = new Float32Array(numRows * numRelations);
  // several relations at a time: a row of the result is written in pieces, not number by number
  for (let first = 0; first < numRelations; first += RELATIONS_AT_ONCE) {
    const centred = relations.slice(first, first + RELATIONS_AT_ONCE).map(centredLogDegrees);
    for (let i = 0; i < numRows; i++) {
      for (let k = 0; k < centred.length; k++) out[i * numRelations + first + k] = centred[k][i];
    }
  }
  return out;
}

function centredLogDegrees({ numRows, rowStart, values }: SparseOperator): Float64Array {
  const logarithms = new Float64Array(numRows);
  for (let i = 0; i < numRows; i++) {
    const [start, end] = [rowStart[i], rowStart[i + 1]];
    let degree = values === undefined ? end - start : 0;
    if (values !== undefined) for (let e = start; e < end; e++) degree += values[e];
    // with thousands of relations most nodes have no edge in most of them
    if (degree !== 0) logarithms[i] = Math.log1p(degree);
  }
  const middle = mean(logarithms);
  return logarithms.map((logarithm) => logarithm - middle);
}

/** e [n, width]. */
export function encodeEdges({ table, fromFeatures }: EdgeParameters, g: EdgePrepared, rate?: number): Tensor {
  const dropped = (tensor: Tensor, share: number, purpose: string) =>
    rate === undefined ? tensor : dropout(tensor, share, purpose);
  const mapped = (features: Tensor) => fromFeatures && matmul(features, fromFeatures);
  if (table === undefined) {
    const e = g.features && mapped(g.features);
    if (e === undefined) throw new InternalError("edge view: neither a table nor directions");
    return e;
  }
  const own = dropped(table, rate ?? 0, "table");
  const more = g.features && mapped(dropped(g.features, FEATURE_DROPOUT, "from-features"));
  const rows = more === undefined ? own : add(more, own);
  return add(spmmSum(g.normalized, g.share, rows), rows);
}

/** The columns that make the scores. */
function scored(e: Tensor, { beside }: EdgePrepared): Tensor {
  return beside === undefined ? e : concatColumns([e, beside]);
}

/** r, a and b of rows of the decoder. */
function splitDecoder(weights: Tensor): [Tensor, Tensor, Tensor] {
  const width = weights.cols - 2;
  return [sliceColumns(weights, 0, width), sliceColumns(weights, width, 1), sliceColumns(weights, width + 1, 1)];
}

/**
 * How often the entries of each relation are counted, so that relations are drawn by the root of their number of edges,
 * whatever copies these have.
 */
export function drawnCopies(relations: readonly Entries[], distinct: readonly Entries[]): number[] {
  const sizes = distinct.map(({ columns }) => columns.length);
  const largest = largestOf(sizes);
  const copies = relations.map(({ columns }, d) => columns.length / Math.max(1, sizes[d]));
  const most = largestOf(copies, 1);
  return sizes.map((size, d) => Math.round((most / Math.max(1, copies[d])) * Math.sqrt(largest / Math.max(1, size))));
}

type Entries = Pick<SparseOperator, "columns">;

const MAX_EDGES = 131_072;
/** Without a table there is little to learn: with more the scores are the same to three digits. */
const MAX_EDGES_NO_TABLE = 16_384;
const MIN_EDGES = 256;

/** Edges drawn a step: as asked for, or as many as there are, within bounds. */
export function batchOf(relations: readonly Entries[], asked: number, table: boolean): number {
  if (asked > 0) return asked;
  const numEdges = relations.reduce((sum, { columns }) => sum + columns.length / 2, 0);
  return Math.max(MIN_EDGES, Math.min(table ? MAX_EDGES : MAX_EDGES_NO_TABLE, Math.round(numEdges)));
}

/**
 * Time of a step without a table over that of one with it, at batches of the same size: 0.4 to 0.6 on block models of 20,000
 * to 400,000 edges (`node bench/run.mjs estimates --fit`).
 */
const MIN_WITHOUT_TABLE = 0.4;

/** Time of a step without a table over that of one with it, at least. */
export function shareWithoutTable(relations: readonly Entries[], asked: number): number {
  return (MIN_WITHOUT_TABLE * batchOf(relations, asked, false)) / batchOf(relations, asked, true);
}

export interface EdgeLossOptions {
  /** Edges drawn. */
  readonly batch: number;
  /** Other pairs of each kind, an edge. */
  readonly negatives: number;
  readonly dropout: number;
}

/** Mean over edges plus mean over other pairs, of both scores; 1 × 1. */
export function edgeLoss(parameters: EdgeParameters, g: EdgePrepared, o: EdgeLossOptions): Tensor {
  const { batch, negatives } = o;
  const { builder } = parameters.decoder;
  const z = scored(encodeEdges(parameters, g, o.dropout), g);
  const edge = sampleEntries(randomKey(builder, "edges"), g.plain, batch, drawnCopies(g.plain, g.normalized));
  const draw = (purpose: string, count: number) => sampleNodes(randomKey(builder, purpose), g.anyNode, batch, count);
  const degrees = builder.constant(g.degrees, g.degrees.length, 1);
  const inRelation = (nodes: Tensor) => interleaveIndex(nodes, edge.matrix, g.plain.length);
  const [r, ...ofDegrees] = splitDecoder(parameters.decoder); // [D, columns], [D, 1], [D, 1]
  const [a, b] = ofDegrees.map((weights) => gatherRows(weights, edge.matrix)); // [batch, 1]
  const places = builder.constant(
    Uint32Array.from({ length: batch }, (_, at) => at),
    batch,
    1,
    "index",
  );
  /** Of pairs with these ends: the score in the edge's relation and the one without. */
  const scores = (left: Tensor, right: Tensor): readonly Tensor[] => {
    const repeat = ones(builder, 1, right.cols);
    const ofLeft = add(multiply(a, gatherRows(degrees, inRelation(left))), b); // [batch, 1]
    const ofRight = gatherDots(a, degrees, places, inRelation(right));
    const products = pairDots(z, r, { left, relation: edge.matrix, right });
    return [
      add(add(products.weighted, ofRight), matmul(ofLeft, repeat)),
      addRow(products.plain, matmul(parameters.offset, repeat)),
    ];
  };
  const loss = (logits: readonly Tensor[], isEdge: boolean): Tensor => {
    const [{ cols }] = logits;
    const targets = builder.constant(new Float32Array(batch * cols).fill(isEdge ? 1 : 0), batch, cols);
    const [decoded, plain] = logits.map((of) => bceLogits(of, targets));
    return add(decoded, plain);
  };
  // an edge and the pairs that share its first end are read together
  const sharing = scores(edge.row, concatColumns([edge.column, draw("negatives", negatives)]));
  const columns = (first: number, count: number) => sharing.map((of) => sliceColumns(of, first, count));
  const others = add(
    loss(columns(1, negatives), false),
    loss(scores(draw("pairs.left", 1), draw("pairs.right", negatives)), false),
  );
  return add(loss(columns(0, 1), true), others, 0.5);
}

/** Columns z that the decoders of all relations multiply. */
export function edgeRelationBasis(parameters: EdgeParameters, g: EdgePrepared): Tensor {
  return scored(encodeEdges(parameters, g), g);
}

/** The decoder of a relation as vectors whose inner product is the score; `z` is what `edgeRelationBasis` gives. */
export function edgeRelationVectors(
  parameters: EdgeParameters,
  g: EdgePrepared,
  relation: number,
  z: Tensor = edgeRelationBasis(parameters, g),
): RelationVectors {
  const { builder } = parameters.decoder;
  const { numNodes, degrees } = g;
  const index = builder.constant(new Uint32Array(numNodes).fill(relation), numNodes, 1, "index");
  const [r, a, b] = splitDecoder(gatherRows(parameters.decoder, index));
  const numRelations = g.plain.length;
  const degree = builder.constant(
    Float32Array.from({ length: numNodes }, (_, i) => degrees[i * numRelations + relation]),
    numNodes,
    1,
  );
  const one = ones(builder, numNodes, 1);
  const byDegree = multiply(a, degree);
  return { source: concatColumns([multiply(z, r), add(byDegree, b), one]), target: concatColumns([z, one, byDegree]) };
}
