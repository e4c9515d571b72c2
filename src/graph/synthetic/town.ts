/**
 * Saltmere, an invented harbour town: the multiplex of the demonstration.
 *
 * Its people belong to four overlapping groupings: families, streets of a quarter, workplaces, societies. Five of the six
 * relations follow one of them each, with some random edges; `letters` is mostly random. Most people work and live in the
 * quarter of their family, so the relations agree in part, and several of them are needed to place a person.
 */

import { Rng } from "../../core/rng.js";
import type { Multiplex } from "../multiplex.js";
import { multiplexFromEdges } from "../multiplex-from-edges.js";
import { FAMILY_NAMES, FIRST_NAMES, QUARTERS, SOCIETIES } from "./town-names.js";

export interface Person {
  /** First and family name; unique. */
  readonly name: string;
  readonly family: string;
  readonly quarter: string;
  readonly street: string;
  readonly house: number;
  /** Where the person spends the day. */
  readonly workplace: string;
  readonly society: string;
}

export interface TownEdge {
  readonly relation: string;
  readonly source: string;
  readonly target: string;
  /** Letters in a year; 1 in the other relations. */
  readonly weight: number;
}

export interface Town {
  readonly name: string;
  /** In the order of the graph's nodes. */
  readonly people: readonly Person[];
  readonly edges: readonly TownEdge[];
  readonly graph: Multiplex;
}

/** A household has 2 to 2 + HOUSEHOLD_SIZES − 1 people. */
const HOUSEHOLD_SIZES = 4;
const HOUSEHOLDS_PER_FAMILY = 3;
/** Share of people whose household, work and street keep to the quarter of their family. */
const LOYALTY = 0.85;
/** Probability that two people with the same workplace are joined. */
const COLLEAGUES = 0.6;
/** Probability that two members of a society are joined. */
const SOCIETY_TIES = 0.15;
const LETTERS_PER_PERSON = 1.5;
/** Share of the letters that go to a member of the same society; the others go to anyone. */
const LETTERS_TO_FRIENDS = 0.3;
const MAX_LETTERS = 12;

/** Draws the town; equal seeds give equal towns. */
export function generateTown(seed: number): Town {
  const people = settle(new Rng(seed, "town/people"));
  const edges = new EdgeSet(people);
  connectFamilies(people, edges, new Rng(seed, "town/family"));
  connectNeighbours(people, edges);
  connectGroups(people, edges, "work", "workplace", COLLEAGUES, new Rng(seed, "town/work"));
  connectGroups(people, edges, "societies", "society", SOCIETY_TIES, new Rng(seed, "town/societies"));
  connectMarket(people, edges, new Rng(seed, "town/market"));
  writeLetters(people, edges, new Rng(seed, "town/letters"));
  const graph = multiplexFromEdges(
    {
      source: edges.list.map(({ source }) => source),
      target: edges.list.map(({ target }) => target),
      relation: edges.list.map(({ relation }) => relation),
      weight: edges.list.map(({ weight }) => weight),
    },
    { nodes: people.map(({ name }) => name) },
  );
  const byName = new Map(people.map((person) => [person.name, person]));
  return { name: "Saltmere", people: graph.ids.map((id) => byName.get(id) as Person), edges: edges.list, graph };
}

function pick<T>(items: readonly T[], rng: Rng): T {
  return items[rng.below(items.length)];
}

/** Families of several households; each household has a house, each person work and a society. */
function settle(rng: Rng): Person[] {
  const people: Person[] = [];
  const housesOf = new Map<string, number>();
  FAMILY_NAMES.forEach((family, f) => {
    const home = QUARTERS[f % QUARTERS.length];
    const firstNames = shuffled(FIRST_NAMES, rng);
    for (let household = 0; household < HOUSEHOLDS_PER_FAMILY; household++) {
      const quarter = rng.uniform() < LOYALTY ? home : pick(QUARTERS, rng);
      const street = pick(quarter.streets, rng);
      const house = (housesOf.get(street) ?? 0) + 1;
      housesOf.set(street, house);
      const size = 2 + rng.below(HOUSEHOLD_SIZES);
      for (let i = 0; i < size; i++) {
        const near = rng.uniform() < LOYALTY ? quarter : pick(QUARTERS, rng);
        people.push({
          name: `${firstNames.pop()} ${family}`,
          family,
          quarter: quarter.name,
          street,
          house,
          workplace: pick(near.workplaces, rng),
          society: rng.uniform() < LOYALTY / 2 ? near.society : pick(SOCIETIES, rng),
        });
      }
    }
  });
  return people;
}

