/**
 * Detects the delimiter, the header and the columns of a text table from its head.
 *
 * The first row is a header if it contains a column name that the user asked for or a recognised one. Exception: a recognised name of
 * one letter that also occurs in the same column below is an id. Without a header the columns are known only in these cases:
 *
 * - separated by blanks (the files of the multiplex literature): `source target`, `layer source target`,
 *   `layer source target weight`. Three columns are `source target weight` if the last one holds decimal fractions, or numbers
 *   while the ids are names.
 * - separated by a tab, comma, semicolon or |: `source target`; `source target weight` if the third column holds decimal fractions.
 *   Other tables are ambiguous, and the user must name their columns.
 *
 * KONECT files declare their columns in their first line (konect.ts). In tables of nodes an unnamed first column next to named
 * columns holds the nodes.
 *
 * A first row of text above rows of numbers looks like a header with unknown names. It is reported: never dropped, never
 * read as an edge.
 */

import { InputError } from "../../core/errors.js";
import { quoteValue } from "../../core/text.js";
import { NoRowsError } from "../read-input.js";
import { isNumeric } from "./check-value.js";
import {
  acceptsColumnsOption,
  type ChosenColumns,
  chooseByName,
  columnPosition,
  listNames,
  type UserColumns,
  unnamedNodeColumn,
} from "./choose-columns.js";
import { columnsAdvice, headerAdvice } from "./column-advice.js";
import { EDGE_ROLES, findAlias, NODE_ROLES, type Role } from "./column-roles.js";
import type { FileHead } from "./file-head.js";
import { refuseForeign } from "./foreign-formats.js";
import { konectOrder } from "./konect.js";
import { refuseLabels, refuseLinesAboveHeader, refuseRaggedRows } from "./mistaken-tables.js";
import { hasArrows, hasCounts, hasTimes } from "./row-patterns.js";
import type { Dialect, ScannedRow } from "./row-scanner.js";
import { type CommentedRow, scanHead } from "./scan-head.js";

export interface TextTable extends Dialect {
  /** Column names of the header; without a header `column 1`, `column 2` … */
  readonly names: readonly string[];
  readonly header: boolean;
  readonly chosen: ChosenColumns;
  /** The first row of a table without a header. */
  readonly firstRow?: readonly string[];
  /** In a table without a header: the comment above the rows that has as many fields as they have. */
  readonly commented?: CommentedRow;
}

export interface DetectOptions {
  readonly roles: readonly Role[];
  readonly userColumns?: UserColumns;
  /** One id per line: lines are not split at blanks, unless a header names a column of nodes. */
  readonly wholeLines?: boolean;
  /** Chooses the columns once the header is known. Default: by the names of the roles. */
  readonly choose?: (where: string, names: readonly string[]) => ChosenColumns;
}

/** The function that chooses the columns of a table with a header. */
export function columnChooser({ choose, roles, userColumns }: DetectOptions): NonNullable<DetectOptions["choose"]> {
  return choose ?? ((where, names) => chooseByName(where, names, roles, userColumns));
}

/** Number of rows from which columns are guessed; not tuned. */
const SAMPLE_ROWS = 1000;

/** Detects how a text table is written and which column plays which role. */
export function detectTextTable(head: FileHead, options: DetectOptions): TextTable {
  const { path } = head;
  const { roles, userColumns = {} } = options;
  const isEdgeTable = roles.includes(EDGE_ROLES[0]);
  refuseForeign(head, isEdgeTable);
  const { delimiter, rows, rowNames, commented } = scanHead(head, options.wholeLines ?? false);
  const first = rows.at(0);
  if (first === undefined)
    throw new NoRowsError(`${path}: the file holds no rows; expected a table of edges or nodes.`);
  const below = rows.slice(1, SAMPLE_ROWS);
  const dialect = { delimiter, skipLines: first.line - 1 };
  if (isEdgeTable && Object.keys(userColumns).length === 0) {
    refuseLabels(path, first.fields);
    refuseLinesAboveHeader(path, rows);
  }

  const choose = columnChooser(options);
  if (commented !== undefined && isCommentedHeader(commented.fields, first.fields, options)) {
    return { ...dialect, names: commented.fields, header: true, chosen: choose(path, commented.fields) };
  }
  if (rowNames || hasHeader(path, first, below, roles, userColumns)) {
    if (first.fields.some((name) => /[\r\n]/.test(name))) {
      throw new InputError(
        `${path}:${first.line}: a column name contains a line break; expected all names on one line.`,
      );
    }
    const chosen = choose(path, first.fields);
    return { delimiter, skipLines: first.line, names: first.fields, header: true, chosen };
  }
  const names = first.fields.map((_, i) => `column ${i + 1}`);
  if (roles.some((role) => userColumns[role.name] !== undefined)) {
    const chosen = chooseByName(path, names, roles, options.userColumns);
    return { ...dialect, names, header: false, chosen, firstRow: first.fields, commented };
  }
  if (looksLikeHeader(first, below)) chooseByName(path, first.fields, roles, options.userColumns);
  const order =
    (isEdgeTable ? konectOrder(head, first, delimiter) : undefined) ??
    guessOrder(delimiter === "spaces", roles, [first, ...below]);
  if (order === undefined) {
    if (isEdgeTable && delimiter === "spaces") refuseRaggedRows(path, rows);
    throw new InputError(
      `${path}: ${names.length === 1 ? "one column" : `${names.length} columns`} and no header that names ` +
        `${roles
          .filter((role) => role.required)
          .map((role) => role.name)
          .join(" and ")}; ` +
        `line ${first.line} is ${quoteValue(first.fields.slice(0, 6).join(delimiter === "spaces" ? " " : delimiter))}. ` +
        (acceptsColumnsOption(roles, options.userColumns)
          ? commented === undefined
            ? names.length === 1
              ? "Separate the fields by commas, tabs, semicolons or |."
              : `Name the columns, as in ${columnsAdvice(roles, [first, ...below])}.`
            : `If line ${commented.line} is the header, name two of its columns (${listNames(commented.fields)}), as in --columns source=NAME,target=NAME.`
          : `Add a header line, such as ${headerAdvice(roles, first.fields)}.`),
    );
  }
  const chosen = new Map(order.map((role, i) => [role, i]));
  return { ...dialect, names, header: false, chosen, firstRow: first.fields, commented };
}

