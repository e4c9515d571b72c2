/** Which pairs may be edges of a relation, by the kinds of their nodes. */

import type { Multiplex } from "../../graph/multiplex.js";
import { NO_KIND } from "../../graph/node-kinds.js";

/** A test whether a pair of an undirected graph has its ends in the other order than the source and target columns of the relation. */
export function isReversed({ kinds, directed }: Multiplex, relation: number): (a: number, b: number) => boolean {
  const source = kinds?.sources?.[relation] ?? NO_KIND;
  if (kinds === undefined || directed || source === NO_KIND) return () => false;
  const [first, second] = kinds.ends[relation];
  const target = first === source ? second : first;
  if (source === target) return () => false;
  return (a, b) => kinds.of[a] === target || kinds.of[b] === source;
}

/** The number of pairs that fit the kinds of a relation, edges included; in an undirected graph each pair counts once. */
export function countFittingPairs({ kinds, directed, numNodes }: Multiplex, relation: number): number {
  const [first, second] = kinds?.ends[relation] ?? [NO_KIND, NO_KIND];
  const ordered = (pairs: number) => (directed ? pairs : pairs / 2);
  if (kinds === undefined || first === NO_KIND) return ordered(numNodes * (numNodes - 1));
  const count = (kind: number) => kinds.of.reduce((sum, of) => sum + (of === kind ? 1 : 0), 0);
  const [a, b, any] = [first, second, NO_KIND].map(count);
  if (first === second) return ordered((a + any) * (a + any - 1));
  const across = (a + any) * (b + any) - any; // a node is no pair with itself
  // two nodes of any kind fit in both orders
  return directed ? across : across - (any * (any - 1)) / 2;
}

/** A test whether two nodes have the kinds that a relation joins; a node without edges may have any kind. */
export function kindsFit({ kinds, directed }: Multiplex, relation: number): (a: number, b: number) => boolean {
  if (kinds === undefined) return () => true;
  const [first, second] = kinds.ends[relation];
  if (first === NO_KIND) return () => true;
  const fits = (node: number, kind: number) => kinds.of[node] === NO_KIND || kinds.of[node] === kind;
  return (a, b) => (fits(a, first) && fits(b, second)) || (!directed && fits(b, first) && fits(a, second));
}
