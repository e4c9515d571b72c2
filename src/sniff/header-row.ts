/** Detects whether the first row of a text table, or a comment above it, is its header. The rules are stated in detect-text-table.ts. */

import { InputError } from "../core/errors.js";
import { MISSING_TOKENS } from "../core/missing-tokens.js";
import { quoteValue } from "../core/text.js";
import { isNumeric } from "./check-value.js";
import { columnPosition, type UserColumns, unnamedNodeColumn } from "./choose-columns.js";
import { EDGE_ROLES, findAlias, findPairByEnds, isIdName, NODE_ROLE, type Role } from "./column-roles.js";
import type { ScannedRow } from "./row-scanner.js";

/** Maximum number of rows that are read to guess the columns. Not tuned. */
export const SAMPLE_ROWS = 1000;

/**
 * Whether the comment line above the rows is their header. The comment and the first row are compared: the comment is the header if it
 * contains more of the column names that the user requested. If both contain equally many, it is the header if it has a name for every
 * required role and the first row does not.
 */
export function isHeaderComment(
  names: readonly string[],
  first: readonly string[],
  { roles, userColumns = {} }: { readonly roles: readonly Role[]; readonly userColumns?: UserColumns },
): boolean {
  const requested = roles.flatMap(({ name }) => {
    const column = userColumns[name];
    return typeof column === "string" && columnPosition(column) === undefined ? column.trim().toLowerCase() : [];
  });
  const countRequested = (fields: readonly string[]) =>
    fields.filter((field) => requested.includes(field.trim().toLowerCase())).length;
  // A misspelt name is not counted here; choosing the columns reports it later and lists the names of the header.
  if (countRequested(names) !== countRequested(first)) return countRequested(names) > countRequested(first);
  const hasAllRoles = (fields: readonly string[]) =>
    roles.every((role) => !role.required || userColumns[role.name] !== undefined || findAlias(role, fields) >= 0);
  return hasAllRoles(names) && !hasAllRoles(first);
}

export function hasHeader(
  path: string,
  first: ScannedRow,
  laterRows: readonly ScannedRow[],
  roles: readonly Role[],
  userColumns: UserColumns,
): boolean {
  const isRepeatedLetter = (index: number) =>
    first.fields[index].length === 1 && laterRows.some((row) => row.fields[index] === first.fields[index]);
  const requested = roles.map((role) => userColumns[role.name]).filter((name) => name !== undefined);
  if (requested.some((name) => columnPosition(name) === undefined)) return true;
  if (roles.some(({ name }) => name === NODE_ROLE.name) && unnamedNodeColumn(first.fields) === 0) return true;
  const [role] = roles;
  const isNodeList = role.acceptsIdColumn === true;
  // Ids may end as the name account_id does.
  const isIdLike = (index: number) =>
    isNodeList &&
    !role.aliases.includes(first.fields[index].trim().toLowerCase()) &&
    laterRows.some(({ fields }) => isIdName(fields[index] ?? ""));
  const required = roles.filter((role) => role.required).map((role) => findAlias(role, first.fields));
  const recognised = required.filter((index) => index >= 0);
  if (recognised.length > 0) return !recognised.some((index) => isRepeatedLetter(index) || isIdLike(index));
  const position = columnPosition(userColumns[role.name]) ?? 0;
  if (isNodeList && isIdName(first.fields[position - 1] ?? "") && !isIdLike(position - 1)) return true;
  if (isNodeList && first.fields.length === 1 && looksLikeHeader(first, laterRows)) return true;
  if (roles.includes(EDGE_ROLES[0]) && hasPairOfNames(first, laterRows)) return true;
  if (requested.length === 0 || requested.some((name) => Number(name) > first.fields.length)) return false;
  for (const role of roles) {
    const position = columnPosition(userColumns[role.name]);
    if (position === undefined || role.check === "text" || laterRows.length === 0) continue;
    const isNumber = (row: ScannedRow) => isNumeric(row.fields[position - 1] ?? "");
    if (!isNumber(first) && laterRows.every(isNumber)) return true;
  }
  if (hasNamesAboveValues(first, laterRows, roles, userColumns)) return true;
  if (looksLikeHeader(first, laterRows)) {
    // If two columns have the same name, only positions distinguish them; the user could not give names.
    if (new Set(first.fields).size < first.fields.length) return true;
    throw new InputError(
      `${path}:${first.line}: ${quoteValue(first.fields.slice(0, 6).join(" "))} may be a header or an edge. ` +
        "If it is a header, use its names instead of positions in --columns; if not, add a header line above it.",
    );
  }
  return false;
}

