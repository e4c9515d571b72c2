/** Detects label leakage: a feature that was used in training and holds the labels makes their scores meaningless. */

import type { LoadedGraph } from "../../io/graph/load-graph.js";
import type { NodeLabels } from "../../tasks/labels/labelled-nodes.js";

/** Whether a feature is a value of a category; its name is then column=value. */
export function isCategory(name: string): boolean {
  return name.includes("=");
}

/** The column of a feature. */
export function columnOf(name: string): string {
  return isCategory(name) ? name.slice(0, name.indexOf("=")) : name;
}

export interface LabelColumn {
  /** All labels. */
  readonly names: readonly string[];
  /** The column of the labels, if the user named it. */
  readonly column?: string | number;
}

/** The feature column that may hold the labels: its name is that of the label column, or all labels are among its values. */
export function findLabelFeature(features: readonly string[], { names, column }: LabelColumn): string | undefined {
  const columns = new Set(features.map(columnOf));
  if (typeof column === "string" && columns.has(column)) return column;
  if (names.length < 2) return undefined;
  const known = new Set(features);
  return [...columns].find((name) => names.every((label) => known.has(`${name}=${label}`)));
}

/** Share of the labelled nodes that must agree; below 1, because some labels may have been corrected by hand. Not tuned. */
const MIN_AGREEMENT = 0.9;

/** Whether a feature column holds the labels of the nodes. */
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
  return labelled > 0 && agreeing >= MIN_AGREEMENT * labelled;
}

const CONSEQUENCE = "the scores measure how well the vectors copy it, not how well they predict it";

export function leakageNote(column: string): string {
  return `the feature ${column} holds these labels: ${CONSEQUENCE}. Leave it out of --features.`;
}

export function possibleLeakageNote(column: string): string {
  return `the feature ${column}, which was used in training, looks like these labels. If it holds the labels, ${CONSEQUENCE}; then leave it out of --features.`;
}
