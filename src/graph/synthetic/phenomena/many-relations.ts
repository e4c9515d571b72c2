/**
 * Every relation shows one part of the label: it divides the classes into two halves, and most of its edges stay within a half.
 * Each node is on the wrong side of some relations, independently. Two classes differ in about half of the relations, so all
 * relations together determine the class and a single relation does not.
 */

import { Rng } from "../../../core/rng.js";
import { PairList } from "../pair-list.js";
import { drawEdges, drawGroups, groupsOf, shuffledNodes } from "./groups.js";
import { classNames, definePhenomenon, plantedGraph } from "./phenomenon.js";

/** Probability that a node is on the side of a relation that its class is not on. Not tuned. */
const WRONG_SIDE = 0.15;

export const manyRelations = definePhenomenon({
  name: "many-relations",
  doc: "each relation divides the classes into two halves; only all relations together determine the label",
  defaults: { nodes: 800, relations: 20, classes: 8, degree: 8, strength: 0.8 },
  minRelations: 2,
  strengthDoc: "share of the edges that stay within a half",
  draw(options) {
    const { nodes, relations, classes, degree, strength, seed } = options;
    const classOf = drawGroups(nodes, classes, new Rng(seed, "many-relations/classes")).of;
    const order = shuffledNodes(nodes, new Rng(seed, "many-relations/order"));
    const edges = new PairList();
    for (let r = 0; r < relations; r++) {
      const halfOf = drawGroups(classes, 2, new Rng(seed, "many-relations/halves", r)).of;
      const rng = new Rng(seed, "many-relations/edges", r);
      const sideOf = classOf.map((c) => halfOf[c] ^ Number(rng.uniform() < WRONG_SIDE));
      const { members } = groupsOf(sideOf, 2, order);
      const candidates = (source: number) => (rng.uniform() < strength ? members[sideOf[source]] : order);
      drawEdges(edges, r, degree, order, candidates, rng);
    }
    return { graph: plantedGraph(edges, options), labels: classNames(classOf) };
  },
});
