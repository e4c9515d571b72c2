/** Leading directions of graphs, and how far above noise they stand: found on half of the edges, tested on the other half. */

import { nextTurn } from "../../../core/event-loop.js";
import { addWork, type Stage, sparseProduct, type Work } from "../../../core/work.js";
import { scale, spmm } from "../../../engine/ops/index.js";
import type { Tensor } from "../../../engine/program.js";
import type { PrecomputeTools } from "../../../nn/model.js";
import { closureScore, directionScores, regularizedAdjacency, splitInHalves } from "./direction-test.js";
import type { SimpleGraph } from "../weights/edge-copies.js";
import { type Directions, directionsWork, leadingDirections } from "./leading-directions.js";

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

/** Sizes of graphs on the same nodes. */
export interface GraphSizes {
  readonly numNodes: number;
  /** Distinct entries of each graph. */
  readonly entries: readonly number[];
  /** Entries with all their copies, of all graphs together. */
  readonly copies: number;
}

/** The stage of `leadGraphs`. */
export function leadStage(graphs: GraphSizes, { count, what }: Pick<DirectionRequest, "count" | "what">): Stage {
  return { name: what, work: leadWork(graphs, count) };
}

function leadWork({ numNodes, entries, copies }: GraphSizes, count: number): Work {
  const options = { numNodes, count, shift: SHIFT, maps: entries.length };
  const products = (width: number) => addWork(...entries.map((own) => sparseProduct(own, numNodes, width)));
  return addWork(directionsWork(options, products), { entries: copies });
}

/** The stage of `testGraphs`: half of the edges are read, the edges of the other half are scored. */
export function testStage(graphs: GraphSizes, { count, what }: Pick<DirectionRequest, "count" | "what">): Stage {
  const { entries, copies } = graphs;
  const half = { ...graphs, entries: entries.map((own) => own / 2), copies: copies / 2 };
  const scored = entries.reduce((sum, own) => sum + own, 0) / 4;
  return {
    name: testing(what),
    work: addWork(leadWork(half, count), { entries: 4 * copies + 2 * scored, loops: 4 * scored * count }),
  };
}

const testing = (what: string) => `testing ${what}`;

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
  const what = testing(request.what);
  await tools.onStep?.(what, 0, 1); // halves of large graphs take seconds
  await nextTurn();
  const halves = graphs.map((graph, m) => splitInHalves(graph, tools.seed, `${purpose}.halves.${m}`));
  const firsts = halves.map(([first]) => first);
  const tried = await leadGraphs(firsts, { ...request, what, purpose: `${purpose}.half` }, tools, graphs);
  return tried.map((directions, m) => ({
    scores: directionScores(directions, halves[m][1], graphs[m], opposed),
    closure: (count) => closureScore(directions, count, halves[m], graphs[m]),
  }));
}
