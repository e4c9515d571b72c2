/** Which pairs may be edges of a relation, by the kinds of their nodes. */

import type { Multiplex } from "../../graph/multiplex.js";
import { NO_KIND } from "../../graph/node-kinds.js";

/** A test whether two nodes have the kinds that a relation joins; a node without edges may have any kind. */
export function kindsFit({ kinds, directed }: Multiplex, relation: number): (a: number, b: number) => boolean {
  if (kinds === undefined) return () => true;
  const [first, second] = kinds.ends[relation];
  if (first === NO_KIND) return () => true;
  const fits = (node: number, kind: number) => kinds.of[node] === NO_KIND || kinds.of[node] === kind;
  return (a, b) => (fits(a, first) && fits(b, second)) || (!directed && fits(b, first) && fits(a, second));
}
