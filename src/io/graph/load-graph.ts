/** Reads a multiplex graph from files, a dataset folder or a DuckDB query. */

import { resolve } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { type KeysOf, requireKeys, requireWord, valueText } from "../../core/validation.js";
import { buildMultiplex, type EdgeColumns } from "../../graph/build-multiplex.js";
import type { Multiplex } from "../../graph/multiplex.js";
import { requireFewRelations } from "../../sniff/relation-count.js";
import { availableBytes } from "../available-memory.js";
import { readNumbers, readStrings, withDatabase } from "../duckdb.js";
import { recordedName } from "../spool.js";
import { codeIds, readColumns } from "../tables/code-ids.js";
import { importLabels } from "../tables/labels.js";
import { buildFeatures, importFeatures } from "../tables/load-features.js";
import { importNodeList } from "../tables/node-list.js";
import { MISSING_FEATURES, type MissingFeatures } from "../tables/wide-features.js";
import { type DatasetFolder, findDatasetFolder } from "./dataset-folder.js";
import { folderNotes } from "./folder-notes.js";
import { createEdgeTables, importEdgeFiles, importQuery } from "./import-edges.js";
import { requireLoadingMemory } from "./loading-memory.js";
import { type ReadingProgress, type ReadingWatch, watchReading } from "./reading-progress.js";
import { removeWeakEdges, type StrengthOptions } from "./weak-edges.js";

export interface LoadOptions extends StrengthOptions {
  /** Keep the direction of edges. Default false. */
  readonly directed?: boolean;
  /** Names of columns, or their positions from 1, if their names are not recognised; "none" for no relation or weight. `node`: the column of `nodes`. */
  readonly columns?: {
    source?: string | number;
    target?: string | number;
    relation?: string | number;
    weight?: string | number;
    node?: string | number;
  };
  /**
   * Whether the weight of an edge is the number of its rows, if there is no weight column. Default false: repeated rows are one
   * edge. Weights from a column are always added.
   */
  readonly countRepeats?: boolean;
  /** A DuckDB query with the columns source, target and optionally relation and weight, instead of files. */
  readonly sql?: string;
  /** A file of node ids. It adds nodes without edges to the graph. */
  readonly nodes?: string;
  /** A file of features: node, feature and optionally value; or node and one column per feature. */
  readonly features?: string;
  /** The files of labels and their column. If one of them is also the file of features, its label column is not a feature. */
  readonly labels?: { readonly files: readonly string[]; readonly column?: string | number };
  /** Whether nodes that occur only in the features are part of the graph. Default false. */
  readonly featureNodes?: boolean;
  /**
   * Nodes without a row of features: "error" refuses them, "zero" sets their features to 0. "median" does the same and also fills
   * empty cells of a table with one column per feature by the median of the column. Default: "zero" if the rows are node,
   * feature and value, because such a table does not list zeros; else "error".
   */
  readonly missingFeatures?: MissingFeatures;
  /** Bytes that the process may use: files that need more are refused before they are read. Default: no limit. */
  readonly memoryLimit?: number;
  /** Values for empty cells, by feature name, instead of the medians of the file. */
  readonly featureMedians?: ReadonlyMap<string, number>;
  /** Columns of features that hold categories, even if all their cells are empty. */
  readonly featureCategories?: ReadonlySet<string>;
  /** Called five times per second while a source is read, and at the beginning of each step. */
  readonly onProgress?: (progress: ReadingProgress) => void;
}

export interface LoadedGraph extends Multiplex {
  /** The files that were read. */
  readonly files: readonly string[];
  /** Notes for the user about how they were read. */
  readonly notes: readonly string[];
  readonly labelsFile?: string;
  readonly splitFile?: string;
  readonly linksFile?: string;
  /** The content of the dataset folder's dataset.json. */
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
  node: true,
};

