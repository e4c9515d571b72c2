/** Values of columns as SQL. */

import { NO_VALUES } from "../../core/missing-tokens.js";
import { quoteText } from "../duckdb.js";
import type { Role } from "./columns.js";

/** A double from a column, of text unless `typed`; NULL where `faultOf` finds fault. */
export function sqlNumber(role: Role, column: string, typed = false): string {
  const number = `TRY_CAST(${column} AS DOUBLE)`;
  const sound = [
    `isfinite(TRY_CAST(${column} AS FLOAT))`,
    ...(role.check === "weight" ? [`${number} >= 0`] : []),
    ...(typed ? [] : [`NOT contains(${column}, '_')`]), // DuckDB takes 1_000 for a number
  ];
  return `CASE WHEN ${sound.join(" AND ")} THEN ${number} END`;
}

/** Whole numbers that a type of floats holds each by itself; beyond, neighbours become one. */
const EXACT = { DOUBLE: 2 ** 53 - 1, FLOAT: 2 ** 24 - 1 };

/** What a query says that meets an id which may have been several. */
const INEXACT =
  "ids are floating-point numbers too large to be told apart, such as ids of 20 digits that were read as numbers. Have them as text or whole numbers, of a CSV file by read_csv('FILE', all_varchar = true).";

/** The message of such a failure. */
export function inexactIds(failure: unknown): string | undefined {
  return String(failure).includes(INEXACT) ? INEXACT : undefined;
}

/** Text of a column of any type; whole numbers are ids, also where gaps have made floats of them, or a table decimals. `exact`: or none. */
function textOf(column: string, exact: boolean): string {
  const number = `TRY_CAST(${column} AS DOUBLE)`;
  const whole = `TRY_CAST(${number} AS BIGINT)`;
  const text = `CAST(${column} AS VARCHAR)`;
  const beyond = Object.entries(EXACT).map(
    ([type, most]) => `(typeof(${column}) = '${type}' AND isfinite(${number}) AND abs(${number}) > ${most})`,
  );
  return [
    `CASE ${exact ? `WHEN ${beyond.join(" OR ")} THEN error(${quoteText(INEXACT)})` : ""}`,
    `WHEN typeof(${column}) IN ('DOUBLE', 'FLOAT') AND ${whole} = ${number} THEN CAST(${whole} AS VARCHAR)`,
    `WHEN starts_with(typeof(${column}), 'DECIMAL') AND contains(${text}, '.') THEN rtrim(rtrim(${text}, '0'), '.')`,
    `ELSE ${text} END`,
  ].join(" ");
}

/** The value of a role as it is stored: text, or a double. */
export function sqlValue(role: Role, column: string, typed = false): string {
  const text = typed ? textOf(column, role.check === "text") : column;
  if (role.check === "text") return text;
  if (role.check !== "category") return sqlNumber(role, column, typed);
  const none = ["", ...NO_VALUES].map((word) => `'${word}'`).join(", ");
  return `CASE WHEN lower(trim(${text})) NOT IN (${none}) THEN trim(${text}) END`;
}
