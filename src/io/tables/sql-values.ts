/** SQL expressions that convert the values of a column to texts and numbers. */

import { MISSING_TOKENS } from "../../core/missing-tokens.js";
import { quoteText } from "../../core/text.js";
import type { Role } from "../../sniff/column-roles.js";

/**
 * SQL for the value of a column as a DOUBLE, or NULL if `valueFault` refuses the value. `isTyped`: the column comes from
 * Parquet or a query and has any type; otherwise it is text.
 */
export function sqlNumber(role: Role, column: string, isTyped = false): string {
  const number = `TRY_CAST(${column} AS DOUBLE)`;
  const conditions = [
    `isfinite(TRY_CAST(${column} AS FLOAT))`,
    ...(role.check === "weight" ? [`${number} >= 0`] : []),
    ...(isTyped ? [] : [`NOT contains(${column}, '_')`]), // DuckDB reads 1_000 as a number.
  ];
  return `CASE WHEN ${conditions.join(" AND ")} THEN ${number} END`;
}

/** Maximum of the range in which each floating-point type represents every whole number exactly. */
const MAX_EXACT = { DOUBLE: 2 ** 53 - 1, FLOAT: 2 ** 24 - 1 };

/** The error that a query raises for a floating-point id too large to be exact. */
const INEXACT =
  "ids are floating-point numbers that are too large to be exact, such as ids of 20 digits that were read as numbers; expected text or whole numbers. Read a CSV file with read_csv('FILE', all_varchar = true).";

/** Returns the message for the user if a query failed because of inexact ids; otherwise undefined. */
export function inexactIdsMessage(failure: unknown): string | undefined {
  return String(failure).includes(INEXACT) ? INEXACT : undefined;
}

/**
 * SQL for the value of a column of any type as text. Whole numbers are written without a fraction (3.0 becomes 3), because ids
 * are often stored as floats or decimals if some are missing. With `exact`, the query fails on floats too large to be exact.
 */
function sqlText(column: string, exact: boolean): string {
  const number = `TRY_CAST(${column} AS DOUBLE)`;
  const whole = `TRY_CAST(${number} AS BIGINT)`;
  const text = `CAST(${column} AS VARCHAR)`;
  const inexact = Object.entries(MAX_EXACT).map(
    ([type, max]) => `(typeof(${column}) = '${type}' AND isfinite(${number}) AND abs(${number}) > ${max})`,
  );
  return [
    `CASE ${exact ? `WHEN ${inexact.join(" OR ")} THEN error(${quoteText(INEXACT)})` : ""}`,
    `WHEN typeof(${column}) IN ('DOUBLE', 'FLOAT') AND ${whole} = ${number} THEN CAST(${whole} AS VARCHAR)`,
    `WHEN starts_with(typeof(${column}), 'DECIMAL') AND contains(${text}, '.') THEN rtrim(rtrim(${text}, '0'), '.')`,
    `ELSE ${text} END`,
  ].join(" ");
}

/** SQL for the value that is imported for a role: text or a DOUBLE. `isTyped` as in `sqlNumber`. */
export function sqlValue(role: Role, column: string, isTyped = false): string {
  const text = isTyped ? sqlText(column, role.check === "text") : column;
  if (role.check === "text") return text;
  if (role.check !== "category") return sqlNumber(role, column, isTyped);
  const missing = ["", ...MISSING_TOKENS].map((token) => `'${token}'`).join(", ");
  return `CASE WHEN lower(trim(${text})) NOT IN (${missing}) THEN trim(${text}) END`;
}
