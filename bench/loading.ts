/**
 * Time and memory of loading a Parquet file with string ids.
 *
 *   node bench/run.mjs loading [--edges 10000000] [--nodes 1000000] [--relations 10] [--json FILE]
 *
 * The file is generated first (power-law degrees, fixed seed); loading runs in a separate process; the peak of its resident memory is
 * reported.
 */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { formatBytes, formatCount, formatSeconds } from "../src/report/terminal.js";
import { textOption } from "./options.js";

const [edges, nodes, relations] = [
  Number(textOption("edges", "10000000")),
  Number(textOption("nodes", "1000000")),
  Number(textOption("relations", "10")),
];
const folder = mkdtempSync(join(tmpdir(), "hmge-loading-"));
try {
  const file = join(folder, "edges.parquet");
  const database = await (await DuckDBInstance.create(":memory:")).connect();
  // source and target are drawn as in `hmge generate random --exponent 2.5`, as the cube of a uniform number from hash()
  const uniform = (stream: number) => `((hash(i * 4 + ${stream}) % 9007199254740992) / 9007199254740992.0)`;
  const nodeId = (stream: number) => `'protein:' || floor(${nodes} * ${uniform(stream)} ^ 3)::BIGINT`;
  await database.run(
    `COPY (SELECT 'relation ' || (hash(i * 4) % ${relations}) AS relation, ${nodeId(1)} AS source, ${nodeId(2)} AS target
     FROM range(${edges}) AS rows(i)) TO '${file}' (FORMAT parquet)`,
  );
  database.disconnectSync();
  const io = pathToFileURL(join(dirname(fileURLToPath(import.meta.url)), "..", "dist", "io", "index.js")).href;
  const script = `
    import { loadGraph } from ${JSON.stringify(io)};
    const begin = performance.now();
    const { numNodes, relations } = await loadGraph(${JSON.stringify(file)});
    const seconds = (performance.now() - begin) / 1000;
    const edges = relations.reduce((sum, { numEdges }) => sum + numEdges, 0);
    console.log(JSON.stringify({ seconds, bytes: process.resourceUsage().maxRSS * 1024, nodes: numNodes, edges }));`;
  const text = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  const measured: { seconds: number; bytes: number; nodes: number; edges: number } = JSON.parse(text);
  const record = {
    command: `node bench/run.mjs loading --edges ${edges} --nodes ${nodes} --relations ${relations}`,
    date: new Date().toISOString(),
    machine: { cpu: cpus()[0]?.model, cores: availableParallelism(), node: process.version, load: loadavg() },
    rows: edges,
    fileBytes: statSync(file).size,
    ...measured,
  };
  const path = textOption("json", "");
  if (path !== "") writeFileSync(path, `${JSON.stringify(record, undefined, 2)}\n`);
  console.log(
    `${formatCount(edges)} rows (${formatBytes(record.fileBytes)} of Parquet) to ${formatCount(measured.nodes)} nodes and ${formatCount(measured.edges)} edges: ${formatSeconds(measured.seconds)}, peak memory ${formatBytes(measured.bytes)}`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
