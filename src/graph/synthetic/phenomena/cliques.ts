/**
 * Every relation is a union of disjoint cliques, like films that share an actor. The label follows the cliques of the first
 * relation; the cliques of the other relations are independent of it. All relations together have more cliques than a short
 * vector has columns. With a degree of 8 and four relations links are hard to decode too: there are about 400 cliques, and
 * whether two nodes are joined depends on the relation.
 */

import { Rng } from "../../../core/rng.js";
import { PairList } from "../pair-list.js";
import { shuffledNodes } from "./groups.js";
import { classNames, definePhenomenon, plantedGraph } from "./phenomenon.js";

export const cliques = definePhenomenon({
  name: "cliques",
  doc: "relations are unions of disjoint cliques; labels follow the cliques of the first relation only. For links that are hard to predict: --degree 8 --relations 4",
  defaults: { nodes: 900, relations: 3, classes: 4, degree: 28, strength: 1 },
  strengthDoc: "share of the nodes that have the label of their clique; the others have a random label",
  draw(options) {
    const { nodes, relations, classes, degree, strength, seed } = options;
    const edges = new PairList();
    const classOf = new Uint32Array(nodes);
    const rng = new Rng(seed, "cliques/labels");
    for (let r = 0; r < relations; r++) {
      drawCliques(nodes, degree, new Rng(seed, "cliques/members", r)).forEach((clique, c) => {
        clique.forEach((node, at) => {
          for (let other = 0; other < at; other++) edges.push(clique[other], node, r);
          if (r === 0) classOf[node] = rng.uniform() < strength ? c % classes : rng.below(classes);
        });
      });
    }
    return { graph: plantedGraph(edges, options), labels: classNames(classOf) };
  },
});

/**
 * Divides the nodes at random into cliques. Sizes are uniform from a half to one and a half of their mean, which gives the mean
 * degree asked for: a node of a clique of size s has the degree s − 1, and E[s²] / E[s] = 13/12 · E[s].
 */
function drawCliques(nodes: number, degree: number, rng: Rng): Uint32Array[] {
  const order = shuffledNodes(nodes, rng);
  const meanSize = (12 / 13) * (degree + 1);
  const found: Uint32Array[] = [];
  for (let from = 0; from < nodes; ) {
    const size = Math.max(2, Math.round(meanSize * (0.5 + rng.uniform())));
    found.push(order.subarray(from, from + size));
    from += size;
  }
  return found;
}
