/** Imports edges from files or from a query into the DuckDB table `edges`. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { firstNames, quoteText } from "../../core/text.js";
import { chooseByName, separateDisabledRoles, type UserColumns } from "../../sniff/choose-columns.js";
import { EDGE_ROLES } from "../../sniff/column-roles.js";
import { isNodeLink } from "../../sniff/formats/json.js";
import { type Matrix, readMatrix, withMatrixAdvice } from "../../sniff/formats/matrix.js";
import { isSif } from "../../sniff/formats/sif.js";
import { relationColumn } from "../../sniff/relation-count.js";
import { NoRowsError } from "../../sniff/text-head.js";
import { describeColumns, quoteName, readNumbers, readStrings } from "../duckdb.js";
import { type FileHead, readHead, readText } from "../file-head.js";
import { edgeNotes } from "../notes/edge-notes.js";
import { nameNotes } from "../notes/name-notes.js";
import { relationColumnNotes } from "../notes/relation-count.js";
import { laterCommentNotes } from "../notes/row-notes.js";
import { isUnnamed } from "../spool.js";
import { spillFault } from "../system-faults.js";
import { importTable, sqlFault } from "../tables/import-table.js";
import { queryFault, requireSelect } from "../tables/sql-query.js";
import { inexactIdsMessage, sqlValue } from "../tables/sql-values.js";
import { openHead, requirePlainTypes, type Table } from "../tables/table.js";
import { withoutGephiType } from "./gephi-type.js";
import { importMatrix } from "./import-matrix.js";
import { openNodeLink } from "./node-link.js";
import { importSif } from "./sif.js";
import { requireWeights, type StrengthOptions } from "./weak-edges.js";

/** The part of LoadOptions that concerns edges. */
export interface EdgeOptions extends StrengthOptions {
  readonly columns?: UserColumns;
  readonly directed?: boolean;
  /** Called before a file is imported, with the number of rows imported before. */
  readonly onFile?: (head: FileHead, rows: number) => void;
  /** Whether the number of repeated rows is the weight, if there is no weight column. */
  readonly countRepeats?: boolean;
}

/** An opened edge file: a table, an adjacency matrix or a SIF file. */
interface EdgeFile extends Pick<Table, "head" | "chosen" | "header"> {
  /** Set if the file is a table. */
  readonly table?: Table;
  /** Set if the file is an adjacency matrix. */
  readonly matrix?: Matrix;
  readonly notes?: readonly string[];
  /** Imports the edges into `edges`. */
  readonly fill: () => Promise<unknown>;
}

/** Creates the tables `edges` and `listed_nodes`, the nodes that a file lists in addition to its edges. */
export async function createEdgeTables(connection: DuckDBConnection): Promise<void> {
  await connection.run("CREATE TEMP TABLE edges(source VARCHAR, target VARCHAR, relation VARCHAR, weight DOUBLE)");
  await connection.run("CREATE TEMP TABLE listed_nodes(node VARCHAR)");
}

/** Names of the roles in the order of their columns. */
function rolesInOrder(chosen: ReadonlyMap<string, number>): string[] {
  return [...chosen].sort(([, a], [, b]) => a - b).map(([role]) => role);
}

export interface EdgesRead {
  /** The relations that have weights: all relations of files with weights. */
  readonly weighted: ReadonlySet<string>;
  /** The origin of the relations in messages, such as `edges.csv: column "kind"`. */
  readonly relationsFrom: string;
}

