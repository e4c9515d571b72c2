/** Leading directions of graphs, and how far above noise they stand: found on half of the edges, tested on the other half. */

import { scale, spmm } from "../engine/ops/index.js";
import type { Tensor } from "../engine/program.js";
import { closureScore, directionScores, regularizedAdjacency, splitInHalves } from "./direction-test.js";
import type { SimpleGraph } from "./edge-copies.js";
import { type Directions, leadingDirections } from "./leading-directions.js";
import type { PrecomputeTools } from "./model.js";

const SHIFT = 0.5;

export interface DirectionRequest {
  /** Directions of each graph. */
  readonly count: number;
  /** Names the random numbers. */
  readonly purpose: string;
  /** For those who watch. */
  readonly what: string;
  /** Of the smallest values instead of the largest: along these directions neighbours differ. Default false. */
  readonly opposed?: boolean;
}

/** The leading directions of each graph, normalised by the degrees of the graph at its place in `degreesOf`. */
export function leadGraphs(
  graphs: readonly SimpleGraph[],
  { count, purpose, what, opposed }: DirectionRequest,
  tools: PrecomputeTools,
  degreesOf: readonly SimpleGraph[] = graphs,
): Promise<Directions[]> {
  const matrices = graphs.map((graph, m) => regularizedAdjacency(graph, degreesOf[m]));
  const maps = matrices.map((matrix) => (x: Tensor) => (opposed ? scale(spmm(matrix, x), -1) : spmm(matrix, x)));
  return leadingDirections(maps, { numNodes: graphs[0].numRows, count, shift: SHIFT, purpose, what }, tools);
}

export interface TestedGraph {
  /** How far its leading directions stand above noise, in deviations; unless opposed, the first is that of the degrees. */
  readonly scores: Float64Array;
  /** The same of closed paths beyond the first `count` directions. */
  closure(count: number): number;
}

export async function testGraphs(
  graphs: readonly SimpleGraph[],
  request: DirectionRequest,
  tools: PrecomputeTools,
): Promise<TestedGraph[]> {
  const { purpose, opposed } = request;
  const halves = graphs.map((graph, m) => splitInHalves(graph, tools.seed, `${purpose}.halves.${m}`));
  const firsts = halves.map(([first]) => first);
  const tried = await leadGraphs(firsts, { ...request, purpose: `${purpose}.half` }, tools, graphs);
  return tried.map((directions, m) => ({
    scores: directionScores(directions, halves[m][1], graphs[m], opposed),
    closure: (count) => closureScore(directions, count, halves[m], graphs[m]),
  }));
}
