/** Recognises Gephi's column Type: it states whether an edge is directed and does not name a relation. */

import type { ChosenColumns, UserColumns } from "../choose-columns.js";
import { findAlias, RELATION_ROLE } from "../column-roles.js";

/** The names of the columns of a table, and the column of each role. */
export interface NamedColumns {
  readonly names: readonly string[];
  readonly chosen: ChosenColumns;
}

/** The column read as the relation that may be Gephi's Type, and the next column that may name the relation (-1: none). */
export interface TypeColumn {
  readonly type: number;
  readonly other: number;
}

/** Numbers of rows: all, those whose type is directed or undirected, and those with a name in the other column. */
export interface TypeCounts {
  readonly rows: number;
  readonly directed: number;
  readonly undirected: number;
  readonly named: number;
}

/** The column Type if it was chosen as the relation by its name; undefined if another column was, or if the user named it. */
export function findTypeColumn({ names, chosen }: NamedColumns, userColumns: UserColumns = {}): TypeColumn | undefined {
  const type = chosen.get("relation");
  if (type === undefined || userColumns["relation"] !== undefined) return undefined;
  if (names[type].trim().toLowerCase() !== "type") return undefined;
  const others = names.map((column, c) => (c === type ? "" : column));
  return { type, other: findAlias(RELATION_ROLE, others) };
}

/**
 * The columns without Gephi's Type as the relation, and notes for the user. Unchanged if the column has other values than directed
 * and undirected.
 */
export function withoutTypeColumn(
  path: string,
  { names, chosen }: NamedColumns,
  { type, other }: TypeColumn,
  { rows, directed, undirected, named }: TypeCounts,
): { readonly chosen: ChosenColumns; readonly notes: readonly string[] } {
  if (rows === 0 || directed + undirected < rows) return { chosen, notes: [] };
  const name = names[type].trim();
  const keep = directed > 0 ? " Give --directed to keep the direction of edges." : "";
  const note = `${path}: column ${name} states whether edges are directed; it is not read as the relation.${keep}`;
  if (other >= 0 && named === rows) {
    return { chosen: new Map(chosen).set("relation", other), notes: directed > 0 ? [note] : [] };
  }
  return {
    chosen: new Map([...chosen].filter(([role]) => role !== "relation")),
    notes: [`${note} To read this or another column as the relation, name it, as in --columns relation=${name}.`],
  };
}