/** Imports edge files into `edges`. Adds notes for the user to `notes`. */
export async function importEdgeFiles(
  connection: DuckDBConnection,
  files: readonly string[],
  options: EdgeOptions,
  notes: string[],
): Promise<EdgesRead> {
  const opened: EdgeFile[] = [];
  const empty: string[] = [];
  // One of several files, such as one per day, may be empty. It is skipped; if all are empty, the last one is an error.
  const unlessEmpty = async <T>(path: string, read: Promise<T>): Promise<T | undefined> =>
    read.catch((error: unknown) => {
      if (!(error instanceof NoRowsError) || empty.length + 1 === files.length) throw error;
      empty.push(path);
      return undefined;
    });
  const unnamed = files.filter(isUnnamed);
  for (const path of files) {
    const number = unnamed.length > 1 ? unnamed.indexOf(path) : -1;
    const reading = { ...options, number: opened.length, stem: number < 0 ? undefined : `edges ${number + 1}` };
    const file = await unlessEmpty(path, openEdgeFile(connection, path, reading));
    if (file !== undefined) opened.push(file);
  }
  const stems = new Map<string, string>();
  // The same note about several files is given once, with the names of the files.
  const pathsByNote = new Map<string, string[]>();
  const addNote = (path: string, note: string) => {
    const text = note.startsWith(`${path}: `) ? note.slice(path.length) : `: ${note}`;
    const paths = pathsByNote.get(text) ?? [];
    paths.push(path);
    pathsByNote.set(text, paths);
  };
  for (const { head, chosen, matrix, header, notes: openingNotes = [] } of opened) {
    for (const note of openingNotes) addNote(head.path, note);
    requireWeights(options, head.path, { weights: chosen.has("weight"), matrix: matrix !== undefined });
    if (options.countRepeats) addNote(head.path, repeatsNote(head.path, chosen.has("weight") || matrix !== undefined));
    if (matrix !== undefined) {
      const names = matrix.named ? "" : `, called 1 to ${matrix.names.length}`;
      addNote(
        head.path,
        `${head.path}: an adjacency matrix of ${matrix.names.length} nodes${names}; cells other than 0 are read as edges.`,
      );
    } else if (!header)
      addNote(head.path, `${head.path}: no header; its columns are read as ${rolesInOrder(chosen).join(", ")}.`);
    if (chosen.has("relation")) continue;
    const other = stems.get(head.stem);
    if (other !== undefined) {
      throw new InputError(
        `${head.path}: has no relation column and would become relation "${head.stem}", like ${other}; expected different names. ` +
          "Rename a file or add a relation column.",
      );
    }
    stems.set(head.stem, head.path);
  }
  const weighted = new Set<string>();
  for (const file of opened) {
    const [before] = await readNumbers(connection, "SELECT count(*) FROM edges");
    options.onFile?.(file.head, before);
    await unlessEmpty(file.head.path, file.fill());
    const isCounted = options.countRepeats === true && file.matrix === undefined;
    if (!file.chosen.has("weight") && !isCounted) continue;
    const names = await readStrings(connection, `SELECT DISTINCT relation FROM edges WHERE rowid >= ${before}`);
    for (const name of names) weighted.add(name);
  }
  if (empty.length > 0) {
    notes.push(
      `${firstNames(empty, 3)}: ${empty.length === 1 ? "has no rows and is" : "have no rows and are"} skipped.`,
    );
  }
  // One query over `edges` avoids a search of every file for comments.
  const begins = ["source", "target", "relation"].flatMap((column) => [
    `prefix(${column}, '#')`,
    `prefix(${column}, '%')`,
  ]);
  const [commentLike] = await readNumbers(connection, `SELECT count(*) FROM edges WHERE ${begins.join(" OR ")}`);
  for (const { table, head } of opened) {
    if (table === undefined || empty.includes(head.path)) continue;
    const comments = commentLike > 0 ? await laterCommentNotes(connection, table) : [];
    const relations = await relationColumnNotes(connection, table);
    const others = await edgeNotes(connection, table, options.columns);
    for (const note of [...comments, ...relations, ...others]) addNote(head.path, note);
  }
  for (const [text, paths] of pathsByNote) notes.push(`${firstNames(paths, 2)}${text}`);
  notes.push(...(await nameNotes(connection)));
  const withRelation = opened.find(({ chosen, table }) => table !== undefined && chosen.has("relation"));
  return {
    weighted,
    relationsFrom: `${withRelation?.head.path ?? "edges"}: ${withRelation?.table === undefined ? "the relation" : relationColumn(withRelation.table)}`,
  };
}

