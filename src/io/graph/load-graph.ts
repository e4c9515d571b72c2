/** Reads a multiplex from files, a dataset folder or a DuckDB query. */

import { resolve } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { quoteValue } from "../../core/text.js";
import { type KeysOf, requireKeys, requireWord, valueText } from "../../core/validation.js";
import { buildMultiplex, type EdgeColumns } from "../../graph/build-multiplex.js";
import type { Multiplex } from "../../graph/multiplex.js";
import { availableBytes } from "../available-memory.js";
import { quoteText, readNumbers, readStrings, withDatabase } from "../duckdb.js";
import { folderNotes } from "../notes/folder-notes.js";
import { requireFewRelations } from "../notes/relation-count.js";
import { type ReadingProgress, type ReadingWatch, watchReading } from "../reading-progress.js";
import { lastingName } from "../spool.js";
import { isNumeric, NODE_ROLES } from "../tables/columns.js";
import { importTable } from "../tables/import-table.js";
import { importLabels } from "../tables/labels.js";
import { buildFeatures, importFeatures } from "../tables/load-features.js";
import { openTable, type Table } from "../tables/table.js";
import { MISSING_FEATURES, type MissingFeatures } from "../tables/wide-features.js";
import { codeIds, readColumns } from "./code-ids.js";
import type { DatasetFolder } from "./dataset-folder.js";
import { findFolder } from "./find-folder.js";
import { createEdgeTables, importEdgeFiles, importQuery } from "./import-edges.js";
import { requireLoadingMemory } from "./loading-memory.js";
import { leaveOutWeakEdges, type StrengthOptions } from "./weak-edges.js";

export interface LoadOptions extends StrengthOptions {
  /** Keep the direction of edges. Default false. */
  readonly directed?: boolean;
  /** Names of columns, or their positions from 1, where they are not the usual ones. */
  readonly columns?: {
    source?: string | number;
    target?: string | number;
    relation?: string | number;
    weight?: string | number;
  };
  /**
   * Each row of a pair adds 1 to the weight of its edge, where there is no weight column. Default false: repeated rows are one edge.
   * Weights of a column are added either way.
   */
  readonly countRepeats?: boolean;
  /** A DuckDB query with columns source, target and, if wanted, relation and weight; then no files are given. */
  readonly sql?: string;
  /** A file of node ids, so that nodes without edges are part of the graph. */
  readonly nodes?: string;
  /** A file of features: node, feature, value (value may be missing), or node and one column per feature. */
  readonly features?: string;
  /** Where labels come from; their column is no feature, should one of these be the file of features too. */
  readonly labels?: { readonly files: readonly string[]; readonly column?: string | number };
  /** Nodes that only the features name are nodes too. */
  readonly featureNodes?: boolean;
  /**
   * What to do with nodes the feature file does not name: an error (the default), or zeros; "median": zeros too, and in
   * empty cells of a wide table the median of the column.
   */
  readonly missingFeatures?: MissingFeatures;
  /** Bytes the process may take: files that need more are refused before they are read. Default: no limit but the memory. */
  readonly memoryLimit?: number;
  /** By the names of features, for empty cells instead of the medians of the file. */
  readonly featureMedians?: ReadonlyMap<string, number>;
  /** Columns of features that hold categories, even where all their cells are empty. */
  readonly featureCategories?: ReadonlySet<string>;
  /** Called a few times a second while a large source is read. */
  readonly onProgress?: (progress: ReadingProgress) => void;
}

export interface LoadedGraph extends Multiplex {
  /** The files that were read. */
  readonly files: readonly string[];
  /** What a person should know about how they were read. */
  readonly notes: readonly string[];
  readonly labelsFile?: string;
  readonly splitFile?: string;
  readonly linksFile?: string;
  /** What the dataset.json of a dataset folder says. */
  readonly description?: Readonly<Record<string, unknown>>;
}

const OPTIONS: KeysOf<LoadOptions> = {
  directed: true,
  columns: true,
  sql: true,
  nodes: true,
  features: true,
  labels: true,
  featureNodes: true,
  missingFeatures: true,
  featureMedians: true,
  featureCategories: true,
  onProgress: true,
  minWeight: true,
  strongest: true,
  countRepeats: true,
  memoryLimit: true,
};
const COLUMNS: KeysOf<NonNullable<LoadOptions["columns"]>> = {
  source: true,
  target: true,
  relation: true,
  weight: true,
};

