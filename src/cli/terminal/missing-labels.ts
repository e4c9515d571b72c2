/** A note about labelled nodes that a graph or an embedding does not have. */

import { headerAdvice, type Labels } from "../../io/tables/labels.js";
import { plural } from "../../report/format.js";

/** The number of labelled nodes that are not known, and the note about them; undefined if all are known. */
export function missingLabels(labels: Labels, isKnown: (node: string) => boolean, where: "graph" | "embedding") {
  const count = [...labels.byNode.keys()].filter((node) => !isKnown(node)).length;
  if (count === 0) return undefined;
  const advice = headerAdvice(labels, isKnown);
  return { count, note: `ignored ${plural(count, "labelled node")} missing from the ${where}${advice}` };
}
