/** Leading directions of graphs, and how far above noise they stand: found on half of the edges, tested on the other half. */

import { scale, spmm } from "../engine/ops/index.js";
import type { Tensor } from "../engine/program.js";
import { directionScores, regularizedAdjacency, splitInHalves } from "./direction-test.js";
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

/** Of each graph how far its leading directions stand above noise, in deviations; unless opposed, the first is that of the degrees. */
export async function testGraphs(
  graphs: readonly SimpleGraph[],
  request: DirectionRequest,
  tools: PrecomputeTools,
): Promise<Float64Array[]> {
  const { purpose, opposed } = request;
  const halves = graphs.map((graph, m) => splitInHalves(graph, tools.seed, `${purpose}.halves.${m}`));
  const firsts = halves.map(([first]) => first);
  const tried = await leadGraphs(firsts, { ...request, purpose: `${purpose}.half` }, tools, graphs);
  return tried.map((directions, m) => directionScores(directions, halves[m][1], graphs[m], opposed));
}
