/**
 * How much of each relation the vectors still hold: the share of variance (R²) of the relation's leading spectral
 * direction that a linear function of the vectors explains. What aggregation has averaged away is near 0.
 *
 * The direction is the second eigenvector of the degree-regularised normalised adjacency
 *
 *   D_τ^(-1/2) · A · D_τ^(-1/2),  D_τ = D + τ·I,  τ = mean degree (Chaudhuri, Chung, Tsiatas, COLT 2012)
 *
 * over the nodes with an edge in the relation; the first is trivial, it follows the degrees. Without τ it would belong to
 * some small dangling piece. Edges of directed graphs count both ways. Found by the Lanczos method with full
 * reorthogonalisation (Golub, Van Loan, §10.3) from a fixed start, in double precision: the same graph, the same bits.
 *
 * Of a relation with weights the direction is found with them and without, and the one that the vectors hold more of counts.
 * A relation of pieces none of which has half of its nodes has no R²: its leading directions are those of single pieces.
 * R² is the adjusted one: as many random numbers per node as the vectors have would reach 0, not dim / n.
 */

import type { Embedding } from "../../core/embedding.js";
import type { SpectralRecovery } from "../../core/record.js";
import { Rng } from "../../core/rng.js";
import type { Work } from "../../core/work.js";
import { countComponents } from "../../graph/components.js";
import { hasWeights } from "../../graph/counted-relations.js";
import type { Multiplex, Relation } from "../../graph/multiplex.js";
import { symmetricEigen } from "../../numeric/symmetric-eigen.js";
import { dot, explainedVariance } from "./explained-variance.js";

/** Lanczos steps at most; residuals are looked at every CHECK steps. */
const MAX_STEPS = 48;
const CHECK = 16;
/** Residual ‖Âu − λu‖ at which the vector is good to two digits where the next eigenvalue is 0.1 away; Â has norm at most 1. */
const RESIDUAL = 1e-3;
/** Off-diagonal entry at which the Krylov space is exhausted. */
const EXHAUSTED = 1e-10;
/** Multiplications that all this may take: about a second or two. */
const MAX_WORK = 1.5e9;
/** Share of a relation's nodes that its largest piece must have. */
const MIN_PIECE = 0.5;
/** Rows per number of a vector that a sample must have at least. */
const MIN_ROWS = 10;

/** Multiplications for the directions of so many readings of relations. */
function directionsWork({ numNodes }: Multiplex, read: readonly Relation[]): number {
  const entries = read.reduce((sum, { columns }) => sum + columns.length, 0);
  return MAX_STEPS * (entries + read.length * numNodes * MAX_STEPS);
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
export function spectralRecovery(graph: Multiplex, embedding: Embedding): SpectralRecovery {
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

/** The relation with its weights and without them, because a model uses the one or the other. */
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

/** The leading non-trivial eigenvector; none for fewer than three nodes with edges. */
export function leadingDirection(
  relation: Relation,
  { numNodes, directed }: Pick<Multiplex, "numNodes" | "directed">,
): Direction | undefined {
  const { rowStart, columns, values } = relation;
  const ones = new Float64Array(numNodes).fill(1);
  const gathered = new Float64Array(numNodes);
  /** gathered = A·x, for directed graphs (A + Aᵀ)·x. */
  const gather = (x: Float64Array) => {
    gathered.fill(0);
    for (let i = 0; i < numNodes; i++) {
      let sum = 0;
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++)
        sum += values === undefined ? x[columns[k]] : values[k] * x[columns[k]];
      gathered[i] += sum;
      if (!directed || x[i] === 0) continue;
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++)
        gathered[columns[k]] += values === undefined ? x[i] : values[k] * x[i];
    }
  };
  gather(ones);
  const degrees = gathered.slice();
  const nodes = Uint32Array.from({ length: numNodes }, (_, i) => i).filter((i) => degrees[i] > 0);
  if (nodes.length < 3) return undefined;
  const tau = degrees.reduce((sum, degree) => sum + degree, 0) / nodes.length;
  const scale = degrees.map((degree) => (degree > 0 ? 1 / Math.sqrt(degree + tau) : 0));
  const spread = new Float64Array(numNodes);
  const multiply = (x: Float64Array): Float64Array => {
    for (let k = 0; k < nodes.length; k++) spread[nodes[k]] = x[k] * scale[nodes[k]];
    gather(spread);
    const product = new Float64Array(nodes.length);
    for (let k = 0; k < nodes.length; k++) product[k] = gathered[nodes[k]] * scale[nodes[k]];
    return product;
  };
  const second = secondEigenvector(multiply, nodes.length);
  return second === undefined ? undefined : { nodes, ...second };
}

/** Second largest eigenvalue of a symmetric operator, and its vector. */
function secondEigenvector(
  multiply: (x: Float64Array) => Float64Array,
  size: number,
): { direction: Float64Array; eigenvalue: number } | undefined {
  const rng = new Rng(1, "spectral recovery");
  const basis: Float64Array[] = [normalized(Float64Array.from({ length: size }, () => rng.normal()))];
  const diagonal: number[] = [];
  const beside: number[] = [];
  for (;;) {
    const last = basis[basis.length - 1];
    const next = multiply(last);
    diagonal.push(dot(last, next));
    for (const column of basis) subtract(next, dot(column, next), column);
    const length = Math.sqrt(dot(next, next));
    const steps = diagonal.length;
    const ends = length < EXHAUSTED || steps === Math.min(MAX_STEPS, size);
    if (ends || steps % CHECK === 0) {
      const { values, vectors } = symmetricEigen(tridiagonal(diagonal, beside), steps);
      if (steps < 2) return undefined;
      if (ends || length * Math.abs(vectors[1][steps - 1]) < RESIDUAL) {
        const direction = new Float64Array(size);
        vectors[1].forEach((weight, k) => {
          subtract(direction, -weight, basis[k]);
        });
        return { direction, eigenvalue: values[1] };
      }
    }
    beside.push(length);
    basis.push(normalized(next));
  }
}

function tridiagonal(diagonal: readonly number[], beside: readonly number[]): Float64Array {
  const size = diagonal.length;
  const matrix = new Float64Array(size * size);
  diagonal.forEach((value, k) => {
    matrix[k * size + k] = value;
    if (k > 0) matrix[k * size + k - 1] = matrix[(k - 1) * size + k] = beside[k - 1];
  });
  return matrix;
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

function normalized(x: Float64Array): Float64Array {
  const length = Math.sqrt(dot(x, x));
  return x.map((value) => value / length);
}

function subtract(x: Float64Array, factor: number, y: Float64Array): void {
  for (let i = 0; i < x.length; i++) x[i] -= factor * y[i];
}
