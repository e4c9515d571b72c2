/** Reads a dropped table of nodes into attributes of a scene, as `hmge explore --nodes` does. */

import { InputError } from "../../../index.js";
import { NODE_ROLES } from "../../../tables.js";
import { AttributeColumns, type TableAttributes } from "../../scene/table-attributes.js";
import { openEdgeTable, openNodeTable } from "../../training/table/open-table.js";
import { countText, shownText } from "../node-facts.js";

/** Columns that the list of attributes has room for. */
const MAX_COLUMNS = 1000;
/** Characters of an id that a message shows. */
const SHOWN = 60;

/** Throws an InputError if the file is no table or names no node of the graph. */
export async function readNodeTable(file: File, ids: readonly string[]): Promise<TableAttributes> {
  const places = new Map(ids.map((id, place) => [id, place]));
  const table = await openNodeTable(file, (text) => places.has(text));
  if (table.problem !== undefined) throw new InputError(table.problem);
  const node = table.chosen.get("node") ?? 0;
  const others = table.names.map((_, index) => index).filter((index) => index !== node);
  if (others.length === 0) {
    throw new InputError(`${file.name}: found a node column only; expected more columns, such as node,age,city.`);
  }
  if (others.length > MAX_COLUMNS) {
    throw new InputError(
      `${file.name}: found ${others.length + 1} columns; expected at most ${MAX_COLUMNS.toLocaleString("en")}. Keep the columns that colour the nodes.`,
    );
  }
  const names = others.map((index) => table.names[index]);
  const columns = new AttributeColumns(names, ids.length, (id) => places.get(id));
  for await (const rows of table.rows([{ index: node, role: NODE_ROLES[0] }, ...others.map((index) => ({ index }))])) {
    for (const row of rows) columns.add(row);
  }
  const found = columns.end();
  if (found.matched > 0) return found;
  const example = JSON.stringify((ids[0] ?? "").slice(0, SHOWN));
  throw new InputError(
    `${file.name}: none of its ${found.unmatched} rows is a node of the graph, whose ids look like ${example}. Check that both use the same ids.`,
  );
}

/** What was read, in one line; what was left out only if there is any. */
export function tableText(name: string, { matched, unmatched, repeated }: TableAttributes): string {
  const left = [
    ...(unmatched > 0 ? [`${countText(unmatched, "row")} of other nodes`] : []),
    ...(repeated > 0 ? [`${countText(repeated, "row")} of nodes that came before`] : []),
  ];
  const ignored =
    left.length === 0 ? "" : ` ${left.join(" and ")} ${unmatched + repeated === 1 ? "is" : "are"} ignored.`;
  return `${shownText(name)}: values of ${countText(matched, "node")}.${ignored}`;
}

/** Whether the columns of a file are named as both ends of an edge, such as source and target: the table holds edges. */
export async function isEdgeTable(file: File): Promise<boolean> {
  try {
    const { header, problem } = await openEdgeTable(file);
    return header && problem === undefined;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}
