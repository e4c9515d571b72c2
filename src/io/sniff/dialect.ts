/**
 * Delimiter, header and columns of a text table, from its head.
 *
 * A first row is a header when it holds a name asked for or an accepted column name, unless that name is one letter and
 * also stands in the same column below it (then it is an id). Without such names a table has no header, and its columns are known only in
 * these cases:
 *
 * - separated by blanks (the files of the multiplex literature): `source target`, `layer source target`,
 *   `layer source target weight`; three columns of which the last holds decimal fractions, or numbers beside names, are
 *   `source target weight`;
 * - separated by a tab, comma or the like: `source target`; three columns with decimal fractions in the last are
 *   `source target weight`. Others could mean several things and must be named.
 *
 * KONECT's files say it in their first line (known-tables.ts). In tables of nodes a first column without a name beside others
 * that have one holds the nodes.
 *
 * A first row that is text where all rows below are numbers looks like a header of other names; it is reported, neither
 * dropped nor read as an edge.
 */

import { InputError } from "../../core/errors.js";
import { quoteValue, shellWord } from "../../core/text.js";
import { smallestOf } from "../../numeric/extremes.js";
import { NoRowsError } from "../read-input.js";
import {
  type ChosenColumns,
  chooseByName,
  EDGE_ROLES,
  findAlias,
  type GivenColumns,
  givenPosition,
  isNumeric,
  listNames,
  NODE_ROLES,
  nameable,
  namelessNodes,
  type Role,
} from "../tables/columns.js";
import type { FileHead } from "./file-head.js";
import { refuseForeign } from "./foreign-formats.js";
import { konectOrder, refuseLabels, refuseLinesAboveHeader, refuseRaggedRows } from "./known-tables.js";
import { betweenLayers, endsInTimes, hasArrows, withCounts, withTimes } from "./row-patterns.js";
import type { Dialect, ScannedRow } from "./row-scanner.js";
import { type CommentedRow, scanHead } from "./scan-head.js";

export interface TextTable extends Dialect {
  /** Header names, or `column 1` … if there is no header. */
  readonly names: readonly string[];
  readonly header: boolean;
  readonly chosen: ChosenColumns;
  /** Where there is no header. */
  readonly firstRow?: readonly string[];
  /** Where there is none: what is not read above the rows, though it may be one of them. */
  readonly commented?: CommentedRow;
}

export interface DetectOptions {
  readonly roles: readonly Role[];
  readonly given?: GivenColumns;
  /** Not split at blanks, unless a header names a column of nodes: one id per line. */
  readonly wholeLines?: boolean;
  /** Takes what the roles leave over when the header is known (wide tables). */
  readonly choose?: (where: string, names: readonly string[]) => ChosenColumns;
}

/** Rows of the head that guesses look at. */
const SAMPLE_ROWS = 1000;

