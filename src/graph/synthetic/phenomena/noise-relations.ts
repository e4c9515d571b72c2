/**
 * Two informative relations among random ones. The first two relations have half as many edges as the others, and most of their
 * edges stay within a class. The edges of the other relations are random and hide the classes in the union of the relations.
 */

import { Rng } from "../../../core/rng.js";
import { PairList } from "../pair-list.js";
import { drawEdges, drawGroups, groupsOf, shuffledNodes } from "./groups.js";
import { classNames, definePhenomenon, plantedGraph } from "./phenomenon.js";

/** Number of relations whose edges follow the classes. */
const NUM_INFORMATIVE = 2;
/** Edges of an informative relation divided by those of a random one. Not tuned. */
const INFORMATIVE_DENSITY = 0.5;

export const noiseRelations = definePhenomenon({
  name: "noise-relations",
  doc: "edges of the first two relations follow the classes; the other relations are random and twice as dense, with the given degree",
  defaults: { nodes: 800, relations: 12, classes: 5, degree: 12, strength: 0.8 },
  minRelations: NUM_INFORMATIVE,
  strengthDoc: "share of the edges of the first two relations that stay within a class",
  draw(options) {
    const { nodes, relations, classes, degree, strength, seed } = options;
    const classOf = drawGroups(nodes, classes, new Rng(seed, "noise-relations/classes")).of;
    const order = shuffledNodes(nodes, new Rng(seed, "noise-relations/order"));
    const { members } = groupsOf(classOf, classes, order);
    const edges = new PairList();
    for (let r = 0; r < relations; r++) {
      const rng = new Rng(seed, "noise-relations/edges", r);
      const informative = r < NUM_INFORMATIVE;
      const candidates = (source: number) =>
        informative && rng.uniform() < strength ? members[classOf[source]] : order;
      drawEdges(edges, r, informative ? INFORMATIVE_DENSITY * degree : degree, order, candidates, rng);
    }
    return { graph: plantedGraph(edges, options), labels: classNames(classOf) };
  },
});
