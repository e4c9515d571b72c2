/**
 * Labels in the features only. Edges join nodes of the same circle, and circles are independent of the label. Features are
 * counts of words: a node draws some words, each from the words of its class (probability `strength`), of its circle, or from all
 * words. An average over neighbours keeps the circle and loses the label.
 */

import { Rng } from "../../../core/rng.js";
import type { FeatureMatrix } from "../../multiplex.js";
import { numberedNames } from "../numbered-names.js";
import { PairList } from "../pair-list.js";
import { drawEdges, drawGroups, type Groups, groupsOf, shuffledNodes } from "./groups.js";
import { classNames, definePhenomenon, type PlantOptions, plantedGraph } from "./phenomenon.js";

/** Number of circles. Not tuned. */
const NUM_CIRCLES = 12;
/** Share of the edges that stay within a circle. Not tuned. */
const CIRCLE_SHARE = 0.8;
/** Features of one class and of one circle. Not tuned. */
const WORDS_PER_CLASS = 10;
const WORDS_PER_CIRCLE = 4;
/** Minimum and mean number of words per node. Not tuned. */
const MIN_WORDS = 10;
const MEAN_WORDS = 40;
/** Share of the words that are not from the class but from the circle of the node. Not tuned. */
const CIRCLE_WORDS = 0.5;

export const featuresOnly = definePhenomenon({
  name: "features-only",
  doc: "labels are in the count features only; edges follow circles that are independent of the labels",
  defaults: { nodes: 1200, relations: 3, classes: 4, degree: 6, strength: 0.25 },
  strengthDoc: "share of the words of a node that are words of its class",
  draw(options) {
    const { nodes, relations, classes, degree, seed } = options;
    const classOf = drawGroups(nodes, classes, new Rng(seed, "features-only/classes")).of;
    const order = shuffledNodes(nodes, new Rng(seed, "features-only/order"));
    const circleOf = drawGroups(nodes, NUM_CIRCLES, new Rng(seed, "features-only/circles")).of;
    const circles = groupsOf(circleOf, NUM_CIRCLES, order);
    const edges = new PairList();
    for (let r = 0; r < relations; r++) {
      const rng = new Rng(seed, "features-only/edges", r);
      const candidates = (source: number) => (rng.uniform() < CIRCLE_SHARE ? circles.members[circleOf[source]] : order);
      drawEdges(edges, r, degree, order, candidates, rng);
    }
    const features = drawCounts(classOf, circles, options);
    return { graph: plantedGraph(edges, options, features), labels: classNames(classOf) };
  },
});

function drawCounts(classOf: Uint32Array, circles: Groups, { classes, strength, seed }: PlantOptions): FeatureMatrix {
  const rng = new Rng(seed, "features-only/words");
  const firstOfCircles = classes * WORDS_PER_CLASS;
  const numWords = firstOfCircles + NUM_CIRCLES * WORDS_PER_CIRCLE;
  const rowStart = new Uint32Array(classOf.length + 1);
  const columns: number[] = [];
  const values: number[] = [];
  classOf.forEach((c, i) => {
    const counts = new Uint32Array(numWords);
    // The number of words is exponentially distributed above its minimum.
    const words = MIN_WORDS - Math.round((MEAN_WORDS - MIN_WORDS) * Math.log(1 - rng.uniform()));
    for (let w = 0; w < words; w++) {
      if (rng.uniform() < strength) counts[c * WORDS_PER_CLASS + rng.below(WORDS_PER_CLASS)]++;
      else if (rng.uniform() < CIRCLE_WORDS) {
        counts[firstOfCircles + circles.of[i] * WORDS_PER_CIRCLE + rng.below(WORDS_PER_CIRCLE)]++;
      } else counts[rng.below(numWords)]++;
    }
    counts.forEach((count, word) => {
      if (count === 0) return;
      columns.push(word);
      values.push(count);
    });
    rowStart[i + 1] = columns.length;
  });
  return {
    names: numberedNames("w", numWords, 0),
    numColumns: numWords,
    rowStart,
    columns: Uint32Array.from(columns),
    values: Float32Array.from(values),
  };
}
