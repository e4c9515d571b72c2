/**
 * The significant directions of graphs, and whether they are complete: whether they explain all structure that the edges
 * show. How a direction is tested: direction-test.ts.
 */

import { ALONE } from "../../../core/sharing.js";
import type { PrecomputeTools } from "../../../nn/model.js";
import { leadingColumns, selectColumns } from "../../../numeric/columns.js";
import { largestOf } from "../../../numeric/extremes.js";
import type { Rows } from "../../../numeric/rows.js";
import { SIGNIFICANCE } from "../constants.js";
import type { SimpleGraph } from "../weights/edge-copies.js";
import { type DirectionRequest, leadGraphs, testGraphs } from "./tested-directions.js";

/** Scores of a graph all of whose directions are significant: it may have more than were computed, so it is not complete. */
const INCOMPLETE = { others: Number.POSITIVE_INFINITY, closure: Number.POSITIVE_INFINITY };

/** Directions of one graph: unit columns, largest eigenvalue first. */
export interface Found {
  /** All directions that were computed; the first belongs to the degrees. */
  readonly leading: Rows<Float32Array>;
  /** How many of the following directions are significant. */
  readonly numSignificant: number;
  /** Joint score of the directions that are not significant one by one, in standard deviations. */
  readonly others: number;
  /** Score of paths that edges close, beyond the number that the significant directions explain, in standard deviations. */
  readonly closure: number;
}

/** The leading directions of each graph: that of the degrees and at most `max` others. */
export async function findDirections(
  graphs: readonly SimpleGraph[],
  max: number,
  names: Pick<DirectionRequest, "purpose" | "stageName">,
  tools: PrecomputeTools,
): Promise<Found[]> {
  const request = { ...names, count: max + 1 };
  const verdicts = await judgeGraphs(graphs, request, tools);
  const whole = await leadGraphs(graphs, request, tools);
  return whole.map((leading, m) => ({ leading, ...verdicts[m] }));
}

/** The verdict of the test on each graph. The halves of the graphs are freed when it returns. */
async function judgeGraphs(
  graphs: readonly SimpleGraph[],
  request: DirectionRequest,
  tools: PrecomputeTools,
): Promise<Omit<Found, "leading">[]> {
  const verdicts: Omit<Found, "leading">[] = [];
  for (const tested of await testGraphs(graphs, request, tools)) {
    const scores = tested.scores.subarray(1);
    const numSignificant = countSignificant(scores);
    const further =
      numSignificant < scores.length
        ? { others: jointScore(scores), closure: await tested.closure(numSignificant + 1) }
        : INCOMPLETE;
    verdicts.push({ numSignificant, ...further });
  }
  return verdicts;
}

/** The significant opposed directions of each graph that has any, and those that stand out as much. */
export async function findOpposed(
  graphs: readonly SimpleGraph[],
  wanted: DirectionRequest,
  tools: PrecomputeTools,
): Promise<Rows<Float32Array>[]> {
  const { sharing = ALONE } = tools;
  const request = { ...wanted, opposed: true };
  const significant = (await testGraphs(graphs, request, tools)).map(({ scores }) => countSignificant(scores));
  const having = graphs.filter((_, m) => significant[m] > 0);
  if (having.length === 0) return [];
  const counts = significant.filter((count) => count > 0);
  const whole = await leadGraphs(having, request, tools);
  return sharing.once(() =>
    whole.map((directions, m) => leadingColumns(directions, countOutstanding(directions.values, counts[m]))),
  );
}

/**
 * How many eigenvalues stand out from the smallest one nearly as far as the last significant one. Half of the edges may miss one of
 * several equally strong directions: of four opposed groups, which have three directions, the test found two or three.
 */
export function countOutstanding(values: Float64Array, numSignificant: number): number {
  const above = (k: number) => values[k] - values[values.length - 1];
  let count = numSignificant;
  while (count < values.length && above(count) >= SIGNIFICANCE.minOutstanding * above(numSignificant - 1)) count++;
  return count;
}

/** How many of these scores are significant. */
export function countSignificant(scores: Float64Array): number {
  return scores.reduce((sum, score) => sum + (score > SIGNIFICANCE.minDeviations ? 1 : 0), 0);
}

/** Joint score of the directions that are not significant. Each score is limited, so that a single one cannot decide. */
function jointScore(scores: Float64Array): number {
  const others = scores
    .filter((score) => score <= SIGNIFICANCE.minDeviations)
    .map((score) => Math.max(score, -SIGNIFICANCE.minDeviations));
  return others.reduce((sum, score) => sum + score, 0) / Math.sqrt(others.length);
}

/** Whether the significant directions explain all structure of these graphs. */
export function isComplete(found: readonly Found[]): boolean {
  const closures = found.map(({ closure }) => closure);
  const together = closures.reduce((sum, closure) => sum + closure, 0) / Math.sqrt(found.length);
  return (
    found.every(({ others }) => others <= SIGNIFICANCE.minDeviations) &&
    largestOf(closures) <= SIGNIFICANCE.maxClosure &&
    together <= SIGNIFICANCE.maxClosureTogether
  );
}

/** The significant directions without that of the degrees, at most `max`. */
export function significantColumns({ leading, numSignificant }: Found, max: number): Rows<Float32Array> {
  return afterDegrees(leading, Math.min(numSignificant, max));
}

/** The directions after that of the degrees, significant or not, at most `max`. */
export function afterDegrees(leading: Rows<Float32Array>, max: number): Rows<Float32Array> {
  const count = Math.max(0, Math.min(max, leading.width - 1));
  return selectColumns(
    leading,
    Array.from({ length: count }, (_, k) => k + 1),
  );
}
