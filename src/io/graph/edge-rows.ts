/** Edges and nodes that are read here, not by DuckDB, into its tables `edges` and `listed_nodes`. */

import type { DuckDBConnection } from "@duckdb/node-api";

export interface EdgeRows {
  edge(source: string, target: string, relation: string, weight: number): void;
  /** One that need not have an edge. */
  node(name: string): void;
  close(): void;
}

export async function edgeRows(connection: DuckDBConnection): Promise<EdgeRows> {
  const [edges, nodes] = [await connection.createAppender("edges"), await connection.createAppender("listed_nodes")];
  return {
    edge(source, target, relation, weight) {
      edges.appendVarchar(source);
      edges.appendVarchar(target);
      edges.appendVarchar(relation);
      edges.appendDouble(weight);
      edges.endRow();
    },
    node(name) {
      nodes.appendVarchar(name);
      nodes.endRow();
    },
    close() {
      edges.closeSync();
      nodes.closeSync();
    },
  };
}
