/** Reads a multiplex from files, a dataset folder or a DuckDB query. */

import { stat } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../core/errors.js";
import { shellWord } from "../core/shell-word.js";
import { buildMultiplex, type EdgeColumns } from "../graph/build-multiplex.js";
import type { Multiplex } from "../graph/multiplex.js";
import { codeIds, readColumns } from "./code-ids.js";
import { chooseByName, EDGE_ROLES, isNumeric, LABEL_ROLES, NODE_ROLES, sqlValue } from "./columns.js";
import { type DatasetFolder, openDatasetFolder } from "./dataset-folder.js";
import { firstLine, quoteName, quoteText, readColumnNames, readNumbers, readStrings, withDatabase } from "./duckdb.js";
import { importTable, sqlFault } from "./import-table.js";
import { buildFeatures, importFeatures } from "./load-features.js";
import { cannotRead } from "./read-input.js";
import { openTable, type Table } from "./table.js";
import { leaveOutWeakEdges, noWeights } from "./weak-edges.js";

export interface LoadOptions {
  /** Keep the direction of edges. Default false. */
  readonly directed?: boolean;
  /** Names of columns, or their positions from 1, where they are not the usual ones. */
  readonly columns?: {
    source?: string | number;
    target?: string | number;
    relation?: string | number;
    weight?: string | number;
  };
  /** A DuckDB query with columns source, target and, if wanted, relation and weight; then no files are given. */
  readonly sql?: string;
  /** Edges that weigh less are not read; their nodes stay. */
  readonly minWeight?: number;
  /** A file of node ids, so that nodes without edges are part of the graph. */
  readonly nodes?: string;
  /** A file of features: node, feature, value (value may be missing), or node and one column per feature. */
  readonly features?: string;
  /** Nodes that only the features name are nodes too. */
  readonly featureNodes?: boolean;
  /** What to do with nodes the feature file does not name. Default "error". */
  readonly missingFeatures?: "error" | "zero";
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

/** Reads a multiplex; see the README for the forms a source can have. */
export async function loadGraph(source: string | readonly string[], options: LoadOptions = {}): Promise<LoadedGraph> {
  const sources = typeof source === "string" ? [source] : source;
  if (options.sql !== undefined && sources.length > 0) {
    throw new InputError(
      `--sql: also given ${sources[0]}; expected either files or a query. Name the files in the query.`,
    );
  }
  if (options.sql === undefined && sources.length === 0 && !options.featureNodes) {
    throw new InputError("source: nothing given; expected a dataset folder, one or more files, or --sql.");
  }
  const folder = options.sql === undefined ? await findFolder(sources) : undefined;
  const { columns, ...rest } = await withDatabase((connection) => load(connection, sources, folder, options));
  // Built after the database is closed, so that its memory is free.
  return { ...buildMultiplex(columns, { directed: options.directed ?? false }), ...rest };
}

async function findFolder(sources: readonly string[]): Promise<DatasetFolder | undefined> {
  for (const path of sources) {
    const status = await stat(path).catch((error) => {
      throw cannotRead(error, path);
    });
    if (!status.isDirectory()) continue;
    if (sources.length > 1) {
      throw new InputError(`${path}: a folder among ${sources.length} sources; expected one folder, or files only.`);
    }
    return openDatasetFolder(path);
  }
  return undefined;
}

async function load(
  connection: DuckDBConnection,
  sources: readonly string[],
  folder: DatasetFolder | undefined,
  options: LoadOptions,
): Promise<Omit<LoadedGraph, keyof Omit<Multiplex, "features">> & { columns: EdgeColumns }> {
  const notes: string[] = [];
  const files = [...(folder?.edges ?? sources)];
  if (folder !== undefined && files.length > 1) {
    notes.push(
      `${sources[0]}: no file is called edges; its ${files.length} tables are all read as such, a relation each unless they name their own.`,
    );
  }
  await connection.run("CREATE TEMP TABLE edges(source VARCHAR, target VARCHAR, relation VARCHAR, weight DOUBLE)");
  // without any source the nodes are those that the features name
  const weighted =
    options.sql === undefined
      ? files.length > 0 && (await importEdgeFiles(connection, files, options, notes))
      : await importQuery(connection, options.sql, options);

  const idQueries = ["SELECT source FROM edges", "SELECT target FROM edges"];
  for (const path of [folder?.nodes, options.nodes].filter((file) => file !== undefined)) {
    await importNodes(connection, path, files.length);
    idQueries.push(`SELECT node FROM nodes_${files.push(path) - 1}`);
  }
  if (folder?.labels !== undefined) {
    await connection.run("CREATE TEMP TABLE labels(node VARCHAR, label VARCHAR)");
    await importTable(
      connection,
      await openTable(connection, folder.labels, { roles: LABEL_ROLES }),
      LABEL_ROLES,
      "labels",
    );
    idQueries.push("SELECT node FROM labels");
    files.push(folder.labels);
  }
  const featuresFile = options.features ?? folder?.features;
  if (featuresFile !== undefined) {
    notes.push(...(await importFeatures(connection, featuresFile)));
    if (options.featureNodes || featuresFile === folder?.features) idQueries.push("SELECT node FROM features");
    files.push(featuresFile);
  }

  const coded = await codeIds(connection, idQueries);
  if (options.minWeight !== undefined) notes.push(...(await leaveOutWeakEdges(connection, options.minWeight)));
  const features =
    featuresFile === undefined
      ? undefined
      : await buildFeatures(connection, featuresFile, coded, options.missingFeatures ?? "error");
  const columns = await readEdges(connection, weighted);
  if (coded.place !== undefined) {
    for (const column of [columns.source, columns.target]) {
      for (let i = 0; i < column.length; i++) column[i] = coded.place[column[i]];
    }
  }
  return {
    columns: { ...columns, ids: coded.ids },
    files,
    notes,
    ...(features === undefined ? {} : { features }),
    ...(folder?.labels === undefined ? {} : { labelsFile: folder.labels }),
    ...(folder?.split === undefined ? {} : { splitFile: folder.split }),
    ...(folder?.links === undefined ? {} : { linksFile: folder.links }),
    ...(folder?.description === undefined ? {} : { description: folder.description }),
  };
}

/** Roles in the order of their columns. */
function inOrder(chosen: ReadonlyMap<string, number>): string[] {
  return [...chosen].sort(([, a], [, b]) => a - b).map(([role]) => role);
}

/** Fills `edges`; returns whether any file has weights. */
async function importEdgeFiles(
  connection: DuckDBConnection,
  files: readonly string[],
  { columns: given, minWeight }: LoadOptions,
  notes: string[],
): Promise<boolean> {
  const tables: Table[] = [];
  for (const path of files) tables.push(await openTable(connection, path, { roles: EDGE_ROLES, given }));
  const stems = new Map<string, string>();
  for (const { head, chosen, header } of tables) {
    if (minWeight !== undefined && !chosen.has("weight")) throw noWeights(head.path);
    if (!header) notes.push(`${head.path}: no header; its columns are read as ${inOrder(chosen).join(", ")}.`);
    if (chosen.has("relation")) continue;
    const other = stems.get(head.stem);
    if (other !== undefined) {
      throw new InputError(
        `${head.path}: has no relation column and would be relation "${head.stem}", as would ${other}; expected other names. ` +
          "Rename a file or add a relation column.",
      );
    }
    stems.set(head.stem, head.path);
  }
  for (const table of tables) {
    await importTable(connection, table, EDGE_ROLES, "edges", { relation: quoteText(table.head.stem), weight: "1" });
  }
  for (const table of tables) notes.push(...(await firstRowNotes(connection, table)));
  return tables.some((table) => table.chosen.has("weight"));
}

/** A first row of two names that no other edge has may be a header of unknown names. */
async function firstRowNotes(connection: DuckDBConnection, { head, chosen, firstRow = [] }: Table): Promise<string[]> {
  const header = [...chosen].map(([role, index]) => `${role}=${shellWord(firstRow[index] ?? "")}`).join(",");
  const ends = ["source", "target"].flatMap((role) => firstRow[chosen.get(role) ?? -1] ?? []);
  if (ends.length < 2 || ends.some(isNumeric)) return [];
  const list = ends.map(quoteText).join(", ");
  const [touching, all] = await readNumbers(
    connection,
    `SELECT count(*) FILTER (source IN (${list}) OR target IN (${list})), count(*) FROM edges`,
  );
  if (touching !== 1 || all < 3) return [];
  return [
    `${head.path}: its first row, ${ends.join(" and ")}, is read as an edge, though no other has these ends. If it is a header, give --columns ${header}.`,
  ];
}

async function importQuery(
  connection: DuckDBConnection,
  sql: string,
  { columns: given, minWeight }: LoadOptions,
): Promise<boolean> {
  const query = `(${sql.trim().replace(/;+\s*$/, "")}\n)`;
  let chosen: ReadonlyMap<string, number>;
  try {
    await connection.extractStatements(sql); // so that a slip is reported as it stands in the user's text
    const names = await readColumnNames(connection, `SELECT * FROM ${query}`);
    chosen = chooseByName("--sql", names, EDGE_ROLES, given);
    if (minWeight !== undefined && !chosen.has("weight")) throw noWeights("the query");
    const values = EDGE_ROLES.map((role) => {
      const index = chosen.get(role.name);
      if (index === undefined) return role.name === "weight" ? "1" : quoteText("edges");
      return sqlValue(role, quoteName(names[index]), true);
    });
    await connection.run(`INSERT INTO edges SELECT ${values.join(", ")} FROM ${query}`);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`--sql: ${firstLine(error)}`);
  }
  for (const role of EDGE_ROLES.filter(({ name }) => chosen.has(name))) {
    const [faults] = await readNumbers(connection, `SELECT count_if(${sqlFault(role)}) FROM edges`);
    if (faults > 0) {
      const expected = role.check === "text" ? "a value in each" : "a finite number that is not negative in each";
      throw new InputError(`--sql: ${role.name} is empty or not accepted in ${faults} rows; expected ${expected}.`);
    }
  }
  const [rows] = await readNumbers(connection, "SELECT count(*) FROM edges");
  if (rows === 0) throw new InputError("--sql: the query gives no rows; expected at least one.");
  return chosen.has("weight");
}

async function importNodes(connection: DuckDBConnection, path: string, number: number): Promise<void> {
  await connection.run(`CREATE TEMP TABLE nodes_${number}(node VARCHAR)`);
  const table = await openTable(connection, path, { roles: NODE_ROLES, wholeLines: true });
  await importTable(connection, table, NODE_ROLES, `nodes_${number}`);
}

/** The edges as integers. The tables of strings are dropped before the arrays are made. */
async function readEdges(connection: DuckDBConnection, weighted: boolean) {
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
  return { source, target, relation, weight, relationNames };
}
