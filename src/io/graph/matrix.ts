/**
 * A relation as an adjacency matrix in a text file: a row and a column for each node, cells the weights of edges. 0, false,
 * an empty cell and NaN are no edge; the diagonal is not read.
 *
 * It is one if rows and columns have the same names in the same order (the corner is empty, some name, or left out as R
 * does), or if all it holds are numbers, in as many rows as columns, such that the diagonal is the same throughout or both
 * triangles are; of fewer than five columns, which may be a list of edges, both.
 */

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { NO_VALUES } from "../../core/missing-tokens.js";
import { quoteValue } from "../../core/text.js";
import { appendAll } from "../../numeric/append-all.js";
import { type FileHead, readText } from "../sniff/file-head.js";
import { type Dialect, RowScanner, type ScannedRow } from "../sniff/row-scanner.js";
import { scanHead } from "../sniff/scan-head.js";
import { isNumeric } from "../tables/columns.js";
import { edgeRows } from "./edge-rows.js";

export interface Matrix {
  readonly names: readonly string[];
  /** Whether the file has these names; else they are numbers from 1. */
  readonly named: boolean;
  /** By rows. */
  readonly cells: Float64Array;
  /** Up to what rounding does. */
  readonly symmetric: boolean;
  /** Whether cells are other than 0 and 1. */
  readonly weighted: boolean;
}

const MIN_COLUMNS = 3;
/** From here on a list of edges is unlikely. */
const CLEAR_COLUMNS = 5;
/** Of a matrix with a name in the corner, if there are fewer than columns in sight. */
const MIN_ROWS = 3;
/** Half a gigabyte of cells. */
const MAX_NODES = 8192;
/** Read where the first rows are longer than the head of a file. */
const MAX_TEXT = 1 << 23;
const ROUNDING = 1e-6;

/** The matrix that a text file holds, or undefined if it is none. */
export async function readMatrix(head: FileHead): Promise<Matrix | undefined> {
  if (head.parquet) return undefined;
  const { rows, ...dialect } = await firstRows(head);
  const trailing =
    dialect.delimiter !== "spaces" && rows.length > 1 && rows.every(({ fields }) => fields.at(-1) === "");
  const cleaned = rows.map((row) => clean(row, trailing));
  const named = namesOf(cleaned);
  if (named === undefined && !allCells(cleaned)) return undefined;
  const count = named?.length ?? cleaned[0].length;
  if (count > MAX_NODES) {
    throw new InputError(
      `${head.path}: a matrix of ${count} nodes; expected at most ${MAX_NODES}. Give a list of edges instead.`,
    );
  }
  const names = named ?? Array.from({ length: count }, (_, i) => String(i + 1));
  const reader = new MatrixReader(head.path, names, named !== undefined);
  const scanner = new RowScanner(dialect);
  const take = (some: readonly ScannedRow[]) => some.every((row) => reader.take(row.line, clean(row, trailing)));
  for await (const text of readText(head)) if (!take(scanner.push(text))) return undefined;
  return take(scanner.end()) ? reader.end() : undefined;
}

async function firstRows(head: FileHead): Promise<Dialect & { readonly rows: readonly ScannedRow[] }> {
  const found = scanHead(head, false);
  if (head.complete || found.rows.length > MIN_ROWS) return found;
  const scanner = new RowScanner(found);
  const rows: ScannedRow[] = [];
  let read = 0;
  for await (const text of readText(head)) {
    appendAll(rows, scanner.push(text));
    read += text.length;
    if (rows.length > MIN_ROWS || read > MAX_TEXT) break;
  }
  return { ...found, rows };
}

/** Without the quotes that a dialect of blanks leaves, and without the empty field after a delimiter at the end. */
function clean({ fields }: ScannedRow, trailing: boolean): readonly string[] {
  const kept = trailing && fields.at(-1) === "" ? fields.slice(0, -1) : fields;
  return kept.map((field) => field.trim().replace(/^"(.*)"$/, "$1"));
}

/** What a cell is worth; NaN for what is none. */
function cellValue(text: string): number {
  if (isNumeric(text)) return Number(text);
  const word = text.toLowerCase();
  if (word === "true") return 1;
  return word === "" || word === "false" || NO_VALUES.includes(word) ? 0 : Number.NaN;
}

/** Of rows and columns alike, with the corner or without; undefined where they differ. */
function namesOf([first, ...below]: readonly (readonly string[])[]): readonly string[] | undefined {
  if (first === undefined || below.length === 0) return undefined;
  const corner = first.length === below[0].length;
  const names = corner ? first.slice(1) : first;
  if (names.length < 2 || below[0].length !== names.length + 1 || below.length > names.length) return undefined;
  const alike = below.every((fields, i) => fields[0] === names[i]);
  const distinct = new Set(names).size === names.length && names.every((name) => name !== "");
  if (!alike || !distinct) return undefined;
  // the first row and column of numbers alone are the same too; as names they are counted
  const counted = names.every((name, i) => /^\d+$/.test(name) && (i === 0 || Number(name) > Number(names[i - 1])));
  if (corner && isNumeric(first[0]) && !counted) return undefined;
  // a path of edges, a–b and b–c, begins like a matrix too
  const clear = !corner || first[0] === "" || below.length === names.length || below.length >= MIN_ROWS;
  const cells = below.flatMap((fields) => fields.slice(1));
  const wrong = cells.filter((cell) => Number.isNaN(cellValue(cell))).length;
  const right = cells.filter((cell) => isNumeric(cell) || /^(true|false)$/i.test(cell)).length;
  return clear && right > 0 && wrong <= right ? names : undefined;
}