/** Finds out how a text table is written and which column is which. */
export function detectTextTable(head: FileHead, options: DetectOptions): TextTable {
  const { path } = head;
  refuseForeign(head);
  const given = options.given ?? {};
  const { delimiter, rows, rowNames, commented } = scanHead(head, options.wholeLines ?? false);
  const first = rows.at(0);
  if (first === undefined)
    throw new NoRowsError(`${path}: the file holds no rows; expected a table of edges or nodes.`);
  const below = rows.slice(1, SAMPLE_ROWS);
  const dialect = { delimiter, skipLines: first.line - 1 };
  const ofEdges = options.roles.includes(EDGE_ROLES[0]);
  if (ofEdges && Object.keys(given).length === 0) {
    refuseLabels(path, first.fields);
    refuseLinesAboveHeader(path, rows);
  }

  const choose = options.choose ?? ((where, names) => chooseByName(where, names, options.roles, options.given));
  if (commented !== undefined && isHeaderAbove(commented.fields, first.fields, options)) {
    return { ...dialect, names: commented.fields, header: true, chosen: choose(path, commented.fields) };
  }
  if (rowNames || hasHeader(path, first, below, options.roles, given)) {
    if (first.fields.some((name) => /[\r\n]/.test(name))) {
      throw new InputError(`${path}:${first.line}: a column name holds a line break; expected names on one line.`);
    }
    const chosen = choose(path, first.fields);
    return { delimiter, skipLines: first.line, names: first.fields, header: true, chosen };
  }
  const names = first.fields.map((_, i) => `column ${i + 1}`);
  if (options.roles.some((role) => given[role.name] !== undefined)) {
    const chosen = chooseByName(path, names, options.roles, options.given);
    return { ...dialect, names, header: false, chosen, firstRow: first.fields, commented };
  }
  if (looksLikeHeader(first, below)) chooseByName(path, first.fields, options.roles, options.given);
  const order =
    (ofEdges ? konectOrder(head, first, delimiter) : undefined) ??
    guessOrder(delimiter === "spaces", options.roles, [first, ...below]);
  if (order === undefined) {
    if (ofEdges && delimiter === "spaces") refuseRaggedRows(path, rows);
    throw new InputError(
      `${path}: ${names.length === 1 ? "one column" : `${names.length} columns`} and no header that names ` +
        `${options.roles
          .filter((role) => role.required)
          .map((role) => role.name)
          .join(" and ")}; ` +
        `line ${first.line} is ${quoteValue(first.fields.slice(0, 6).join(delimiter === "spaces" ? " " : delimiter))}. ` +
        (nameable(options.roles, options.given)
          ? commented === undefined
            ? names.length === 1
              ? "Separate the fields by commas, tabs, semicolons or |."
              : `Say which is which, as in ${columnsAdvice(options.roles, [first, ...below])}.`
            : `If line ${commented.line} is their header, name two: ${listNames(commented.fields)}; as in --columns source=NAME,target=NAME.`
          : `Put a header line in front, such as ${headerAdvice(options.roles, first.fields)}.`),
    );
  }
  const chosen = new Map(order.map((role, i) => [role, i]));
  return { ...dialect, names, header: false, chosen, firstRow: first.fields, commented };
}

/** The header that such a table would have; of features that of a column per feature, which is what cannot be told. */
function headerAdvice(roles: readonly Role[], fields: readonly string[]): string {
  const names = roles.map(({ name }) => name);
  if (!names.includes("feature")) return names.slice(0, Math.max(2, fields.length)).join(",");
  const wide = ["node", ...fields.slice(1, 4).map((_, i) => `f${i + 1}`), ...(fields.length > 4 ? ["…"] : [])].join(
    ",",
  );
  return fields.length > roles.length
    ? wide
    : `${wide} for a column per feature, ${names.slice(0, fields.length).join(",")} for a row per feature`;
}

/** The option for columns in the likely order: by position and, of a row that may be a header, by name. */
function columnsAdvice(roles: readonly Role[], rows: readonly ScannedRow[]): string {
  const [{ fields }] = rows;
  if (roles[0].name === "source" && betweenLayers(rows)) {
    return "--columns source=1,relation=2,target=3,weight=5 for node, layer, node, layer, weight, without the edges from one layer to another";
  }
  if (roles[0].name === "source" && hasArrows(rows)) return "--columns source=1,target=3";
  const usual = roles.slice(0, Math.max(2, fields.length)).map(({ name }) => name);
  const taken = usual[0] === "source" && usual.length >= 3 ? likelyOrder(rows, usual) : usual;
  const option = (column: (i: number) => string) =>
    `--columns ${taken.map((name, i) => `${name}=${column(i)}`).join(",")}`;
  const byPosition = option((i) => String(i + 1));
  const nameable = fields.length >= taken.length && !fields.some((field) => isNumeric(field) || /[,=]/.test(field));
  if (!nameable) return byPosition;
  return `${byPosition}, or, if that line is a header, ${option((i) => shellWord(fields[i]))}`;
}

/** Times are left out; of three columns the one with by far the fewest names is the relation. */
function likelyOrder(rows: readonly ScannedRow[], usual: readonly string[]): readonly string[] {
  if (endsInTimes(rows)) return usual.slice(0, 2);
  if ((withTimes(rows) || withCounts(rows)) && rows.every(({ fields }) => isNumeric(fields[2])))
    return ["source", "target", "weight"];
  if (usual.length > 3) return usual;
  const numbers = [0, 1, 2].map((index) => new Set(rows.map(({ fields }) => fields[index])).size);
  const fewest = numbers.indexOf(smallestOf(numbers));
  const clear = numbers.every((number, index) => index === fewest || number > 2 * numbers[fewest]);
  if (!clear || fewest === 2) return usual;
  return fewest === 1 ? ["source", "relation", "target"] : ["relation", "source", "target"];
}

