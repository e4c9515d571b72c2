/** Appends edges and nodes of files that DuckDB cannot read (matrices, SIF) to its tables `edges` and `listed_nodes`. */

import type { DuckDBConnection } from "@duckdb/node-api";

export interface EdgeAppender {
  edge(source: string, target: string, relation: string, weight: number): void;
  /** Adds a node, with or without edges. */
  node(name: string): void;
  close(): void;
}

export async function createEdgeAppender(connection: DuckDBConnection): Promise<EdgeAppender> {
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