function allCells(rows: readonly (readonly string[])[]): boolean {
  const width = rows[0]?.length ?? 0;
  const sound = (fields: readonly string[], i: number) =>
    fields.length === width && fields.every((field, j) => (field !== "" || i === j) && !Number.isNaN(cellValue(field)));
  return width >= MIN_COLUMNS && rows.length <= width && rows.every(sound);
}

/** What to add to the refusal of a file that is nearly a matrix. */
export function matrixAdvice(head: FileHead): string {
  if (head.parquet || !head.complete) return "";
  const { rows } = scanHead(head, false);
  const width = rows[0]?.fields.length ?? 0;
  const square = width >= MIN_COLUMNS && Math.abs(rows.length - width) <= 1;
  const cells = rows.slice(1).flatMap(({ fields }) => fields.slice(1));
  const numbers = cells.filter((cell) => isNumeric(cell.replace(",", "."))).length;
  if (!square || 2 * numbers < cells.length) return "";
  return " If it is a matrix: rows and columns need the same names in the same order, each once, and numbers a decimal point.";
}

class MatrixReader {
  readonly #path: string;
  readonly #names: readonly string[];
  /** Whether a row of names comes first, and a name in each row. */
  readonly #named: boolean;
  readonly #cells: Float64Array;
  readonly #diagonal = new Set<number>();
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
  take(line: number, fields: readonly string[]): boolean {
    const { length } = this.#names;
    const i = this.#row++;
    if (i < 0) return true;
    const values = this.#named ? fields.slice(1) : fields;
    if (i >= length || values.length !== length || (this.#named && fields[0] !== this.#names[i])) {
      if (!this.#named) return false;
      const [found, expected] =
        i >= length
          ? ["one row more", `${length} rows, as there are columns`]
          : [
              `row ${quoteValue(fields[0])} of ${values.length} cells`,
              `row ${quoteValue(this.#names[i])} of ${length}`,
            ];
      throw new InputError(`${this.#path}:${line}: ${found}; expected ${expected}.`);
    }
    values.forEach((value, j) => {
      const number = cellValue(value);
      if (i === j) this.#diagonal.add(number);
      else if (number >= 0 && Math.fround(number) < Infinity) this.#cells[i * length + j] = number;
      else {
        const advice = value.includes(",") ? "Write a point instead of the comma." : "Put 0 for no edge.";
        this.#fault ??=
          `${this.#path}:${line}: ${quoteValue(value)} for ${quoteValue(this.#names[i])} and ${quoteValue(this.#names[j])}; ` +
          `expected a finite number that is not negative. ${number < 0 ? "Take absolute values, or 0 for negative ones." : advice}`;
      }
    });
    return true;
  }

  /** Undefined where it is none after all. */
  end(): Matrix | undefined {
    const { length } = this.#names;
    if (this.#row !== length) {
      if (!this.#named) return undefined;
      throw new InputError(`${this.#path}: ${this.#row} rows and ${length} columns; expected as many.`);
    }
    const symmetric = isSymmetric(this.#cells, length);
    const signs = Number(symmetric) + Number(this.#diagonal.size === 1);
    if (!this.#named && signs < (length < CLEAR_COLUMNS ? 2 : 1)) return undefined;
    if (this.#fault !== undefined) throw new InputError(this.#fault);
    if (this.#cells.every((cell) => cell === 0)) {
      throw new InputError(`${this.#path}: a matrix without an edge; expected cells other than 0.`);
    }
    const weighted = this.#cells.some((cell) => cell !== 0 && cell !== 1);
    return { names: this.#names, named: this.#named, cells: this.#cells, symmetric, weighted };
  }
}

function isSymmetric(cells: Float64Array, length: number): boolean {
  for (let i = 0; i < length; i++) {
    for (let j = 0; j < i; j++) {
      const [a, b] = [cells[i * length + j], cells[j * length + i]];
      if (Math.abs(a - b) > ROUNDING * Math.max(a, b)) return false;
    }
  }
  return true;
}

/**
 * Puts its edges into `edges` and its nodes, also those without an edge, into `listed_nodes`. Of a symmetric matrix that
 * is read without direction an edge is taken once.
 */
export async function importMatrix(
  connection: DuckDBConnection,
  { names, cells, symmetric }: Matrix,
  relation: string,
  directed: boolean,
): Promise<void> {
  const { length } = names;
  const rows = await edgeRows(connection);
  for (let i = 0; i < length; i++) {
    rows.node(names[i]);
    for (let j = symmetric && !directed ? i + 1 : 0; j < length; j++) {
      const weight = cells[i * length + j];
      if (weight !== 0) rows.edge(names[i], names[j], relation, weight);
    }
  }
  rows.close();
}
