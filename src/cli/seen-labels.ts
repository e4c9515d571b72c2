/** Whether labels that are scored were among the features of the training. */

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

/** The column of the features that has the name of the labels' column, or all of their values. */
export function seenLabels(features: readonly string[], { names, column }: LabelColumn): string | undefined {
  const columns = new Set(features.map(columnOf));
  if (typeof column === "string" && columns.has(column)) return column;
  if (names.length < 2) return undefined;
  const known = new Set(features);
  return [...columns].find((name) => names.every((label) => known.has(`${name}=${label}`)));
}

export function seenNote(column: string): string {
  return `${column} was among the features that the vectors were learnt from, and holds these labels: the scores tell how well they were kept, not how well they can be foretold. Leave it out of --features.`;
}
