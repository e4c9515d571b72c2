/**
 * Decides, without labels, in which relations edge weights are used. The leading directions of a relation are computed from
 * one half of its edges twice, with weights and without, and tested on the other half (significance/direction-test.ts). The
 * version with the larger sum of squared significant scores is used. Weights that are unrelated to the
 * structure lower the scores: they act like a smaller number of edges.
 */

import { firstNames } from "../../../core/text.js";
import type { Stage } from "../../../core/work.js";
import type { PrecomputeTools } from "../../../nn/model.js";
import { SIGNIFICANCE, WEIGHTS } from "../constants.js";
import { type GraphSizes, testGraphs, testStage } from "../significance/tested-directions.js";
import type { SimpleGraph } from "./edge-copies.js";

/** Relations that a finding names. */
const MAX_NAMES = 4;
/** Name of the stage. */
const STAGE_NAME = "whether edge weights matter";

/** The relations in two versions. */
export interface Versions {
  readonly unweighted: readonly SimpleGraph[];
  /** Edges with copies by weight; the same object as in `unweighted` if the relation has no weights. */
  readonly counted: readonly SimpleGraph[];
}

/** The stages of `usefulWeights`; `entries` are those of the relations with weights, `copies` those of an edge of median weight. */
export function weightsStages(
  { numNodes, entries }: Pick<GraphSizes, "numNodes" | "entries">,
  copies: number,
): Stage[] {
  const stages: Stage[] = [];
  for (let first = 0; first < entries.length; first += WEIGHTS.atOnce) {
    const some = entries.slice(first, first + WEIGHTS.atOnce);
    const all = some.reduce((sum, count) => sum + count, 0);
    for (const times of [1, copies]) {
      stages.push(
        testStage(
          { numNodes, entries: some, copies: times * all },
          { count: WEIGHTS.tried + 1, stageName: STAGE_NAME },
        ),
      );
    }
  }
  return stages;
}

/**
 * 1 for each relation whose weights are used. If neither version has a significant direction, they are used, because the
 * user provided them. `choices` has auto, on or off for each relation; only relations with auto are tested.
 */
export async function usefulWeights(
  { unweighted, counted }: Versions,
  tools: PrecomputeTools,
  choices: readonly string[] = unweighted.map(() => "auto"),
): Promise<Uint32Array> {
  const hasCopies = counted.map((graph, d) => graph !== unweighted[d]);
  const used = Uint32Array.from(hasCopies, (has, d) => (has && choices[d] !== "off" ? 1 : 0));
  const tested = hasCopies.flatMap((has, d) => (has && choices[d] === "auto" ? [d] : []));
  for (let first = 0; first < tested.length; first += WEIGHTS.atOnce) {
    const some = tested.slice(first, first + WEIGHTS.atOnce);
    const request = { count: WEIGHTS.tried + 1, purpose: `weights.${first}`, stageName: STAGE_NAME };
    const strengths = async (graphs: readonly SimpleGraph[]) => {
      const chosen = some.map((d) => graphs[d]);
      return (await testGraphs(chosen, request, tools)).map(({ scores }) => strengthOf(scores));
    };
    const [withoutWeights, withWeights] = [await strengths(unweighted), await strengths(counted)];
    some.forEach((d, k) => {
      if (withWeights[k] < withoutWeights[k]) used[d] = 0;
    });
  }
  return used;
}

/**
 * Findings for the user: in which relations edge weights are used. `names` holds undefined for relations without weights,
 * `used` the result of `usefulWeights`, `forced` 1 for relations whose use of weights the user decided.
 */
export function weightsInWords(
  names: readonly (string | undefined)[],
  used: ArrayLike<number>,
  forced?: ArrayLike<number>,
): string[] {
  const relations = names.flatMap((name, d) =>
    name === undefined ? [] : [{ name, used: used[d] === 1, forced: forced?.[d] === 1 }],
  );
  const namesOf = (isUsed: boolean, isForced: boolean) =>
    relations.filter((relation) => relation.used === isUsed && relation.forced === isForced).map(({ name }) => name);
  return [
    ...forcedInWords(namesOf(true, true), "used"),
    ...forcedInWords(namesOf(false, true), "not used"),
    ...testedInWords(namesOf(true, false), namesOf(false, false)),
  ];
}

function forcedInWords(names: readonly string[], use: string): string[] {
  return names.length === 0
    ? []
    : [`edge weights are ${use} in ${firstNames(names, MAX_NAMES)}, as the option weights asks`];
}

function testedInWords(used: readonly string[], unused: readonly string[]): string[] {
  if (used.length === 0 && unused.length === 0) return [];
  if (used.length === 0) return ["edge weights are not used: edges alone show more structure"];
  if (unused.length === 0) return ["edge weights are used: they show at least as much structure as edges alone"];
  return [
    `edge weights are used in ${firstNames(used, MAX_NAMES)}; edges alone show more structure in ${firstNames(unused, MAX_NAMES)}`,
  ];
}

/** Sum of the squared significant scores, without the direction of the degrees. */
function strengthOf(scores: Float64Array): number {
  return scores.subarray(1).reduce((sum, score) => sum + (score > SIGNIFICANCE.minDeviations ? score ** 2 : 0), 0);
}
