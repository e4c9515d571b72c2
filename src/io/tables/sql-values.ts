/** SQL expressions that convert the values of a column to texts and numbers. */

import { MISSING_TOKENS } from "../../core/missing-tokens.js";
import { quoteText } from "../duckdb.js";
import type { Role } from "../sniff/column-roles.js";

/** A DOUBLE from a column of text or, if `typed`, of any type; NULL for values that `valueFault` refuses. */
export function sqlNumber(role: Role, column: string, typed = false): string {
  const number = `TRY_CAST(${column} AS DOUBLE)`;
  const conditions = [
    `isfinite(TRY_CAST(${column} AS FLOAT))`,
    ...(role.check === "weight" ? [`${number} >= 0`] : []),
    ...(typed ? [] : [`NOT contains(${column}, '_')`]), // DuckDB reads 1_000 as a number.
  ];
  return `CASE WHEN ${conditions.join(" AND ")} THEN ${number} END`;
}

/** The largest whole number of each floating-point type up to which neighbouring whole numbers stay distinct. */
const MAX_EXACT = { DOUBLE: 2 ** 53 - 1, FLOAT: 2 ** 24 - 1 };

/** The error that a query raises for a floating-point id too large to be exact. */
const INEXACT =
  "ids are floating-point numbers that are too large to be exact, such as ids of 20 digits that were read as numbers; expected text or whole numbers. Read a CSV file with read_csv('FILE', all_varchar = true).";

/** The message about inexact ids, if the failure is one; otherwise undefined. */
export function inexactIds(failure: unknown): string | undefined {
  return String(failure).includes(INEXACT) ? INEXACT : undefined;
}

/**
 * The text of a column of any type. Whole numbers lose their fraction: a column of ids with gaps is often stored as floats or
 * decimals. With `exact`, the query fails at floats that are too large to be exact.
 */
function sqlText(column: string, exact: boolean): string {
  const number = `TRY_CAST(${column} AS DOUBLE)`;
  const whole = `TRY_CAST(${number} AS BIGINT)`;
  const text = `CAST(${column} AS VARCHAR)`;
  const beyond = Object.entries(MAX_EXACT).map(
    ([type, max]) => `(typeof(${column}) = '${type}' AND isfinite(${number}) AND abs(${number}) > ${max})`,
  );
  return [
    `CASE ${exact ? `WHEN ${beyond.join(" OR ")} THEN error(${quoteText(INEXACT)})` : ""}`,
    `WHEN typeof(${column}) IN ('DOUBLE', 'FLOAT') AND ${whole} = ${number} THEN CAST(${whole} AS VARCHAR)`,
    `WHEN starts_with(typeof(${column}), 'DECIMAL') AND contains(${text}, '.') THEN rtrim(rtrim(${text}, '0'), '.')`,
    `ELSE ${text} END`,
  ].join(" ");
}

/** The value of a role as it is imported: text, or a DOUBLE. */
export function sqlValue(role: Role, column: string, typed = false): string {
  const text = typed ? sqlText(column, role.check === "text") : column;
  if (role.check === "text") return text;
  if (role.check !== "category") return sqlNumber(role, column, typed);
  const missing = ["", ...MISSING_TOKENS].map((token) => `'${token}'`).join(", ");
  return `CASE WHEN lower(trim(${text})) NOT IN (${missing}) THEN trim(${text}) END`;
}
