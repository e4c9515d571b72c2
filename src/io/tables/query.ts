/** What `--sql` accepts: one SELECT over local files. */

import { type DuckDBConnection, StatementType } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { firstLine } from "../duckdb.js";

const EXPECTED = `expected one SELECT over local files, as in "SELECT a AS source, b AS target FROM 'edges.csv'"`;

/** Fails unless the text is one query. A slip in it is DuckDB's to report, as it stands in the user's text. */
export async function requireSelect(connection: DuckDBConnection, sql: string): Promise<void> {
  // a comment alone is no statement either
  const bare = sql.replace(/--[^\n]*/g, "").replace(/\/\*[\s\S]*?\*\//g, "");
  if (/^[\s;]*$/.test(bare)) throw new InputError(`--sql: the query is empty; ${EXPECTED}.`);
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) {
    throw new InputError(`--sql: ${statements.count} statements; ${EXPECTED}.`);
  }
  const [word = ""] = /[A-Za-z]+/.exec(bare) ?? [];
  const { statementType } = await statements.prepare(0).catch((error: unknown) => {
    if (CHANGES.test(word)) return { statementType: StatementType.INVALID };
    throw error;
  });
  if (statementType !== StatementType.SELECT) {
    throw new InputError(`--sql: ${word.toUpperCase()} is no query for edges; ${EXPECTED}.`);
  }
}

/** First words of statements that do something else than read. */
const CHANGES = /^(copy|create|insert|update|delete|drop|alter|attach|install|load|set|pragma|export|import|call)$/i;

/** DuckDB's complaint in words that say what is allowed. */
export function queryFault(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const extension = /extension[^"']*["'](\w+)["']|the (\w+) extension/i.exec(message);
  const name = extension?.[1] ?? extension?.[2];
  if (name === undefined) return firstLine(error);
  if (["httpfs", "aws", "azure"].includes(name)) {
    return "the query reads from the network, which is not done; expected local files. Download the file first.";
  }
  return `the query needs DuckDB's extension ${name}, which is not built in; expected CSV, JSON or Parquet files. Export it to one of these first.`;
}
