/**
 * A relation as an adjacency matrix in a text file: a row and a column for each node, cells the weights of edges, 0 for none.
 *
 * It is one if rows and columns have the same names in the same order (the corner is empty, some name, or left out as R
 * does), or if all it holds are numbers, in as many rows as columns. Fewer than five columns of numbers are a list of edges.
 * The diagonal is not read.
 */

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../core/errors.js";
import { faultOf, isNumeric, type Role } from "./columns.js";
import { type FileHead, readText } from "./file-head.js";
import { RowScanner, type ScannedRow } from "./row-scanner.js";
import { scanHead } from "./scan-head.js";

export interface Matrix {
  readonly names: readonly string[];
  /** By rows. */
  readonly cells: Float64Array;
  /** Whether cells are other than 0 and 1. */
  readonly weighted: boolean;
}

const FEWEST_COLUMNS = 5;
/** Of those with a name in the corner, if there are fewer than columns in sight. */
const FEWEST_ROWS = 3;
/** Half a gigabyte of cells. */
const MOST_NODES = 8192;

/** The matrix that a text file holds, or undefined if it is none. */
export async function readMatrix(head: FileHead): Promise<Matrix | undefined> {
  if (head.parquet) return undefined;
  const { delimiter, skipLines, rows } = scanHead(head, false);
  const named = namesOf(rows);
  if (named === undefined && !allNumbers(rows)) return undefined;
  const count = named?.length ?? rows[0].fields.length;
  if (count > MOST_NODES) {
    if (named === undefined) return undefined;
    throw new InputError(
      `${head.path}: a matrix of ${count} nodes; expected at most ${MOST_NODES}. Give a list of edges instead.`,
    );
  }
  const names = named ?? Array.from({ length: count }, (_, i) => String(i + 1));
  const reader = new MatrixReader(head.path, names, named !== undefined);
  const scanner = new RowScanner({ delimiter, skipLines });
  for await (const text of readText(head.path, head.gzip)) {
    if (!reader.take(scanner.push(text))) return undefined;
  }
  return reader.take(scanner.end()) ? reader.end() : undefined;
}

/** Of rows and columns alike, with the corner or without; undefined where they differ. */
function namesOf([first, ...below]: readonly ScannedRow[]): readonly string[] | undefined {
  if (first === undefined || below.length === 0) return undefined;
  const corner = first.fields.length === below[0].fields.length;
  if (corner && isNumeric(first.fields[0])) return undefined;
  const names = (corner ? first.fields.slice(1) : first.fields).map((name) => name.trim());
  const alike = below.length <= names.length && below.every(({ fields }, i) => fields[0].trim() === names[i]);
  const distinct = new Set(names).size === names.length && names.every((name) => name !== "");
  const shaped = names.length >= 2 && below[0].fields.length === names.length + 1;
  // a path of edges, a–b and b–c, begins like a matrix too
  const clear = !corner || first.fields[0] === "" || below.length === names.length || below.length >= FEWEST_ROWS;
  return shaped && alike && distinct && clear && mostlyNumbers(below) ? names : undefined;
}

function mostlyNumbers(rows: readonly ScannedRow[]): boolean {
  const cells = rows.flatMap(({ fields }) => fields.slice(1));
  return 2 * cells.filter(isNumeric).length >= cells.length;
}

function allNumbers(rows: readonly ScannedRow[]): boolean {
  const width = rows[0]?.fields.length ?? 0;
  return (
    width >= FEWEST_COLUMNS &&
    rows.length <= width &&
    rows.every(({ fields }) => fields.length === width && fields.every(isNumeric))
  );
}

class MatrixReader {
  readonly #path: string;
  readonly #names: readonly string[];
  /** Whether a row of names comes first, and a name in each row. */
  readonly #named: boolean;
  readonly #cells: Float64Array;
  #row: number;
  /** Of the first bad cell; thrown when it is clear that this is a matrix. */
  #fault: string | undefined;

  constructor(path: string, names: readonly string[], named: boolean) {
    this.#path = path;
    this.#names = names;
    this.#named = named;
    this.#cells = new Float64Array(names.length ** 2);
    this.#row = named ? -1 : 0;
  }

  /** False as soon as rows without names are no matrix; of one with names a fault is thrown. */
  take(rows: readonly ScannedRow[]): boolean {
    const { length } = this.#names;
    for (const { line, fields } of rows) {
      const i = this.#row++;
      if (i < 0) continue;
      const values = this.#named ? fields.slice(1) : fields;
      if (i >= length || values.length !== length || (this.#named && fields[0].trim() !== this.#names[i])) {
        if (!this.#named) return false;
        throw new InputError(
          `${this.#path}:${line}: ${i < length ? `row ${JSON.stringify(fields[0])} of ${values.length} cells` : "one row more"}; ` +
            `expected ${i < length ? `row ${JSON.stringify(this.#names[i])} of ${length}` : `${length} rows, as there are columns`}.`,
        );
      }
      for (let j = 0; j < length; j++) if (i !== j) this.#cells[i * length + j] = this.#number(line, i, j, values[j]);
    }
    return true;
  }

  #number(line: number, i: number, j: number, value: string): number {
    const number = isNumeric(value) ? Number(value) : Number.NaN;
    if (number >= 0 && Math.fround(number) < Infinity) return number;
    const title = `the cell of ${JSON.stringify(this.#names[i])} and ${JSON.stringify(this.#names[j])},`;
    const role: Role = { name: "weight", title, aliases: [], required: true, check: "weight" };
    this.#fault ??= `${this.#path}:${line}: ${faultOf(role, value.trim())}`;
    return 0;
  }

  /** Undefined where there are fewer rows than columns. */
  end(): Matrix | undefined {
    const { length } = this.#names;
    if (this.#row === length) {
      if (this.#fault !== undefined) throw new InputError(this.#fault);
      if (this.#cells.every((cell) => cell === 0))
        throw new InputError(`${this.#path}: a matrix of zeros; expected edges.`);
      const weighted = this.#cells.some((cell) => cell !== 0 && cell !== 1);
      return { names: this.#names, cells: this.#cells, weighted };
    }
    if (!this.#named) return undefined;
    throw new InputError(`${this.#path}: ${this.#row} rows and ${length} columns; expected as many.`);
  }
}

/**
 * Puts its edges into `edges` and its nodes, also those without an edge, into `listed_nodes`. Of a symmetric matrix that
 * is read without direction an edge is taken once.
 */
export async function importMatrix(
  connection: DuckDBConnection,
  { names, cells }: Matrix,
  relation: string,
  directed: boolean,
): Promise<void> {
  const { length } = names;
  const symmetric = names.every((_, i) => names.every((_, j) => cells[i * length + j] === cells[j * length + i]));
  const edges = await connection.createAppender("edges");
  for (let i = 0; i < length; i++) {
    for (let j = symmetric && !directed ? i + 1 : 0; j < length; j++) {
      const weight = cells[i * length + j];
      if (weight === 0) continue;
      edges.appendVarchar(names[i]);
      edges.appendVarchar(names[j]);
      edges.appendVarchar(relation);
      edges.appendDouble(weight);
      edges.endRow();
    }
  }
  edges.closeSync();
  const nodes = await connection.createAppender("listed_nodes");
  for (const name of names) {
    nodes.appendVarchar(name);
    nodes.endRow();
  }
  nodes.closeSync();
}
