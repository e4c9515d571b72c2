/** Whether labels that are scored were among the features of the training. */

import type { LoadedGraph } from "../../io/graph/load-graph.js";
import type { NodeLabels } from "../../tasks/labels/labelled-nodes.js";

/** A feature of a category is called column=value. */
export function isCategory(name: string): boolean {
  return name.includes("=");
}

/** The column that a feature comes from. */
export function columnOf(name: string): string {
  return isCategory(name) ? name.slice(0, name.indexOf("=")) : name;
}

export interface LabelColumn {
  /** All labels. */
  readonly names: readonly string[];
  /** The column they were read from, where it was named. */
  readonly column?: string | number;
}

/** The column of the features that has the name of the labels' column, or all of their values: it may hold them. */
export function likeLabels(features: readonly string[], { names, column }: LabelColumn): string | undefined {
  const columns = new Set(features.map(columnOf));
  if (typeof column === "string" && columns.has(column)) return column;
  if (names.length < 2) return undefined;
  const known = new Set(features);
  return [...columns].find((name) => names.every((label) => known.has(`${name}=${label}`)));
}

/** Nodes that must agree, of those with a label: some may have been mended by hand. */
const MAX_OF_THEM = 0.9;

/** Whether a column of the features holds the labels of the nodes. */
export function holdsLabels(
  { ids, features }: Pick<LoadedGraph, "ids" | "features">,
  { byNode }: NodeLabels,
  column: string,
): boolean {
  if (features === undefined) return false;
  const { names, rowStart, columns, values } = features;
  let [labelled, agreeing] = [0, 0];
  ids.forEach((id, i) => {
    const labels = byNode.get(id);
    if (labels === undefined) return;
    labelled++;
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
      const name = names[columns[k]];
      const text = name === column ? String(values?.[k] ?? 1) : name.slice(column.length + 1);
      if (columnOf(name) === column && labels.includes(text)) agreeing++;
    }
  });
  return labelled > 0 && agreeing >= MAX_OF_THEM * labelled;
}

const KEPT = "the scores tell how well they were kept, not how well they can be foretold";

export function heldNote(column: string): string {
  return `${column} is among the features, and holds these labels: ${KEPT}. Leave it out of --features.`;
}

export function likeNote(column: string): string {
  return `${column}, a feature of the training, looks like these labels. If it holds them, ${KEPT}: leave it out of --features then.`;
}
