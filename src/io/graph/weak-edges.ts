/** `--min-weight` and `--strongest`: edges that weigh too little are not read; their nodes stay. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { readNumbers } from "../duckdb.js";

export interface StrengthOptions {
  /** Edges that weigh less, each row by itself, are left out. */
  readonly minWeight?: number;
  /** Of each node's edges in a relation, as many of the heaviest are kept; an edge stays if either end keeps it. */
  readonly strongest?: number;
}

/** Takes them out of `edges`, whose nodes are in `ids` already. Returns what a person should know. */
export async function leaveOutWeakEdges(
  connection: DuckDBConnection,
  { minWeight, strongest, directed = false }: StrengthOptions & { readonly directed?: boolean },
): Promise<string[]> {
  if (minWeight !== undefined && !Number.isFinite(minWeight)) {
    throw new InputError(`--min-weight: found ${minWeight}; expected a finite number.`);
  }
  if (minWeight !== undefined && !Number.isFinite(Math.fround(minWeight))) {
    throw new InputError(`--min-weight: found ${minWeight}; expected a number below 3.4e38, as weights are.`);
  }
  if (strongest !== undefined && !(Number.isInteger(strongest) && strongest >= 1)) {
    throw new InputError(`--strongest: found ${strongest}; expected a whole number from 1.`);
  }
  const notes: string[] = [];
  if (minWeight !== undefined) {
    // as floats: 0.7 of a column of floats is not the double 0.7
    const weak = `weight::FLOAT < ${minWeight}::FLOAT`;
    const [kept, largest] = await readNumbers(
      connection,
      `SELECT count_if(NOT ${weak}), coalesce(max(weight), 0) FROM edges`,
    );
    if (kept === 0) {
      throw new InputError(`--min-weight: found ${minWeight}, above the largest weight, ${largest}; expected less.`);
    }
    notes.push(...(await leaveOut(connection, weak, `weigh less than ${minWeight}`)));
  }
  if (strongest !== undefined) {
    await findStrongest(connection, strongest, directed);
    const [first, second] = ends(directed);
    const kept = `SELECT 1 FROM strong WHERE strong.relation = edges.relation AND a = ${first} AND b = ${second}`;
    const weak = `source <> target AND NOT EXISTS (${kept})`;
    notes.push(...(await leaveOut(connection, weak, `are among the ${strongest} heaviest of neither end`)));
    await connection.run("DROP TABLE strong");
  }
  return notes;
}

/** The two columns of an edge; without direction in the order of their names. */
function ends(directed: boolean): readonly [string, string] {
  return directed ? ["source", "target"] : ["least(source, target)", "greatest(source, target)"];
}

/** Fills `strong(relation, a, b)`. Parallel edges count as the one they will be. */
async function findStrongest(connection: DuckDBConnection, count: number, directed: boolean): Promise<void> {
  const [first, second] = ends(directed);
  await connection.run(
    `CREATE TEMP TABLE strong AS WITH pairs AS (SELECT relation, ${first} AS a, ${second} AS b, sum(weight) AS weight ` +
      "FROM edges WHERE source <> target GROUP BY ALL), " +
      "sides AS (SELECT *, a AS node, b AS other FROM pairs UNION ALL SELECT *, b, a FROM pairs), " +
      // equal weights: the other end decides, so that the same edges stay whatever order they come in
      "ranked AS (SELECT *, row_number() OVER (PARTITION BY relation, node ORDER BY weight DESC, other) AS place FROM sides) " +
      `SELECT DISTINCT relation, a, b FROM ranked WHERE place <= ${count}`,
  );
}

async function leaveOut(connection: DuckDBConnection, condition: string, what: string): Promise<string[]> {
  const count = () => readNumbers(connection, "SELECT count(*), count(DISTINCT relation) FROM edges");
  const [before, relations] = await count();
  await connection.run(`DELETE FROM edges WHERE ${condition}`);
  const [after, left] = await count();
  if (after === before) return [];
  const joined =
    "SELECT source AS node FROM edges WHERE source <> target UNION ALL SELECT target FROM edges WHERE source <> target";
  const [alone] = await readNumbers(connection, `SELECT count(*) FROM ids ANTI JOIN (${joined}) ON id = node`);
  const gone = left === relations ? "" : ` Relations without an edge: ${relations - left}; they are left out too.`;
  const nodes = alone === 0 ? "" : ` Nodes without an edge: ${alone}; they stay, as part of the graph.`;
  return [`${before - after} of ${before} edges ${what} and are left out.${gone}${nodes}`];
}

/** Fails where edges have no weight to compare. */
export function requireWeights(
  options: StrengthOptions & { readonly countRepeats?: boolean },
  where: string,
  has: { weights: boolean; matrix: boolean },
): void {
  const option = options.minWeight === undefined ? "strongest" : "min-weight";
  if (has.weights || (options.minWeight === undefined && options.strongest === undefined)) return;
  // counted rows are weights of pairs; a single row weighs 1
  if (options.countRepeats && options.minWeight === undefined && !has.matrix) return;
  throw new InputError(
    has.matrix
      ? `--${option}: the cells of ${where} are 0 and 1; expected weights. Leave the option out.`
      : `--${option}: ${where} has no weight column; expected one. Name it with --columns weight=NAME, or leave the option out.`,
  );
}
