/**
 * Coarse communities and 20 training labels per class. Every class consists of many small communities. In sparse relations most
 * edges stay within a small community, some within the class, and the others are random. Vectors that resolve every small
 * community are too fine for so few labels; smooth, coarse vectors suffice.
 */

import { Rng } from "../../../core/rng.js";
import { PairList } from "../pair-list.js";
import { drawEdges, drawGroups, groupsOf, shuffledNodes } from "./groups.js";
import { classNames, definePhenomenon, type PlantedPart, plantedGraph } from "./phenomenon.js";

/** Small communities per class. Not tuned. */
const COMMUNITIES_PER_CLASS = 16;
/** Share of the edges that stay within a small community. Not tuned. */
const COMMUNITY_SHARE = 0.5;
/** Training and validation nodes per class, at most; smaller classes give a third of their nodes to each part. */
const LABELS_PER_CLASS = 20;

export const fewLabels = definePhenomenon({
  name: "few-labels",
  doc: "coarse classes made of many small communities, sparse relations, a split with 20 training labels per class",
  defaults: { nodes: 1920, relations: 2, classes: 4, degree: 4, strength: 0.4 },
  strengthDoc: "share of the edges outside the small communities that stay within the class",
  draw(options) {
    const { nodes, relations, classes, degree, strength, seed } = options;
    const numCommunities = classes * COMMUNITIES_PER_CLASS;
    const order = shuffledNodes(nodes, new Rng(seed, "few-labels/order"));
    const communityOf = drawGroups(nodes, numCommunities, new Rng(seed, "few-labels/communities")).of;
    const communities = groupsOf(communityOf, numCommunities, order);
    const classOf = communityOf.map((community) => community % classes);
    const coarse = groupsOf(classOf, classes, order);
    const edges = new PairList();
    for (let r = 0; r < relations; r++) {
      const rng = new Rng(seed, "few-labels/edges", r);
      const candidates = (source: number) => {
        if (rng.uniform() < COMMUNITY_SHARE) return communities.members[communityOf[source]];
        return rng.uniform() < strength ? coarse.members[classOf[source]] : order;
      };
      drawEdges(edges, r, degree, order, candidates, rng);
    }
    return {
      graph: plantedGraph(edges, options),
      labels: classNames(classOf),
      split: drawParts(classOf, classes, new Rng(seed, "few-labels/split")),
    };
  },
});

/** Draws the training and validation nodes of each class; the others are test nodes. */
function drawParts(classOf: Uint32Array, classes: number, rng: Rng): PlantedPart[] {
  const parts = new Array<PlantedPart>(classOf.length).fill("test");
  const order = shuffledNodes(classOf.length, rng);
  for (const members of groupsOf(classOf, classes, order).members) {
    const count = Math.min(LABELS_PER_CLASS, Math.floor(members.length / 3));
    for (let i = 0; i < count; i++) {
      parts[members[i]] = "train";
      parts[members[count + i]] = "val";
    }
  }
  return parts;
}
