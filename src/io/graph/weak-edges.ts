/** `--min-weight` and `--strongest`: removes edges of small weight; their nodes stay. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { readNumbers } from "../duckdb.js";

export interface StrengthOptions {
  /** Rows of smaller weight are removed, before parallel edges are merged. */
  readonly minWeight?: number;
  /** K: an edge is kept only if it is among the K heaviest edges of either endpoint in its relation. */
  readonly strongest?: number;
}

/** Removes weak edges from `edges`, after their nodes were put into `ids`. Returns notes for the user. */
export async function removeWeakEdges(
  connection: DuckDBConnection,
  { minWeight, strongest, directed = false }: StrengthOptions & { readonly directed?: boolean },
): Promise<string[]> {
  if (minWeight !== undefined && !Number.isFinite(minWeight)) {
    throw new InputError(`--min-weight: found ${minWeight}; expected a finite number.`);
  }
  if (minWeight !== undefined && !Number.isFinite(Math.fround(minWeight))) {
    throw new InputError(`--min-weight: found ${minWeight}; expected a number below 3.4e38, like all weights.`);
  }
  if (strongest !== undefined && !(Number.isInteger(strongest) && strongest >= 1)) {
    throw new InputError(`--strongest: found ${strongest}; expected a whole number from 1.`);
  }
  const notes: string[] = [];
  if (minWeight !== undefined) {
    // Compared as floats: the float 0.7 of a FLOAT column differs from the double 0.7.
    const isWeak = `weight::FLOAT < ${minWeight}::FLOAT`;
    const [kept, largest] = await readNumbers(
      connection,
      `SELECT count_if(NOT ${isWeak}), coalesce(max(weight), 0) FROM edges`,
    );
    if (kept === 0) {
      throw new InputError(
        `--min-weight: found ${minWeight}; expected at most ${largest}, the largest weight. Give a smaller one.`,
      );
    }
    notes.push(...(await removeEdges(connection, isWeak, `weigh less than ${minWeight}`)));
  }
  if (strongest !== undefined) {
    await findStrongest(connection, strongest, directed);
    const [first, second] = endColumns(directed);
    const kept = `SELECT 1 FROM strong WHERE strong.relation = edges.relation AND a = ${first} AND b = ${second}`;
    const isWeak = `source <> target AND NOT EXISTS (${kept})`;
    notes.push(
      ...(await removeEdges(connection, isWeak, `are not among the ${strongest} heaviest of either endpoint`)),
    );
    await connection.run("DROP TABLE strong");
  }
  return notes;
}

/** The SQL expressions for the two endpoints of an edge; those of an undirected edge are sorted by name. */
function endColumns(directed: boolean): readonly [string, string] {
  return directed ? ["source", "target"] : ["least(source, target)", "greatest(source, target)"];
}

/** Creates the table `strong(relation, a, b)` of the edges to keep. Parallel edges count as one edge of their total weight. */
async function findStrongest(connection: DuckDBConnection, count: number, directed: boolean): Promise<void> {
  const [first, second] = endColumns(directed);
  await connection.run(
    `CREATE TEMP TABLE strong AS WITH pairs AS (SELECT relation, ${first} AS a, ${second} AS b, sum(weight) AS weight ` +
      "FROM edges WHERE source <> target GROUP BY ALL), " +
      "sides AS (SELECT *, a AS node, b AS other FROM pairs UNION ALL SELECT *, b, a FROM pairs), " +
      // The other end breaks ties, so that the result does not depend on the order of the rows.
      "ranked AS (SELECT *, row_number() OVER (PARTITION BY relation, node ORDER BY weight DESC, other) AS place FROM sides) " +
      `SELECT DISTINCT relation, a, b FROM ranked WHERE place <= ${count}`,
  );
}

/** Deletes the edges that meet an SQL condition; `reason` explains it in the note. */
async function removeEdges(connection: DuckDBConnection, condition: string, reason: string): Promise<string[]> {
  const count = () => readNumbers(connection, "SELECT count(*), count(DISTINCT relation) FROM edges");
  const [before, relations] = await count();
  await connection.run(`DELETE FROM edges WHERE ${condition}`);
  const [after, remaining] = await count();
  if (after === before) return [];
  const joined =
    "SELECT source AS node FROM edges WHERE source <> target UNION ALL SELECT target FROM edges WHERE source <> target";
  const [isolated] = await readNumbers(connection, `SELECT count(*) FROM ids ANTI JOIN (${joined}) ON id = node`);
  const gone = remaining === relations ? "" : ` Relations left without an edge are removed: ${relations - remaining}.`;
  const nodes = isolated === 0 ? "" : ` Nodes without an edge stay in the graph: ${isolated}.`;
  return [`${before - after} of ${before} edges ${reason} and are removed.${gone}${nodes}`];
}

/** Throws if edges are to be compared by weight but have none. */
export function requireWeights(
  options: StrengthOptions & { readonly countRepeats?: boolean },
  where: string,
  has: { weights: boolean; matrix: boolean },
): void {
  const option = options.minWeight === undefined ? "strongest" : "min-weight";
  if (has.weights || (options.minWeight === undefined && options.strongest === undefined)) return;
  // With countRepeats, merged edges have weights, but every single row weighs 1.
  if (options.countRepeats && options.minWeight === undefined && !has.matrix) return;
  throw new InputError(
    has.matrix
      ? `--${option}: all cells of ${where} are 0 or 1; expected weights. Leave the option out.`
      : `--${option}: ${where} has no weight column; expected one. Name it with --columns weight=NAME, or leave the option out.`,
  );
}
