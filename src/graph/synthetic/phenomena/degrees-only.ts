/**
 * Labels in the degrees only, like authors and the venues where they publish: every class is active in its own half of the
 * relations. Given the degrees, edges are random (Chung, Lu, Ann. Comb. 6, 2002): the two endpoints are drawn independently,
 * with probabilities proportional to activity. An active node has 1 + `strength` times the mean degree, the others 1 − `strength`.
 * Nodes also differ in their overall activity, which is independent of the label.
 */

import { Rng } from "../../../core/rng.js";
import { PairList } from "../pair-list.js";
import { drawGroups } from "./groups.js";
import { classNames, definePhenomenon, plantedGraph } from "./phenomenon.js";

/** Standard deviation of ln(overall activity). Not tuned. */
const ACTIVITY_DEVIATION = 0.3;

export const degreesOnly = definePhenomenon({
  name: "degrees-only",
  doc: "labels are in the degrees only: each class is active in its own half of the relations; partners are random",
  defaults: { nodes: 800, relations: 20, classes: 4, degree: 3, strength: 0.5 },
  minRelations: 2,
  strengthDoc: "difference between the degrees of active and other nodes, relative to their sum",
  draw(options) {
    const { nodes, relations, classes, degree, strength, seed } = options;
    const classOf = drawGroups(nodes, classes, new Rng(seed, "degrees-only/classes")).of;
    const activeIn = Array.from({ length: classes }, (_, c) => {
      const order = new Uint32Array(relations);
      new Rng(seed, "degrees-only/active", c).permutation(order);
      return new Set(order.subarray(0, relations >> 1));
    });
    const rng = new Rng(seed, "degrees-only/activity");
    const activity = Float64Array.from(classOf, () => Math.exp(ACTIVITY_DEVIATION * rng.normal()));
    const edges = new PairList();
    for (let r = 0; r < relations; r++) {
      const draw = new Rng(seed, "degrees-only/edges", r);
      const pick = weightedPick(
        activity.map((a, i) => a * (activeIn[classOf[i]].has(r) ? 1 + strength : 1 - strength)),
        draw,
      );
      for (let left = Math.round((nodes * degree) / 2); left > 0; left--) {
        const source = pick();
        const target = pick();
        if (source !== target) edges.push(source, target, r);
      }
    }
    return { graph: plantedGraph(edges, options), labels: classNames(classOf) };
  },
});

/** Draws indices with probabilities proportional to the weights, by bisection of the cumulative sums. */
function weightedPick(weights: Float64Array, rng: Rng): () => number {
  const sums = new Float64Array(weights.length);
  let sum = 0;
  weights.forEach((weight, i) => {
    sum += weight;
    sums[i] = sum;
  });
  return () => {
    const at = rng.uniform() * sum;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sums[middle] > at) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
