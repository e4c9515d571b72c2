/** Why two people of the demonstration's town are near each other, and how well the vectors match its groups. */

import type { Embedding } from "../../core/embedding.js";
import type { Multiplex, Relation } from "../../graph/multiplex.js";
import type { Person, Town } from "../../graph/synthetic/town.js";
import { nearestNodes } from "../../tasks/neighbors/neighbors-of-node.js";

export interface Tie {
  readonly relation: string;
  /** Joined by an edge. */
  readonly direct: boolean;
  /** Neighbours in common. */
  readonly common: number;
}

/** The relations that connect two nodes: direct edges first, then by number of common neighbours. */
export function ties(graph: Multiplex, a: number, b: number): Tie[] {
  return graph.relations
    .map((relation) => ({ relation: relation.name, ...sharedBy(relation, a, b) }))
    .filter(({ direct, common }) => direct || common > 0)
    .sort((x, y) => Number(y.direct) - Number(x.direct) || y.common - x.common);
}

function sharedBy({ rowStart, columns }: Relation, a: number, b: number): { direct: boolean; common: number } {
  const ofA = new Set(columns.subarray(rowStart[a], rowStart[a + 1]));
  let common = 0;
  for (let k = rowStart[b]; k < rowStart[b + 1]; k++) if (ofA.has(columns[k])) common++;
  return { direct: ofA.has(b), common };
}

const WORDS: Readonly<Record<string, { direct: string; common: string }>> = {
  family: { direct: "kin", common: "relatives" },
  neighbours: { direct: "neighbours", common: "neighbours" },
  work: { direct: "colleagues", common: "colleagues" },
  societies: { direct: "same society", common: "society friends" },
  market: { direct: "trade", common: "trading partners" },
  letters: { direct: "write letters", common: "correspondents" },
};

/** The ties in words: `colleagues, 4 common neighbours`. */
export function tieWords(found: readonly Tie[], maxTies = 3): string {
  if (found.length === 0) return "no direct tie: similar surroundings";
  return found
    .slice(0, maxTies)
    .map(({ relation, direct, common }) => {
      const words = WORDS[relation] ?? { direct: relation, common: `${relation} contacts` };
      return direct ? words.direct : `${common} common ${common === 1 ? words.common.replace(/s$/, "") : words.common}`;
    })
    .join(", ");
}

const GROUPINGS = ["family", "street", "quarter", "workplace", "society"] as const;

export interface Agreement {
  readonly grouping: (typeof GROUPINGS)[number];
  /** Share of the nearest people in the same group. */
  readonly nearest: number;
  /** The same share among all pairs: chance. */
  readonly chance: number;
}

/** How often the `count` nearest of a person belong to the same family, street, … as the person. */
export function agreements(town: Town, embedding: Embedding, count: number): Agreement[] {
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
