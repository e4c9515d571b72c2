/**
 * Detects the delimiter, the header and the columns of a text table from its head.
 *
 * The first row is a header if it contains a column name that the user requested, or a known column name (column-roles.ts).
 * Exception: a known name of one letter is an id, not a column name, if a later row has the same letter in the same column.
 * In a table of edges, the first row is also a header if two of its fields are a pair of names such as protein_a and protein_b
 * (`findPairByEnds`), and no id below begins as they do. If the user gave positions, it is also a header if it has names above numbers or
 * dates (`hasNamesAboveValues` in header-row.ts).
 *
 * If there is no header, the columns are guessed in these cases only:
 *
 * - separated by blanks (the files of the multiplex literature): `source target`, `layer source target`,
 *   `layer source target weight`. Three columns are `source target weight` if the third column holds decimal fractions, or if it
 *   holds numbers and the second column does not.
 * - separated by a tab, comma, semicolon or |: `source target`; `source target weight` if the third column holds decimal fractions.
 *
 * All other tables without a header are ambiguous, and the user must name their columns. KONECT files declare their columns in
 * their first line (formats/konect.ts). In a table of nodes, if only the first column has no name, it holds the nodes. If the ids of the
 * nodes are known, the node column is found by them.
 *
 * A first row of text above rows of numbers looks like a header with unknown names. It causes an error: it is neither skipped nor
 * read as an edge.
 */

import { InputError } from "../core/errors.js";
import { quoteValue } from "../core/text.js";
import { trimName } from "./check-rows.js";
import { isNumeric } from "./check-value.js";
import {
  acceptsColumnsOption,
  type ChosenColumns,
  chooseByName,
  columnPosition,
  listNames,
  type UserColumns,
} from "./choose-columns.js";
import { columnsAdvice, headerAdvice } from "./column-advice.js";
import { EDGE_ROLES, findAlias, NODE_ROLE, type Role } from "./column-roles.js";
import { refuseForeignFormats } from "./foreign-formats.js";
import { konectOrder } from "./formats/konect.js";
import { hasHeader, isHeaderComment, looksLikeHeader, SAMPLE_ROWS } from "./header-row.js";
import { refuseDecimalCommas, refuseLabels, refuseLinesAboveHeader, refuseRaggedRows } from "./mistaken-tables.js";
import { hasArrows, hasCounts, hasTimes } from "./row-patterns.js";
import type { Dialect, ScannedRow } from "./row-scanner.js";
import { type CommentRow, type RowNames, scanHead } from "./scan-head.js";
import { NoRowsError, type TextHead } from "./text-head.js";

export interface TextTable extends Dialect {
  /** Column names of the header; without a header `column 1`, `column 2` … */
  readonly names: readonly string[];
  readonly header: boolean;
  readonly chosen: ChosenColumns;
  /** Set if the first column has no name and holds row names. */
  readonly rowNames?: RowNames;
  /** The first row of a table without a header. */
  readonly firstRow?: readonly string[];
  /** In a table without a header: the comment line above the rows, if it has as many fields as the rows. */
  readonly commentRow?: CommentRow;
}

/** The note about row names without quotes: they may be the first column of the header. */
export function rowNamesNotes(path: string, { rowNames, names }: Pick<TextTable, "rowNames" | "names">): string[] {
  if (rowNames !== "probable") return [];
  return [
    `${path}: the header has one name less than the rows have fields; the first field is read as a row name, as R writes it, and ${quoteValue(names[1])} is the second. If it is the first, add the missing name to the header.`,
  ];
}

export interface DetectOptions {
  readonly roles: readonly Role[];
  readonly userColumns?: UserColumns;
  /** For files with one id per line, which may contain blanks: lines are split at blanks only if a header names a node column. */
  readonly wholeLines?: boolean;
  /**
   * For tables of nodes: whether a text is the id of a node. Then the node column is one that holds ids (`columnOfNodes`), whatever its
   * name, and the first row is a header if it has no id in that column.
   */
  readonly isNode?: (text: string) => boolean;
  /** Chooses the column of each role from the column names. Default: by the known names of the roles. */
  readonly choose?: (where: string, names: readonly string[]) => ChosenColumns;
}

/** The function that chooses the columns of a table with a header. */
export function columnChooser({ choose, roles, userColumns }: DetectOptions): NonNullable<DetectOptions["choose"]> {
  return choose ?? ((where, names) => chooseByName(where, names, roles, userColumns));
}