/** Reads a multiplex; see the README for the forms a source can have. */
export async function loadGraph(source: string | readonly string[], options: LoadOptions = {}): Promise<LoadedGraph> {
  requireKeys(options, OPTIONS, "loadGraph");
  if (options.columns !== undefined) requireKeys(options.columns, COLUMNS, "loadGraph: columns");
  requireWord(options.missingFeatures ?? "error", MISSING_FEATURES, "missingFeatures");
  const sources = typeof source === "string" ? [source] : source;
  if (!Array.isArray(sources) || sources.some((path) => typeof path !== "string")) {
    throw new InputError(`source: found ${valueText(source)}; expected a path, or a list of them.`);
  }
  if (options.sql !== undefined && sources.length > 0) {
    throw new InputError(
      `--sql: also given ${sources[0]}; expected either files or a query. Name the files in the query.`,
    );
  }
  if (options.sql === undefined && sources.length === 0 && !options.featureNodes) {
    throw new InputError("source: nothing given; expected a dataset folder, one or more files, or --sql.");
  }
  const folder = options.sql === undefined ? await findFolder(sources) : undefined;
  const { columns, ...rest } = await withDatabase(async (connection) => {
    const watch = await watchReading(connection, folder?.edges ?? sources, options.onProgress);
    try {
      return await load(connection, sources, folder, options, watch);
    } finally {
      watch.end();
    }
  }, options.memoryLimit);
  // Built after the database is closed, so that its memory is free.
  return { ...buildMultiplex(columns, { directed: options.directed ?? false }), ...rest };
}

async function load(
  connection: DuckDBConnection,
  sources: readonly string[],
  folder: DatasetFolder | undefined,
  options: LoadOptions,
  watch: ReadingWatch,
): Promise<Omit<LoadedGraph, keyof Omit<Multiplex, "features">> & { columns: EdgeColumns }> {
  const files = [...(folder?.edges ?? sources)];
  const notes = folder === undefined ? [] : folderNotes(sources[0], folder);
  await createEdgeTables(connection);
  if (options.memoryLimit !== undefined) {
    const others = [folder?.nodes, options.nodes, options.features ?? folder?.features];
    await requireLoadingMemory(
      connection,
      [...files, ...others.filter((file) => file !== undefined)],
      options.memoryLimit,
    );
  }
  // without any source the nodes are those that the features name
  const { weighted, relationsFrom } =
    options.sql === undefined
      ? await importEdgeFiles(connection, files, { ...options, onFile: watch.file }, notes)
      : await importQuery(connection, options.sql, options, notes);

  const idQueries = ["SELECT source FROM edges", "SELECT target FROM edges", "SELECT node FROM listed_nodes"];
  for (const path of [folder?.nodes, options.nodes].filter((file) => file !== undefined)) {
    notes.push(...(await importNodes(connection, path, files.length)));
    idQueries.push(`SELECT node FROM nodes_${files.push(path) - 1}`);
  }
  if (folder?.labels !== undefined) {
    await importLabels(connection, folder.labels);
    idQueries.push("SELECT node FROM labels");
    files.push(folder.labels);
  }
  const featuresFile = options.features ?? folder?.features;
  const missing = options.missingFeatures ?? "error";
  if (featuresFile !== undefined) {
    const labels = options.labels?.files.some((file) => resolve(file) === resolve(featuresFile))
      ? { column: options.labels.column }
      : undefined;
    const read = {
      missing,
      medians: options.featureMedians,
      categories: options.featureCategories,
      labels,
      added: options.featureNodes,
    };
    notes.push(...(await importFeatures(connection, featuresFile, read)));
    if (options.featureNodes || featuresFile === folder?.features) idQueries.push("SELECT node FROM features");
    files.push(featuresFile);
  }

  if (folder?.description?.["directed"] === true && options.directed !== true) {
    notes.push("dataset.json says that edges have a direction; without --directed it is not kept.");
  }

  watch.step("finding the nodes");
  const coded = await codeIds(connection, idQueries);
  const [relations] = await readNumbers(connection, "SELECT count(DISTINCT relation) FROM edges");
  requireFewRelations({
    relations,
    nodes: coded.ids.length,
    availableBytes: options.memoryLimit ?? availableBytes(),
    from: relationsFrom,
  });
  notes.push(...(await leaveOutWeakEdges(connection, options)));
  // nodes that are known already need no features
  const told = options.featureNodes ? [] : notes;
  const features =
    featuresFile === undefined ? undefined : await buildFeatures(connection, featuresFile, coded, missing, told);
  watch.step("numbering the edges");
  const columns = await readEdges(connection, weighted);
  if (coded.place !== undefined) {
    for (const column of [columns.source, columns.target]) {
      for (let i = 0; i < column.length; i++) column[i] = coded.place[column[i]];
    }
  }
  return {
    columns: { ...columns, ids: coded.ids },
    files: files.map(lastingName),
    notes,
    ...(features === undefined ? {} : { features }),
    ...(folder?.labels === undefined ? {} : { labelsFile: folder.labels }),
    ...(folder?.split === undefined ? {} : { splitFile: folder.split }),
    ...(folder?.links === undefined ? {} : { linksFile: folder.links }),
    ...(folder?.description === undefined ? {} : { description: folder.description }),
  };
}

