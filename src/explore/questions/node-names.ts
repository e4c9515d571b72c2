/** The texts that stand for nodes on the page: their ids, or a column of names. */

import type { Attribute, CategoryAttribute, Scene } from "../scene/scene.js";

/** Columns that usually hold names. */
const NAME = /^(display|full|short)?[ _-]?(name|label|title)s?$/i;
/** Share of the nodes that must have a text of their own for a column to count as names. Not tuned. */
const MIN_DISTINCT = 0.8;

/** The columns of text, which can be searched and can stand for the nodes. */
export function textColumns(attributes: readonly Attribute[]): CategoryAttribute[] {
  return attributes.filter((attribute) => attribute.kind === "category");
}

/** Whether most nodes have a text of their own in this column, as names do and classes do not. */
export function namesNodes({ codes, categories }: CategoryAttribute): boolean {
  return codes.length > 1 && categories.length >= MIN_DISTINCT * codes.length;
}

/** The column whose texts stand for the nodes at first: one called name, label or title that names nodes. Undefined: ids. */
export function defaultNames(attributes: readonly Attribute[]): CategoryAttribute | undefined {
  return textColumns(attributes).find((column) => NAME.test(column.name.trim()) && namesNodes(column));
}

/** The text that stands for a node: its name, or its id if it has no name. */
export function nodeName({ ids, names }: Pick<Scene, "ids" | "names">, node: number): string {
  const name = names === undefined || names.codes[node] < 0 ? "" : names.categories[names.codes[node]].trim();
  return name === "" ? ids[node] : name;
}
