/** Leading directions of graphs, and their scores in the significance test (direction-test.ts). */

import { nextTurn } from "../../../core/event-loop.js";
import { ALONE } from "../../../core/sharing.js";
import { addWork, type Stage, sparseProduct, type Work } from "../../../core/work.js";
import { scale, spmm } from "../../../engine/ops/index.js";
import type { Tensor } from "../../../engine/program.js";
import type { SparseOperator } from "../../../engine/sparse.js";
import { directionsWork, leadingDirections } from "../../../nn/leading-directions.js";
import type { PrecomputeTools } from "../../../nn/model.js";
import type { Eigenvectors } from "../../../numeric/eigen/subspace-iteration.js";
import { collapsed, type SimpleGraph } from "../weights/edge-copies.js";
import { closureScore, directionScores, regularizedAdjacency, splitInHalves } from "./direction-test.js";

/** What is known of the eigenvalues of regularised adjacencies: they lie between −1 and 1. */
const EIGENVALUES = "bounded" as const;

export interface DirectionRequest {
  /** Directions of each graph. */
  readonly count: number;
  /** Name of the random stream. */
  readonly purpose: string;
  /** Name of the stage, for progress. */
  readonly stageName: string;
  /** Smallest eigenvalues instead of the largest: neighbours have opposite signs. Default false. */
  readonly opposed?: boolean;
}

/** The leading directions of each graph; graph m is normalised by the degrees of `degreesOf[m]`. */
export async function leadGraphs(
  graphs: readonly SimpleGraph[],
  { count, purpose, stageName, opposed }: DirectionRequest,
  tools: PrecomputeTools,
  degreesOf: readonly SimpleGraph[] = graphs,
): Promise<Eigenvectors<Float32Array>[]> {
  const { sharing = ALONE } = tools;
  const matrices: SparseOperator[] = [];
  for (const [m, graph] of graphs.entries()) {
    const edges = graph.ordinary === undefined ? graph : await sharing.once(() => collapsed(graph));
    matrices.push(regularizedAdjacency(graph, degreesOf[m], edges));
  }
  const maps = matrices.map((matrix) => (x: Tensor) => (opposed ? scale(spmm(matrix, x), -1) : spmm(matrix, x)));
  return leadingDirections(
    maps,
    { numNodes: graphs[0].numRows, count, eigenvalues: EIGENVALUES, purpose, stageName },
    tools,
  );
}

/** Sizes of graphs on the same nodes. */
export interface GraphSizes {
  readonly numNodes: number;
  /** Distinct entries of each graph. */
  readonly entries: readonly number[];
  /** Entries of all graphs together, copies included. */
  readonly copies: number;
}

/** The stage of `leadGraphs`. */
export function leadStage(
  graphs: GraphSizes,
  { count, stageName }: Pick<DirectionRequest, "count" | "stageName">,
): Stage {
  return { name: stageName, work: leadWork(graphs, count) };
}

function leadWork({ numNodes, entries, copies }: GraphSizes, count: number): Work {
  const options = { numNodes, count, eigenvalues: EIGENVALUES, maps: entries.length };
  const products = (width: number) => addWork(...entries.map((count) => sparseProduct(count, numNodes, width)));
  return addWork(directionsWork(options, products), { entries: copies });
}

/** The stage of `testGraphs`: directions of one half of the edges, scores on the other half. */
export function testStage(
  graphs: GraphSizes,
  { count, stageName }: Pick<DirectionRequest, "count" | "stageName">,
): Stage {
  const { entries, copies } = graphs;
  const half = { ...graphs, entries: entries.map((count) => count / 2), copies: copies / 2 };
  const scored = entries.reduce((sum, count) => sum + count, 0) / 4;
  return {
    name: testing(stageName),
    work: addWork(leadWork(half, count), { entries: 4 * copies + 2 * scored, loops: 4 * scored * count }),
  };
}

const testing = (stageName: string) => `testing ${stageName}`;

/** The result of a test. It holds both halves and the directions of the first until it is dropped. */
export interface TestedGraph {
  /** Scores of its leading directions, in standard deviations; unless opposed, the first direction belongs to the degrees. */
  readonly scores: Float64Array;
  /** The closure score with the first `count` directions. */
  closure(count: number): Promise<number>;
}

/** Computes directions from one half of each graph and scores them on the other half. */
export async function testGraphs(
  graphs: readonly SimpleGraph[],
  request: DirectionRequest,
  tools: PrecomputeTools,
): Promise<TestedGraph[]> {
  const { purpose, opposed } = request;
  const stageName = testing(request.stageName);
  await tools.onStep?.(stageName, 0, 1); // splitting a large graph takes seconds
  await nextTurn();
  const { sharing = ALONE } = tools;
  const halves: (readonly [SimpleGraph, SimpleGraph])[] = [];
  for (const [m, graph] of graphs.entries()) {
    halves.push(await sharing.once(() => splitInHalves(graph, tools.seed, `${purpose}.halves.${m}`)));
  }
  const firsts = halves.map(([first]) => first);
  const tried = await leadGraphs(firsts, { ...request, stageName, purpose: `${purpose}.half` }, tools, graphs);
  const tested: TestedGraph[] = [];
  for (const [m, directions] of tried.entries()) {
    tested.push({
      scores: await sharing.once(() => directionScores(directions, halves[m][1], graphs[m], opposed)),
      closure: (count) => sharing.once(() => closureScore(directions, count, halves[m], graphs[m])),
    });
  }
  return tested;
}