/** Whether a comment names the columns: those asked for by name, or all that must be there, and the first row does not. */
function isHeaderAbove(
  names: readonly string[],
  first: readonly string[],
  { roles, given = {} }: DetectOptions,
): boolean {
  const wanted = roles.flatMap(({ name }) => {
    const column = given[name];
    return typeof column === "string" && givenPosition(column) === undefined ? column.trim().toLowerCase() : [];
  });
  const found = (fields: readonly string[]) =>
    fields.filter((field) => wanted.includes(field.trim().toLowerCase())).length;
  // one that is mistyped is told of with the names that are there
  if (found(names) !== found(first)) return found(names) > found(first);
  const known = (fields: readonly string[]) =>
    roles.every((role) => !role.required || given[role.name] !== undefined || findAlias(role, fields) >= 0);
  return known(names) && !known(first);
}

function hasHeader(
  path: string,
  first: ScannedRow,
  below: readonly ScannedRow[],
  roles: readonly Role[],
  given: GivenColumns,
): boolean {
  const isLetter = (index: number) =>
    first.fields[index].length === 1 && below.some((row) => row.fields[index] === first.fields[index]);
  const wanted = roles.map((role) => given[role.name]).filter((name) => name !== undefined);
  if (wanted.some((name) => givenPosition(name) === undefined)) return true;
  if (roles.includes(NODE_ROLES[0]) && namelessNodes(first.fields) === 0) return true;
  const required = roles.filter((role) => role.required).map((role) => findAlias(role, first.fields));
  const known = required.filter((index) => index >= 0);
  if (known.length > 0) return !known.some(isLetter);
  if (wanted.length === 0 || wanted.some((name) => Number(name) > first.fields.length)) return false;
  for (const role of roles) {
    const position = givenPosition(given[role.name]);
    if (position === undefined || role.check === "text" || below.length === 0) continue;
    const isNumber = (row: ScannedRow) => isNumeric(row.fields[position - 1] ?? "");
    if (!isNumber(first) && below.every(isNumber)) return true;
  }
  if (looksLikeHeader(first, below)) {
    // where two columns have one name, positions are the only way to tell them apart
    if (new Set(first.fields).size < first.fields.length) return true;
    throw new InputError(
      `${path}:${first.line}: cannot tell whether ${quoteValue(first.fields.slice(0, 6).join(" "))} is a header. ` +
        "If it is, give --columns the names in it instead of positions; if not, put a header line in front.",
    );
  }
  return false;
}

/** Text in a column that holds only numbers below it. */
function looksLikeHeader(first: ScannedRow, below: readonly ScannedRow[]): boolean {
  return (
    below.length > 0 &&
    first.fields.some((name, i) => !isNumeric(name) && below.every((row) => isNumeric(row.fields[i] ?? "")))
  );
}

/** Names of the roles in the order of the columns, where a table without header leaves no doubt. */
function guessOrder(spaced: boolean, roles: readonly Role[], rows: readonly ScannedRow[]): string[] | undefined {
  const count = rows[0].fields.length;
  if (!roles.some((role) => role.name === "source")) {
    const required = roles.filter((role) => role.required).length;
    if (count < required || count > roles.length || (roles[1]?.name === "feature" && maybeWide(rows))) return undefined;
    return roles.slice(0, count).map((role) => role.name);
  }
  const numeric = (index: number) => rows.every((row) => isNumeric(row.fields[index] ?? ""));
  const fractions = (index: number) => rows.some((row) => /[.eE]/.test(row.fields[index] ?? ""));
  if (count === 2) return ["source", "target"];
  if (count === 3 && numeric(2) && fractions(2)) return ["source", "target", "weight"];
  if (!spaced) return undefined;
  // ids that are names do not end in a column of numbers
  if (count === 3 && numeric(2) && !numeric(1)) return ["source", "target", "weight"];
  if (hasArrows(rows)) return undefined;
  if (count === 3) return withTimes(rows) || withCounts(rows) ? undefined : ["relation", "source", "target"];
  const last = roles.some((role) => role.name === "weight") ? "weight" : "label";
  return count === 4 && numeric(3) && !withTimes(rows) ? ["relation", "source", "target", last] : undefined;
}

/** Numbers where names of features would stand, and no node twice: a column per feature may be meant. */
function maybeWide(rows: readonly ScannedRow[]): boolean {
  const nodes = new Set(rows.map(({ fields }) => fields[0]));
  return rows.every(({ fields }) => isNumeric(fields[1] ?? "")) && nodes.size === rows.length;
}