async function openEdgeFile(
  connection: DuckDBConnection,
  path: string,
  { columns = {}, directed = false, number, stem }: EdgeOptions & { readonly number: number; readonly stem?: string },
): Promise<EdgeFile> {
  const found = await readHead(path);
  const head = stem === undefined ? found : { ...found, stem };
  const { named, withoutDisabled } = separateDisabledRoles(columns);
  if (isSif(head)) {
    const [role] = Object.keys(columns);
    if (role !== undefined) {
      throw new InputError(
        `--columns: ${path} is a SIF file, whose columns are fixed: source, relation and targets; expected no --columns for it.`,
      );
    }
    return { head, chosen: new Map([["relation", 1]]), header: true, fill: () => importSif(connection, head) };
  }
  const mayBeMatrix = !head.parquet && Object.keys(named).length === 0;
  const matrix = mayBeMatrix ? await readMatrix(head, () => readText(head)) : undefined;
  if (matrix !== undefined) {
    const chosen = new Map(matrix.weighted ? [["weight", 2]] : []);
    return { head, chosen, header: true, matrix, fill: () => importMatrix(connection, matrix, head.stem, directed) };
  }
  const nodeLink = isNodeLink(head)
    ? await openNodeLink(connection, head, { columns: named, directed, number })
    : undefined;
  const opened =
    nodeLink?.table ??
    (await openHead(connection, head, { roles: EDGE_ROLES, userColumns: named }).catch((error) => {
      throw head.parquet ? error : withMatrixAdvice(error, head);
    }));
  const { table: plain, notes } = await withoutGephiType(connection, opened, columns);
  const table = { ...plain, chosen: withoutDisabled(plain.chosen) };
  const defaults = { relation: quoteText(head.stem), weight: "1" };
  return {
    ...table,
    table,
    notes: [...(nodeLink?.notes ?? []), ...notes],
    async fill() {
      await importTable(connection, table, EDGE_ROLES, "edges", defaults);
      if (nodeLink !== undefined) await connection.run(`INSERT INTO listed_nodes ${nodeLink.nodes}`);
    },
  };
}

/** The effect of --count-repeats on an input. */
function repeatsNote(where: string, weighted: boolean): string {
  return weighted
    ? `${where}: has weights, and the weights of repeated rows are added; --count-repeats changes nothing here.`
    : `${where}: repeated rows are counted: the weight of an edge is its number of rows.`;
}

/** Imports the result of a query into `edges`. Adds notes for the user to `notes`. */
export async function importQuery(
  connection: DuckDBConnection,
  sql: string,
  options: EdgeOptions,
  notes: string[],
): Promise<EdgesRead> {
  const query = `(${sql.trim().replace(/;+\s*$/, "")}\n)`;
  let chosen: ReadonlyMap<string, number>;
  try {
    await requireSelect(connection, sql);
    const columns = await describeColumns(connection, `SELECT * FROM ${query}`);
    const names = columns.map(({ name }) => name);
    const { named, withoutDisabled } = separateDisabledRoles(options.columns);
    chosen = withoutDisabled(chooseByName("--sql", names, EDGE_ROLES, named));
    requirePlainTypes("--sql", columns, chosen);
    requireWeights(options, "the query", { weights: chosen.has("weight"), matrix: false });
    const values = EDGE_ROLES.map((role) => {
      const index = chosen.get(role.name);
      if (index === undefined) return role.name === "weight" ? "1" : quoteText("edges");
      return sqlValue(role, quoteName(names[index]), true);
    });
    await connection.run(`INSERT INTO edges SELECT ${values.join(", ")} FROM ${query}`);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw spillFault(error) ?? new InputError(`--sql: ${inexactIdsMessage(error) ?? queryFault(error)}`);
  }
  for (const role of EDGE_ROLES.filter(({ name }) => chosen.has(name))) {
    const [faults] = await readNumbers(connection, `SELECT count_if(${sqlFault(role)}) FROM edges`);
    if (faults > 0) {
      const expected = role.check === "text" ? "a value in each" : "a finite number that is not negative in each";
      throw new InputError(`--sql: ${role.name} is empty or not accepted in ${faults} rows; expected ${expected}.`);
    }
  }
  const [rows] = await readNumbers(connection, "SELECT count(*) FROM edges");
  if (rows === 0) throw new InputError("--sql: the query returns no rows; expected at least one.");
  if (options.countRepeats) notes.push(repeatsNote("--sql", chosen.has("weight")));
  const names =
    chosen.has("weight") || options.countRepeats
      ? await readStrings(connection, "SELECT DISTINCT relation FROM edges")
      : [];
  return { weighted: new Set(names), relationsFrom: "--sql: column relation" };
}
