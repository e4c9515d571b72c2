/** `--min-weight` and `--strongest`: edges that weigh too little are not read; their nodes stay. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../core/errors.js";
import { readNumbers } from "./duckdb.js";

export interface StrengthOptions {
  /** Edges that weigh less are left out. */
  readonly minWeight?: number;
  /** Of each node's edges in a relation, as many of the heaviest are kept; an edge stays if either end keeps it. */
  readonly strongest?: number;
}

/** Takes them out of `edges`, whose nodes are in `ids` already. Returns what a person should know. */
export async function leaveOutWeakEdges(connection: DuckDBConnection, options: StrengthOptions): Promise<string[]> {
  const { minWeight, strongest } = options;
  const notes: string[] = [];
  if (minWeight !== undefined) {
    const [kept, largest] = await readNumbers(
      connection,
      `SELECT count_if(weight >= ${minWeight}), coalesce(max(weight), 0) FROM edges`,
    );
    if (kept === 0) {
      throw new InputError(`--min-weight: found ${minWeight}, above the largest weight, ${largest}; expected less.`);
    }
    notes.push(...(await leaveOut(connection, `weight < ${minWeight}`, `weigh less than ${minWeight}`)));
  }
  if (strongest !== undefined) {
    const ends =
      "SELECT rowid AS edge, relation, source AS node, target AS other, weight FROM edges UNION ALL " +
      "SELECT rowid, relation, target, source, weight FROM edges";
    // equal weights: the other end decides, so that the same edges stay whatever order they come in
    const ranked =
      "SELECT edge, row_number() OVER (PARTITION BY relation, node ORDER BY weight DESC, other) AS place " +
      `FROM (${ends})`;
    const weak = `rowid NOT IN (SELECT edge FROM (${ranked}) WHERE place <= ${strongest})`;
    notes.push(...(await leaveOut(connection, weak, `are among the ${strongest} heaviest of neither end`)));
  }
  return notes;
}

async function leaveOut(connection: DuckDBConnection, condition: string, what: string): Promise<string[]> {
  const [before] = await readNumbers(connection, "SELECT count(*) FROM edges");
  await connection.run(`DELETE FROM edges WHERE ${condition}`);
  const [after] = await readNumbers(connection, "SELECT count(*) FROM edges");
  if (after === before) return [];
  const [alone] = await readNumbers(
    connection,
    "SELECT count(*) FROM ids ANTI JOIN (SELECT source AS node FROM edges UNION ALL SELECT target FROM edges) ON id = node",
  );
  const nodes = alone === 0 ? "" : ` Nodes without an edge: ${alone}; they stay, as part of the graph.`;
  return [`${before - after} of ${before} edges ${what} and are left out.${nodes}`];
}

/** Fails where edges have no weight to compare. */
export function requireWeights(
  options: StrengthOptions,
  where: string,
  has: { weights: boolean; matrix: boolean },
): void {
  const option = options.minWeight === undefined ? "strongest" : "min-weight";
  if (has.weights || (options.minWeight === undefined && options.strongest === undefined)) return;
  throw new InputError(
    has.matrix
      ? `--${option}: the cells of ${where} are 0 and 1; expected weights. Leave the option out.`
      : `--${option}: ${where} has no weight column; expected one. Name it with --columns weight=NAME, or leave the option out.`,
  );
}
