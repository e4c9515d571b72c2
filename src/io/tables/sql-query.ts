/** Checks the query of `--sql`: one SELECT over local files. */

import { type DuckDBConnection, StatementType } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { firstLine } from "../duckdb.js";

const EXPECTED = `expected one SELECT over local files, as in "SELECT a AS source, b AS target FROM 'edges.csv'"`;

/** Throws unless the text is one SELECT. Syntax errors are left to DuckDB, which reports them with their place in the text. */
export async function requireSelect(connection: DuckDBConnection, sql: string): Promise<void> {
  // A query of comments only is empty too.
  const bare = sql.replace(/--[^\n]*/g, "").replace(/\/\*[\s\S]*?\*\//g, "");
  if (/^[\s;]*$/.test(bare)) throw new InputError(`--sql: the query is empty; ${EXPECTED}.`);
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) {
    throw new InputError(`--sql: ${statements.count} statements; ${EXPECTED}.`);
  }
  const [word = ""] = /[A-Za-z]+/.exec(bare) ?? [];
  const { statementType } = await statements.prepare(0).catch((error: unknown) => {
    if (NOT_READING.test(word)) return { statementType: StatementType.INVALID };
    throw error;
  });
  if (statementType !== StatementType.SELECT) {
    throw new InputError(`--sql: a ${word.toUpperCase()} statement; ${EXPECTED}.`);
  }
}

/** First words of statements that do more than read. */
const NOT_READING =
  /^(copy|create|insert|update|delete|drop|alter|attach|install|load|set|pragma|export|import|call)$/i;

/** DuckDB's error message, in plain words if the query needs an extension. */
export function queryFault(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const extension = /extension[^"']*["'](\w+)["']|the (\w+) extension/i.exec(message);
  const name = extension?.[1] ?? extension?.[2];
  if (name === undefined) return firstLine(error);
  if (["httpfs", "aws", "azure"].includes(name)) {
    return "the query reads from the network; expected local files. Download the file first.";
  }
  return `the query needs DuckDB's extension ${name}, which is not included; expected CSV, JSON or Parquet files. Export the data to one of these first.`;
}
