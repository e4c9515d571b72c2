/**
 * Whether the weights of a relation's edges tell something, without labels: its leading directions are found with weights
 * and without, on half of the edges, and the reading counts whose directions stand further above noise on the other half.
 * Weights that have nothing to do with the structure make fewer edges of the same number, and lower scores.
 */

import { firstNames } from "../../../core/text.js";
import type { Stage } from "../../../core/work.js";
import type { PrecomputeTools } from "../../../nn/model.js";
import { MIN_DEVIATIONS } from "../significance/direction-test.js";
import type { SimpleGraph } from "./edge-copies.js";
import { type GraphSizes, testGraphs, testStage } from "../significance/tested-directions.js";

/** Directions that are tried, beside that of the degrees. */
const TRIED = 8;
/** Relations whose directions are looked for at the same time, which all stand in memory. */
const AT_ONCE = 16;
const MAX_NAMES = 4;
const WHAT = "whether edge weights matter";

export interface Readings {
  readonly without: readonly SimpleGraph[];
  /** Edges repeated by weight; the same graphs where there is nothing to repeat. */
  readonly counted: readonly SimpleGraph[];
}

/** The stages of `weightsThatTell`, of the relations that have weights; `copies` is how often an edge stands there. */
export function weightsStages(
  { numNodes, entries }: Pick<GraphSizes, "numNodes" | "entries">,
  copies: number,
): Stage[] {
  const stages: Stage[] = [];
  for (let first = 0; first < entries.length; first += AT_ONCE) {
    const some = entries.slice(first, first + AT_ONCE);
    const all = some.reduce((sum, own) => sum + own, 0);
    for (const times of [1, copies]) {
      stages.push(testStage({ numNodes, entries: some, copies: times * all }, { count: TRIED + 1, what: WHAT }));
    }
  }
  return stages;
}

/**
 * 1 for each relation whose weights shall count: also where neither reading shows anything, since someone gave them. `choices` has
 * auto, on or off for each relation; those other than auto are not tested.
 */
export async function weightsThatTell(
  { without, counted }: Readings,
  tools: PrecomputeTools,
  choices: readonly string[] = without.map(() => "auto"),
): Promise<Uint32Array> {
  const has = counted.map((own, d) => own !== without[d]);
  const tell = Uint32Array.from(has, (own, d) => (own && choices[d] !== "off" ? 1 : 0));
  const weighted = has.flatMap((own, d) => (own && choices[d] === "auto" ? [d] : []));
  for (let first = 0; first < weighted.length; first += AT_ONCE) {
    const some = weighted.slice(first, first + AT_ONCE);
    const request = { count: TRIED + 1, purpose: `weights.${first}`, what: WHAT };
    const strengths = async (graphs: readonly SimpleGraph[]) => {
      const own = some.map((d) => graphs[d]);
      return (await testGraphs(own, request, tools)).map(({ scores }) => strengthOf(scores));
    };
    const [edgesAlone, withWeights] = [await strengths(without), await strengths(counted)];
    some.forEach((d, k) => {
      if (withWeights[k] < edgesAlone[k]) tell[d] = 0;
    });
  }
  return tell;
}

/**
 * What was decided about the relations that have weights; of the others `names` has none. `forced` is 1 where the user decided.
 */
export function weightsInWords(
  names: readonly (string | undefined)[],
  tell: ArrayLike<number>,
  forced?: ArrayLike<number>,
): string[] {
  const [used, unused] = [1, 0].map((own) =>
    names.flatMap((name, d) => (name !== undefined && forced?.[d] === 1 && tell[d] === own ? [name] : [])),
  );
  const asked = [
    ...(used.length > 0 ? [`edge weights are used in ${firstNames(used, MAX_NAMES)}, as the option weights asks`] : []),
    ...(unused.length > 0
      ? [`edge weights are not used in ${firstNames(unused, MAX_NAMES)}, as the option weights asks`]
      : []),
  ];
  return [
    ...asked,
    ...foundInWords(
      names.map((name, d) => (forced?.[d] === 1 ? undefined : name)),
      tell,
    ),
  ];
}

function foundInWords(names: readonly (string | undefined)[], tell: ArrayLike<number>): string[] {
  const [count, rest] = [1, 0].map((own) =>
    names.flatMap((name, d) => (name !== undefined && tell[d] === own ? [name] : [])),
  );
  if (count.length === 0 && rest.length === 0) return [];
  if (count.length === 0) return ["weights of edges do not count: edges alone tell as much or more"];
  if (rest.length === 0) return ["weights of edges count: edges alone tell no more"];
  return [
    `weights of edges count in ${firstNames(count, MAX_NAMES)}; edges alone tell as much or more in ${firstNames(rest, MAX_NAMES)}`,
  ];
}

/** Sum of the squares of scores above noise. */
function strengthOf(scores: Float64Array): number {
  return scores.subarray(1).reduce((sum, score) => sum + (score > MIN_DEVIATIONS ? score ** 2 : 0), 0);
}