/** Reads a multiplex graph; docs/input-formats.md describes the accepted sources. */
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
      `--sql: found together with ${sources[0]}; expected either files or a query. Name the files in the query.`,
    );
  }
  if (options.sql === undefined && sources.length === 0 && !options.featureNodes) {
    throw new InputError("source: missing; expected a dataset folder, one or more files, or --sql.");
  }
  const folder = options.sql === undefined ? await findDatasetFolder(sources) : undefined;
  const featuresFile = options.features ?? folder?.features;
  if ((options.missingFeatures ?? "error") !== "error" && featuresFile === undefined) {
    throw new InputError(
      `--missing-features: found ${options.missingFeatures} without features; expected --features FILE or a dataset folder with features. Leave the option out, or give the features.`,
    );
  }
  const { columns, ...rest } = await withDatabase(async (connection) => {
    const watch = await watchReading(connection, folder?.edges ?? sources, options.onProgress);
    try {
      return await load(connection, sources, folder, { ...options, features: featuresFile }, watch);
    } finally {
      watch.end();
    }
  }, options.memoryLimit);
  options.onProgress?.({ step: "building the graph" });
  // The graph is built after the database is closed, so that its memory is free.
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
    const others = [folder?.nodes, options.nodes, options.features];
    await requireLoadingMemory(
      connection,
      [...files, ...others.filter((file) => file !== undefined)],
      options.memoryLimit,
    );
  }
  const { node, ...edgeColumns } = options.columns ?? {};
  const edgeOptions = { ...options, columns: edgeColumns };
  // Without a source, the nodes of the graph are the nodes of the features.
  const { weighted, relationsFrom } =
    options.sql === undefined
      ? await importEdgeFiles(connection, files, { ...edgeOptions, onFile: watch.file }, notes)
      : await importQuery(connection, options.sql, edgeOptions, notes);

  const idQueries = ["SELECT source FROM edges", "SELECT target FROM edges", "SELECT node FROM listed_nodes"];
  for (const path of [folder?.nodes, options.nodes].filter((file) => file !== undefined)) {
    watch.step("reading the node list");
    const columns = path === options.nodes ? { node } : undefined;
    notes.push(
      ...(await importNodeList(connection, path, files.length, columns, (options.labels?.files.length ?? 0) > 0)),
    );
    idQueries.push(`SELECT node FROM nodes_${files.push(path) - 1}`);
  }
  if (folder?.labels !== undefined) {
    watch.step("reading the labels");
    await importLabels(connection, folder.labels);
    idQueries.push("SELECT node FROM labels");
    files.push(folder.labels);
  }
  const featuresFile = options.features;
  let missing = options.missingFeatures ?? "error";
  let storeZeros = false;
  if (featuresFile !== undefined) {
    watch.step("reading the features");
    const labels = options.labels?.files.some((file) => resolve(file) === resolve(featuresFile))
      ? { column: options.labels.column }
      : undefined;
    const read = {
      missing,
      medians: options.featureMedians,
      categories: options.featureCategories,
      labels,
      newNodes: options.featureNodes,
    };
    const imported = await importFeatures(connection, featuresFile, read);
    notes.push(...imported.notes);
    if (imported.long) missing = options.missingFeatures ?? "zero";
    // a new node without features is placed by its edges alone, so its row stays empty
    storeZeros = imported.long && !options.featureNodes;
    if (options.featureNodes || featuresFile === folder?.features) idQueries.push("SELECT node FROM features");
    files.push(featuresFile);
  }

  if (folder?.description?.["directed"] === true && options.directed !== true) {
    notes.push(
      "dataset.json says that edges are directed; they are read as undirected. Give --directed to keep their direction.",
    );
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
  notes.push(...(await removeWeakEdges(connection, options)));
  if (featuresFile !== undefined) watch.step("building the features");
  // With featureNodes, the nodes without features are known from the training: notes about them would mislead.
  const featureNotes = options.featureNodes ? [] : notes;
  const features =
    featuresFile === undefined
      ? undefined
      : await buildFeatures(connection, featuresFile, coded, { missing, storeZeros }, featureNotes);
  watch.step("numbering the edges");
  const columns = await readEdges(connection, weighted);
  if (coded.place !== undefined) {
    for (const column of [columns.source, columns.target]) {
      for (let i = 0; i < column.length; i++) column[i] = coded.place[column[i]];
    }
  }
  return {
    columns: { ...columns, ids: coded.ids },
    files: files.map(recordedName),
    notes,
    ...(features === undefined ? {} : { features }),
    ...(folder?.labels === undefined ? {} : { labelsFile: folder.labels }),
    ...(folder?.split === undefined ? {} : { splitFile: folder.split }),
    ...(folder?.links === undefined ? {} : { linksFile: folder.links }),
    ...(folder?.description === undefined ? {} : { description: folder.description }),
  };
}

/** Reads the edges as integer codes. The tables of strings are dropped before the arrays are allocated. */
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