/**
 * Whether a comment above the rows is their header. It is if it contains more of the column names that the user asked for than the
 * first row does, or, with as many of them, if only the comment has a name for every required role.
 */
function isCommentedHeader(
  names: readonly string[],
  first: readonly string[],
  { roles, userColumns = {} }: DetectOptions,
): boolean {
  const wanted = roles.flatMap(({ name }) => {
    const column = userColumns[name];
    return typeof column === "string" && columnPosition(column) === undefined ? column.trim().toLowerCase() : [];
  });
  const countWanted = (fields: readonly string[]) =>
    fields.filter((field) => wanted.includes(field.trim().toLowerCase())).length;
  // A misspelt name is reported later, with the names of this header.
  if (countWanted(names) !== countWanted(first)) return countWanted(names) > countWanted(first);
  const hasAllRoles = (fields: readonly string[]) =>
    roles.every((role) => !role.required || userColumns[role.name] !== undefined || findAlias(role, fields) >= 0);
  return hasAllRoles(names) && !hasAllRoles(first);
}

function hasHeader(
  path: string,
  first: ScannedRow,
  below: readonly ScannedRow[],
  roles: readonly Role[],
  userColumns: UserColumns,
): boolean {
  const isRepeatedLetter = (index: number) =>
    first.fields[index].length === 1 && below.some((row) => row.fields[index] === first.fields[index]);
  const wanted = roles.map((role) => userColumns[role.name]).filter((name) => name !== undefined);
  if (wanted.some((name) => columnPosition(name) === undefined)) return true;
  if (roles.includes(NODE_ROLES[0]) && unnamedNodeColumn(first.fields) === 0) return true;
  const required = roles.filter((role) => role.required).map((role) => findAlias(role, first.fields));
  const recognised = required.filter((index) => index >= 0);
  if (recognised.length > 0) return !recognised.some(isRepeatedLetter);
  if (wanted.length === 0 || wanted.some((name) => Number(name) > first.fields.length)) return false;
  for (const role of roles) {
    const position = columnPosition(userColumns[role.name]);
    if (position === undefined || role.check === "text" || below.length === 0) continue;
    const isNumber = (row: ScannedRow) => isNumeric(row.fields[position - 1] ?? "");
    if (!isNumber(first) && below.every(isNumber)) return true;
  }
  if (looksLikeHeader(first, below)) {
    // Only positions can distinguish two columns of one name, so the user had to give positions.
    if (new Set(first.fields).size < first.fields.length) return true;
    throw new InputError(
      `${path}:${first.line}: ${quoteValue(first.fields.slice(0, 6).join(" "))} may be a header or an edge. ` +
        "If it is a header, use its names instead of positions in --columns; if not, add a header line above it.",
    );
  }
  return false;
}

/** Whether the first row has text in a column that holds only numbers below. */
function looksLikeHeader(first: ScannedRow, below: readonly ScannedRow[]): boolean {
  return (
    below.length > 0 &&
    first.fields.some((name, i) => !isNumeric(name) && below.every((row) => isNumeric(row.fields[i] ?? "")))
  );
}

/** The roles of the columns, in order, of a table without a header; undefined if they are ambiguous. */
function guessOrder(spaced: boolean, roles: readonly Role[], rows: readonly ScannedRow[]): string[] | undefined {
  const count = rows[0].fields.length;
  if (!roles.some((role) => role.name === "source")) {
    const required = roles.filter((role) => role.required).length;
    if (count < required || count > roles.length || (roles[1]?.name === "feature" && mayBeWide(rows))) return undefined;
    return roles.slice(0, count).map((role) => role.name);
  }
  const numeric = (index: number) => rows.every((row) => isNumeric(row.fields[index] ?? ""));
  const fractions = (index: number) => rows.some((row) => /[.eE]/.test(row.fields[index] ?? ""));
  if (count === 2) return ["source", "target"];
  if (count === 3 && numeric(2) && fractions(2)) return ["source", "target", "weight"];
  if (!spaced) return undefined;
  // If ids are names, a last column of numbers holds no ids.
  if (count === 3 && numeric(2) && !numeric(1)) return ["source", "target", "weight"];
  if (hasArrows(rows)) return undefined;
  if (count === 3) return hasTimes(rows) || hasCounts(rows) ? undefined : ["relation", "source", "target"];
  const last = roles.some((role) => role.name === "weight") ? "weight" : "label";
  return count === 4 && numeric(3) && !hasTimes(rows) ? ["relation", "source", "target", last] : undefined;
}

/** Whether a table of features may have one column per feature: numbers in the second column, and no node twice. */
function mayBeWide(rows: readonly ScannedRow[]): boolean {
  const nodes = new Set(rows.map(({ fields }) => fields[0]));
  return rows.every(({ fields }) => isNumeric(fields[1] ?? "")) && nodes.size === rows.length;
}
