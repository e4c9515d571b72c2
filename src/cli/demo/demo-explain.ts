/** Explains why two people of the demo town have similar vectors, and measures how well the vectors match the groups of the town. */

import type { Embedding } from "../../core/embedding.js";
import type { Multiplex, Relation } from "../../graph/multiplex.js";
import type { Person, Town } from "../../graph/synthetic/town.js";
import { nearestNodes } from "../../tasks/neighbors/neighbors-of-node.js";

export interface Tie {
  readonly relation: string;
  /** Whether an edge connects the two people. */
  readonly direct: boolean;
  /** Number of common neighbours. */
  readonly common: number;
}

/** The relations that connect two nodes: direct edges first, then by number of common neighbours. */
export function findTies(graph: Multiplex, a: number, b: number): Tie[] {
  return graph.relations
    .map((relation) => ({ relation: relation.name, ...compareNeighbors(relation, a, b) }))
    .filter(({ direct, common }) => direct || common > 0)
    .sort((x, y) => Number(y.direct) - Number(x.direct) || y.common - x.common);
}

function compareNeighbors({ rowStart, columns }: Relation, a: number, b: number): { direct: boolean; common: number } {
  const neighborsOfA = new Set(columns.subarray(rowStart[a], rowStart[a + 1]));
  let common = 0;
  for (let k = rowStart[b]; k < rowStart[b + 1]; k++) if (neighborsOfA.has(columns[k])) common++;
  return { direct: neighborsOfA.has(b), common };
}

const WORDS: Readonly<Record<string, { direct: string; common: string }>> = {
  family: { direct: "kin", common: "relatives" },
  neighbours: { direct: "neighbours", common: "neighbours" },
  work: { direct: "colleagues", common: "colleagues" },
  societies: { direct: "same society", common: "society friends" },
  market: { direct: "trade", common: "trading partners" },
  letters: { direct: "write letters", common: "correspondents" },
};

/** The ties as text, such as `colleagues, 4 neighbours in common`. */
export function tiesInWords(ties: readonly Tie[], maxTies = 3): string {
  if (ties.length === 0) return "no edge, no common neighbour";
  const named = ties.slice(0, maxTies).map(({ relation, direct, common }) => {
    const words = WORDS[relation] ?? { direct: relation, common: `${relation} contacts` };
    return direct ? words.direct : `${common} ${common === 1 ? words.common.replace(/s$/, "") : words.common}`;
  });
  // direct ties come first, so these words belong to the counts only
  return `${named.join(", ")}${ties[named.length - 1].direct ? "" : " in common"}`;
}

const GROUPINGS = ["family", "street", "quarter", "workplace", "society"] as const;

export interface GroupAgreement {
  readonly grouping: (typeof GROUPINGS)[number];
  /** Share of the nearest people who are in the same group, from 0 to 1. */
  readonly nearest: number;
  /** Share of all pairs of people who are in the same group: the value that random vectors would give. */
  readonly chance: number;
}

/** For each grouping: how often the `count` people nearest to a person are in the person's group. */
export function measureAgreements(town: Town, embedding: Embedding, count: number): GroupAgreement[] {
  const { people } = town;
  const byName = new Map(people.map((person) => [person.name, person]));
  const near = people.map((_, i) => nearestNodes(embedding, i, count).map(({ node }) => byName.get(node)));
  return GROUPINGS.map((grouping) => {
    const same = (a: Person, b: Person | undefined) => (a[grouping] === b?.[grouping] ? 1 : 0);
    let nearest = 0;
    let chance = 0;
    people.forEach((person, i) => {
      for (const other of near[i]) nearest += same(person, other) / (count * people.length);
      for (const other of people) {
        if (other !== person) chance += same(person, other) / (people.length * (people.length - 1));
      }
    });
    return { grouping, nearest, chance };
  });
}