/** Ids of a file. That no edge has any of them is likely a mistake, and told. */
async function importNodes(connection: DuckDBConnection, path: string, number: number): Promise<string[]> {
  const into = `nodes_${number}`;
  await connection.run(`CREATE TEMP TABLE ${into}(node VARCHAR)`);
  const table = await openTable(connection, path, { roles: NODE_ROLES, wholeLines: true });
  await importTable(connection, table, NODE_ROLES, into);
  const [apart] = await readNumbers(
    connection,
    `SELECT EXISTS (FROM edges) AND NOT EXISTS (FROM edges WHERE source IN (FROM ${into}) OR target IN (FROM ${into}))`,
  );
  if (apart === 0) return await headerNotes(connection, table, into);
  const [id] = await readStrings(connection, `SELECT node FROM ${into} LIMIT 1`);
  return [
    `${path}: none of its ids, such as ${quoteValue(id)}, is an end of an edge, so that all are nodes without edges. Check that both files have the same ids.`,
  ];
}

/** A first row that no edge has, where others are ends of edges, may be a header. */
async function headerNotes(connection: DuckDBConnection, table: Table, into: string): Promise<string[]> {
  const id = table.header ? undefined : table.firstRow?.[0]?.trim();
  if (id === undefined || isNumeric(id)) return [];
  const [isEnd, others] = await readNumbers(
    connection,
    `SELECT count(*) FILTER (node = ${quoteText(id)}), count(*) FROM ${into} ` +
      "WHERE node IN (SELECT source FROM edges UNION SELECT target FROM edges)",
  );
  if (isEnd > 0 || others === 0) return [];
  return [
    `${table.head.path}: its first row, ${id}, is read as a node, though no edge has it. If it is a header, call it node.`,
  ];
}

/** The edges as integers. The tables of strings are dropped before the arrays are made. */
async function readEdges(connection: DuckDBConnection, weightedRelations: ReadonlySet<string>) {
  const weighted = weightedRelations.size > 0;
  const relationNames = await readStrings(connection, "SELECT DISTINCT relation FROM edges ORDER BY relation");
  await connection.run("CREATE TEMP TABLE relations AS SELECT DISTINCT relation AS name FROM edges ORDER BY name");
  await connection.run(
    `CREATE TEMP TABLE coded AS SELECT a.rowid::UINTEGER AS source, b.rowid::UINTEGER AS target, ` +
      `r.rowid::UINTEGER AS relation${weighted ? ", weight" : ""} FROM edges ` +
      "JOIN ids a ON a.id = source JOIN ids b ON b.id = target JOIN relations r ON r.name = relation",
  );
  await connection.run("DROP TABLE edges; DROP TABLE ids");
  const [rows] = await readNumbers(connection, "SELECT count(*) FROM coded");
  const source = new Uint32Array(rows);
  const target = new Uint32Array(rows);
  const relation = new Uint32Array(rows);
  const weight = weighted ? new Float64Array(rows) : undefined;
  const columns = weight === undefined ? [source, target, relation] : [source, target, relation, weight];
  await readColumns(connection, "SELECT * FROM coded", columns);
  await connection.run("DROP TABLE coded");
  const unweighted = Uint8Array.from(relationNames, (name) => (weightedRelations.has(name) ? 0 : 1));
  return { source, target, relation, weight, unweighted, relationNames };
}