/** Detects the delimiter and the header of a text table, and the column of each role. */
export function detectTextTable(head: TextHead, options: DetectOptions): TextTable {
  const { path } = head;
  const { roles, userColumns = {} } = options;
  const isEdgeTable = roles.includes(EDGE_ROLES[0]);
  refuseForeignFormats(head, isEdgeTable);
  const { delimiter, rows, rowNames, commentRow } = scanHead(head, options.wholeLines ?? false);
  const first = rows.at(0);
  if (first === undefined) throw new NoRowsError(`${path}: the file has no rows; expected a table of edges or nodes.`);
  const laterRows = rows.slice(1, SAMPLE_ROWS);
  const dialect = { delimiter, skipLines: first.line - 1 };
  if (isEdgeTable && Object.keys(userColumns).length === 0) {
    refuseLabels(path, first.fields);
    refuseLinesAboveHeader(path, rows);
  }

  const choose = columnChooser(options);
  if (commentRow !== undefined && isHeaderComment(commentRow.fields, first.fields, options)) {
    return { ...dialect, names: commentRow.fields, header: true, chosen: choose(path, commentRow.fields) };
  }
  if (options.isNode !== undefined) {
    const node = columnOfNodes(rows, options.isNode);
    const header = !options.isNode(trimName(first.fields[node]));
    const names = header ? first.fields : first.fields.map((_, i) => `column ${i + 1}`);
    return { delimiter, skipLines: first.line - (header ? 0 : 1), names, header, chosen: new Map([["node", node]]) };
  }
  if (rowNames !== undefined || hasHeader(path, first, laterRows, roles, userColumns)) {
    if (first.fields.some((name) => /[\r\n]/.test(name))) {
      throw new InputError(
        `${path}:${first.line}: a column name contains a line break; expected all names on one line.`,
      );
    }
    const chosen = choose(path, first.fields);
    return { delimiter, skipLines: first.line, names: first.fields, header: true, chosen, rowNames };
  }
  const names = first.fields.map((_, i) => `column ${i + 1}`);
  if (roles.some((role) => userColumns[role.name] !== undefined)) {
    requirePositions(path, first, roles, userColumns);
    const chosen = chooseByName(path, names, roles, options.userColumns);
    return { ...dialect, names, header: false, chosen, firstRow: first.fields, commentRow };
  }
  // Before the search for a header: 0,5 above whole numbers is not their name.
  if (isEdgeTable) refuseDecimalCommas(path, [first, ...laterRows]);
  if (looksLikeHeader(first, laterRows)) chooseByName(path, first.fields, roles, options.userColumns);
  const order =
    (isEdgeTable ? konectOrder(head, first, delimiter) : undefined) ??
    guessOrder(delimiter === "spaces", roles, [first, ...laterRows]);
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
          ? commentRow === undefined
            ? names.length === 1
              ? "Separate the fields by commas, tabs, semicolons or |."
              : `Name the columns, as in ${columnsAdvice(roles, [first, ...laterRows])}.`
            : `If line ${commentRow.line} is the header, name two of its columns (${listNames(commentRow.fields)}), as in --columns source=NAME,target=NAME.`
          : `Add a header line, such as ${headerAdvice(roles, first.fields)}.`),
    );
  }
  const chosen = new Map(order.map((role, i) => [role, i]));
  return { ...dialect, names, header: false, chosen, firstRow: first.fields, commentRow };
}

/** Throws if a position of --columns is beyond the first row, with its fields. */
function requirePositions(
  path: string,
  { line, fields }: ScannedRow,
  roles: readonly Role[],
  columns: UserColumns,
): void {
  for (const { name } of roles) {
    const position = columnPosition(columns[name]);
    if (position === undefined || (position >= 1 && position <= fields.length)) continue;
    throw new InputError(
      `${path}: there is no column ${position} for ${name}; line ${line} has ${fields.length} ${fields.length === 1 ? "field" : "fields"}: ${listNames(fields)}. ` +
        `Each file needs every column of --columns; leave out ${name}=${position}, or add the column to this file.`,
    );
  }
}

/**
 * The column of a table of nodes that holds ids: a column with a known name and at least one id, else the column with most ids. If no
 * column holds an id, a column with a known name or the first.
 */
function columnOfNodes(rows: readonly Pick<ScannedRow, "fields">[], isNode: (text: string) => boolean): number {
  const [first] = rows;
  const counts = first.fields.map((_, column) =>
    rows.reduce((sum, { fields }) => sum + Number(isNode(trimName(fields[column] ?? ""))), 0),
  );
  const known = NODE_ROLE.aliases.map((alias) => first.fields.findIndex((name) => name.trim().toLowerCase() === alias));
  const named = known.find((column) => column >= 0 && counts[column] > 0);
  const most = counts.reduce((max, count) => Math.max(max, count), 0);
  return named ?? (most > 0 ? counts.indexOf(most) : Math.max(0, findAlias(NODE_ROLE, first.fields)));
}

/** Guesses the role of each column of a table without a header; undefined if the columns are ambiguous. */
function guessOrder(
  separatedByBlanks: boolean,
  roles: readonly Role[],
  rows: readonly ScannedRow[],
): string[] | undefined {
  const count = rows[0].fields.length;
  if (!roles.some((role) => role.name === "source")) {
    const required = roles.filter((role) => role.required).length;
    if (count < required || count > roles.length || (roles[1]?.name === "feature" && mayHaveFeatureColumns(rows)))
      return undefined;
    return roles.slice(0, count).map((role) => role.name);
  }
  const isNumericColumn = (index: number) => rows.every((row) => isNumeric(row.fields[index] ?? ""));
  const hasFractions = (index: number) => rows.some((row) => /[.eE]/.test(row.fields[index] ?? ""));
  if (count === 2) return ["source", "target"];
  if (count === 3 && isNumericColumn(2) && hasFractions(2)) return ["source", "target", "weight"];
  if (!separatedByBlanks) return undefined;
  // If the second column holds text ids, a third column of numbers does not hold ids.
  if (count === 3 && isNumericColumn(2) && !isNumericColumn(1)) return ["source", "target", "weight"];
  if (hasArrows(rows)) return undefined;
  if (count === 3) return hasTimes(rows) || hasCounts(rows) ? undefined : ["relation", "source", "target"];
  const last = roles.some((role) => role.name === "weight") ? "weight" : "label";
  return count === 4 && isNumericColumn(3) && !hasTimes(rows) ? ["relation", "source", "target", last] : undefined;
}

/** Whether a table of features may have one column per feature: the second column holds numbers, and no node occurs twice. */
function mayHaveFeatureColumns(rows: readonly ScannedRow[]): boolean {
  const nodes = new Set(rows.map(({ fields }) => fields[0]));
  return rows.every(({ fields }) => isNumeric(fields[1] ?? "")) && nodes.size === rows.length;
}
