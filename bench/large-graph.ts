/**
 * Writes a large multiplex with groups as one Parquet file, for measurements of memory and ranks.
 *
 *   node bench/run.mjs large-graph FILE.parquet [--nodes 6000000] [--edges 100000000] [--relations 5] [--group 500] [--within 0.7]
 *
 * Nodes have groups of `group` nodes. The share `within` of the edges connects two nodes of one group, the others any two nodes; each
 * edge has a random relation. Ids are numbers without any relation to the groups. The same numbers give the same file.
 */

import { existsSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import { quoteText } from "../src/core/text.js";
import { numberOption } from "./options.js";

const [file] = process.argv.slice(2);
if (!file?.endsWith(".parquet") || existsSync(file)) {
  console.error("bench large-graph: expected the name of a new file that ends in .parquet.");
  process.exit(2);
}
const nodes = numberOption("nodes", 6_000_000);
const edges = numberOption("edges", 100_000_000);
const relations = numberOption("relations", 5);
const group = numberOption("group", 500);
const within = numberOption("within", 0.7);

/** A prime, so that its product with a node, modulo a smaller number of nodes, is another order of the nodes. */
const PRIME = 2654435761;
const draw = (stream: number, below: number) => `(hash(i * 5 + ${stream}) % ${below})::BIGINT`;
const id = (node: string) => `(${node} * ${PRIME}) % ${nodes}`;

const database = await (await DuckDBInstance.create(":memory:")).connect();
await database.run(
  `COPY (
     SELECT ${id("source")} AS source, ${id("target")} AS target, 'relation ' || relation AS relation
     FROM (
       SELECT ${draw(0, nodes)} AS source, ${draw(1, relations)} AS relation,
         CASE WHEN ${draw(2, 1000)} < ${1000 * within}
           THEN least(source // ${group} * ${group} + ${draw(3, group)}, ${nodes - 1})
           ELSE ${draw(4, nodes)} END AS target
       FROM range(${edges}) AS rows(i)
     ) WHERE source <> target
   ) TO ${quoteText(file)} (FORMAT parquet)`,
);
database.disconnectSync();
console.log(`${file}: at most ${edges} edges of ${nodes} nodes in ${relations} relations`);
