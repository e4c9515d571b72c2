/** Most edges join nodes of different classes: neighbours have unlike labels, and averages over neighbours mislead. */

import { Rng } from "../../../core/rng.js";
import { PairList } from "../pair-list.js";
import { drawEdges, drawGroups, groupsOf, shuffledNodes } from "./groups.js";
import { classNames, definePhenomenon, plantedGraph } from "./phenomenon.js";

export const opposedGroups = definePhenomenon({
  name: "opposed-groups",
  doc: "most edges join nodes of different classes",
  defaults: { nodes: 1000, relations: 3, classes: 3, degree: 14, strength: 0.9 },
  strengthDoc: "share of the edges whose target is drawn from another class; other targets are drawn from all nodes",
  draw(options) {
    const { nodes, relations, classes, degree, strength, seed } = options;
    const classOf = drawGroups(nodes, classes, new Rng(seed, "opposed-groups/classes")).of;
    const order = shuffledNodes(nodes, new Rng(seed, "opposed-groups/order"));
    const { members } = groupsOf(classOf, classes, order);
    const edges = new PairList();
    for (let r = 0; r < relations; r++) {
      const rng = new Rng(seed, "opposed-groups/edges", r);
      const candidates = (source: number) =>
        rng.uniform() < strength ? members[(classOf[source] + 1 + rng.below(classes - 1)) % classes] : order;
      drawEdges(edges, r, degree, order, candidates, rng);
    }
    return { graph: plantedGraph(edges, options), labels: classNames(classOf) };
  },
});
