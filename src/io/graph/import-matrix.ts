/** Imports the edges of an adjacency matrix into DuckDB. */

import type { DuckDBConnection } from "@duckdb/node-api";
import type { Matrix } from "../../sniff/formats/matrix.js";
import { createEdgeAppender } from "./edge-appender.js";

/**
 * Imports the edges of a matrix into `edges` and all its nodes into `listed_nodes`. Each edge of a symmetric matrix is imported once,
 * unless edges are directed.
 */
export async function importMatrix(
  connection: DuckDBConnection,
  { names, cells, symmetric }: Matrix,
  relation: string,
  directed: boolean,
): Promise<void> {
  const { length } = names;
  const appender = await createEdgeAppender(connection);
  for (let i = 0; i < length; i++) {
    appender.node(names[i]);
    for (let j = symmetric && !directed ? i + 1 : 0; j < length; j++) {
      const weight = cells[i * length + j];
      if (weight !== 0) appender.edge(names[i], names[j], relation, weight);
    }
  }
  appender.close();
}