function shuffled<T>(items: readonly T[], rng: Rng): T[] {
  const order = new Uint32Array(items.length);
  rng.permutation(order);
  return Array.from(order, (i) => items[i]);
}

/** Joins all members of a household, and a third of the pairs of cousins in different households. */
function connectFamilies(people: readonly Person[], edges: EdgeSet, rng: Rng): void {
  for (const group of groupBy(people, ({ family }) => family)) {
    forPairs(group, (a, b) => {
      const together = people[a].street === people[b].street && people[a].house === people[b].house;
      if (rng.uniform() < 1 / 3 || together) edges.add("family", a, b);
    });
  }
}

/** Joins everyone with the people of the same house and of the houses on either side. */
function connectNeighbours(people: readonly Person[], edges: EdgeSet): void {
  for (const group of groupBy(people, ({ street }) => street)) {
    forPairs(group, (a, b) => {
      if (Math.abs(people[a].house - people[b].house) <= 1) edges.add("neighbours", a, b);
    });
  }
}

function connectGroups(
  people: readonly Person[],
  edges: EdgeSet,
  relation: string,
  key: "workplace" | "society",
  probability: number,
  rng: Rng,
): void {
  for (const group of groupBy(people, (person) => person[key])) {
    forPairs(group, (a, b) => {
      if (rng.uniform() < probability) edges.add(relation, a, b);
    });
  }
}

/** Each household buys from two sellers of its quarter and from one anywhere. */
function connectMarket(people: readonly Person[], edges: EdgeSet, rng: Rng): void {
  const shops = new Set(QUARTERS.flatMap(({ workplaces, shops: count }) => workplaces.slice(0, count)));
  const sellers = people.flatMap(({ workplace }, i) => (shops.has(workplace) ? [i] : []));
  const shopQuarter = new Map(QUARTERS.flatMap((q) => q.workplaces.map((workplace) => [workplace, q.name])));
  for (const household of groupBy(people, ({ street, house }) => `${street} ${house}`)) {
    const nearby = sellers.filter((i) => shopQuarter.get(people[i].workplace) === people[household[0]].quarter);
    for (const choices of [nearby, nearby, sellers]) {
      if (choices.length > 0) edges.add("market", pick(household, rng), pick(choices, rng));
    }
  }
}

function writeLetters(people: readonly Person[], edges: EdgeSet, rng: Rng): void {
  const societies = new Map(
    groupBy(people, ({ society }) => society).map((group) => [people[group[0]].society, group]),
  );
  const everyone = people.map((_, i) => i);
  for (let letter = 0; letter < LETTERS_PER_PERSON * people.length; letter++) {
    const writer = rng.below(people.length);
    const friends = societies.get(people[writer].society) ?? everyone;
    const reader = pick(rng.uniform() < LETTERS_TO_FRIENDS ? friends : everyone, rng);
    edges.add("letters", writer, reader, 1 + rng.below(MAX_LETTERS));
  }
}

/** Indices of the people of each group, groups in the order of their first member. */
function groupBy(people: readonly Person[], key: (person: Person) => string): number[][] {
  const groups = new Map<string, number[]>();
  people.forEach((person, i) => {
    const group = groups.get(key(person));
    if (group === undefined) groups.set(key(person), [i]);
    else group.push(i);
  });
  return [...groups.values()];
}

function forPairs(group: readonly number[], visit: (a: number, b: number) => void): void {
  for (let i = 0; i < group.length; i++) for (let j = i + 1; j < group.length; j++) visit(group[i], group[j]);
}

/** Collects edges: each pair once per relation, without self-loops. */
class EdgeSet {
  readonly list: TownEdge[] = [];
  readonly #seen = new Set<string>();
  readonly #people: readonly Person[];

  constructor(people: readonly Person[]) {
    this.#people = people;
  }

  add(relation: string, a: number, b: number, weight = 1): void {
    const key = `${relation} ${Math.min(a, b)} ${Math.max(a, b)}`;
    if (a === b || this.#seen.has(key)) return;
    this.#seen.add(key);
    this.list.push({ relation, source: this.#people[a].name, target: this.#people[b].name, weight });
  }
}
