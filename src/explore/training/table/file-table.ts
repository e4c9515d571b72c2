/** A dropped file opened as a table of edges or of nodes: its names, its first rows and the columns found. */

import type { ChosenColumns, Role } from "../../../tables.js";
import type { ByteListener } from "./unpack.js";

/** A value of a table; null or undefined if it is missing. */
export type Cell = string | number | null | undefined;

/** Columns chosen by the visitor: whether the first row holds names, and the column of each role. */
export interface ColumnChoice {
  readonly header: boolean;
  readonly chosen: ChosenColumns;
}

export interface FileTable extends ColumnChoice {
  /** Name of the file. */
  readonly path: string;
  /** Name of the relation of edges without a relation column. */
  readonly stem: string;
  readonly kind: "text" | "json" | "parquet";
  readonly names: readonly string[];
  /** The first rows below the header, as text. */
  readonly firstRows: readonly (readonly string[])[];
  /** Why the columns could not be found; the visitor must choose them. */
  readonly problem?: string;
  readonly notes: readonly string[];
  /** The same table with or without a header; undefined if the file states its names, as JSON and Parquet do. */
  readonly withHeader?: (header: boolean) => FileTable;
  /**
   * The cells of the columns, in batches of rows. Cells of roles are checked: an invalid value throws an InputError that names its
   * line or row.
   */
  rows(columns: readonly TableColumn[], onBytes?: ByteListener): AsyncGenerator<readonly (readonly Cell[])[]>;
}

/** A column to read. Without a role its cells are not checked. */
export interface TableColumn {
  readonly index: number;
  readonly role?: Role;
}

/** Number of rows of the preview; they fit on a screen. */
export const PREVIEW_ROWS = 6;

/** The columns that play the roles, by role. */
export function columnsByRole(columns: readonly TableColumn[]): ChosenColumns {
  return new Map(columns.flatMap(({ role, index }) => (role === undefined ? [] : [[role.name, index] as const])));
}

/** The roles of columns. */
export function rolesOf(columns: readonly TableColumn[]): Role[] {
  return columns.flatMap(({ role }) => role ?? []);
}