/**
 * Whether the first row has a name above a column of numbers or dates that is not read as nodes or relations, or has names above
 * numbers only. A name above numeric ids may be an id itself.
 */
function hasNamesAboveValues(
  first: ScannedRow,
  laterRows: readonly ScannedRow[],
  roles: readonly Role[],
  userColumns: UserColumns,
): boolean {
  const texts = roles.filter(({ check }) => check === "text").map(({ name }) => columnPosition(userColumns[name]));
  const named = first.fields.map(
    (name, i) => isColumnName(name) && holdsValues(laterRows.map(({ fields }) => fields[i] ?? "")),
  );
  return named.every(Boolean) || named.some((isNamed, i) => isNamed && !texts.includes(i + 1));
}

/** Whether a text above numbers can only be the name of their column: it is no missing number and does not begin with a digit. */
function isColumnName(text: string): boolean {
  return /^\s*[\p{L}_]/u.test(text) && !MISSING_TOKENS.includes(text.trim().toLowerCase());
}

/** 2024-01-31, 31.1.2024, 1/31/24, or 12:30, and any text after it. */
const DATE = /^\s*(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d{2})/;

/** Whether texts are numbers or dates; some may be empty. */
function holdsValues(texts: readonly string[]): boolean {
  const filled = texts.filter((text) => text.trim() !== "");
  return filled.length > 0 && filled.every((text) => isNumeric(text) || DATE.test(text));
}

/** Whether two fields of the first row are names such as protein_a and protein_b, and no later row has an id that begins as they do. */
function hasPairOfNames(first: ScannedRow, laterRows: readonly ScannedRow[]): boolean {
  const pair = findPairByEnds(first.fields);
  if (pair === undefined || laterRows.length === 0) return false;
  const isSimilar = (text = "") => text.trim().toLowerCase().startsWith(pair.stem);
  return !laterRows.some(({ fields }) => isSimilar(fields[pair.source]) || isSimilar(fields[pair.target]));
}

/**
 * Whether the first row of a table of edges with unknown column names is probably its header: it has text above a column of numbers, or
 * all its fields are different texts that occur nowhere below.
 */
export function isProbablyHeader([first, ...laterRows]: readonly ScannedRow[]): boolean {
  const sample = laterRows.slice(0, SAMPLE_ROWS);
  if (looksLikeHeader(first, sample)) return true;
  const names = new Set(first.fields.map((field) => field.trim()));
  const areNames = names.size === first.fields.length && [...names].every((name) => name !== "" && !isNumeric(name));
  return (
    areNames &&
    sample.length >= MIN_ROWS &&
    !sample.some(({ fields }) => fields.some((field) => names.has(field.trim())))
  );
}

/** Minimum number of rows that show that no field of the first row occurs again; not tuned. */
const MIN_ROWS = 5;

/** Whether the first row has text in a column in which all later rows have numbers. */
export function looksLikeHeader(first: ScannedRow, laterRows: readonly ScannedRow[]): boolean {
  return (
    laterRows.length > 0 &&
    first.fields.some((name, i) => !isNumeric(name) && laterRows.every((row) => isNumeric(row.fields[i] ?? "")))
  );
}
