/** `--min-weight`: edges that weigh too little are not read; their nodes stay. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../core/errors.js";
import { readNumbers } from "./duckdb.js";

/** Takes them out of `edges`, whose nodes are in `ids` already. Returns what a person should know. */
export async function leaveOutWeakEdges(connection: DuckDBConnection, least: number): Promise<string[]> {
  const [all, kept, largest] = await readNumbers(
    connection,
    `SELECT count(*), count_if(weight >= ${least}), coalesce(max(weight), 0) FROM edges`,
  );
  if (kept === 0) {
    throw new InputError(`--min-weight: found ${least}, above the largest weight, ${largest}; expected less.`);
  }
  if (kept === all) return [];
  await connection.run(`DELETE FROM edges WHERE weight < ${least}`);
  const [alone] = await readNumbers(
    connection,
    "SELECT count(*) FROM ids ANTI JOIN (SELECT source AS node FROM edges UNION ALL SELECT target FROM edges) ON id = node",
  );
  const nodes = alone === 0 ? "" : ` Nodes without an edge: ${alone}; they stay, as part of the graph.`;
  return [`${all - kept} of ${all} edges weigh less than ${least} and are left out.${nodes}`];
}

/** What to say of edges that have no weight to compare. */
export function noWeights(where: string, matrix: boolean): InputError {
  return new InputError(
    matrix
      ? `--min-weight: the cells of ${where} are 0 and 1; expected weights. Leave the option out.`
      : `--min-weight: ${where} has no weight column; expected one. Name it with --columns weight=NAME, or leave the option out.`,
  );
}
