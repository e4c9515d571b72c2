/**
 * Reads an adjacency matrix from a text file: one relation, with a row and a column for each node; cells are the weights of edges. 0,
 * false, an empty cell and NaN mean no edge. The diagonal is ignored.
 *
 * A file is a matrix if its rows and columns have the same names in the same order; the corner may be empty, a name, or missing as
 * in R. It is also a matrix if it holds only numbers in as many rows as columns, and it is symmetric or its diagonal is
 * constant. With fewer than five columns both must hold, because the file may be a list of edges.
 */

import { InputError } from "../../core/errors.js";
import { MISSING_TOKENS } from "../../core/missing-tokens.js";
import { quoteValue } from "../../core/text.js";
import { appendAll } from "../../numeric/append-all.js";
import { isNumeric } from "../check-value.js";
import { ForeignFormatError } from "../foreign-formats.js";
import { type Dialect, RowScanner, type ScannedRow } from "../row-scanner.js";
import { scanHead } from "../scan-head.js";
import { NoRowsError, type TextHead } from "../text-head.js";

export interface Matrix {
  readonly names: readonly string[];
  /** Whether the names are from the file; otherwise they are the numbers from 1. */
  readonly named: boolean;
  /** Row by row. */
  readonly cells: Float64Array;
  /** Up to rounding. */
  readonly symmetric: boolean;
  /** Whether there are cells other than 0 and 1. */
  readonly weighted: boolean;
}

/** Minimum number of columns of a matrix without names. */
const MIN_COLUMNS = 3;
/** With this many columns or more, numbers are unlikely to be a list of edges. */
const CLEAR_COLUMNS = 5;
/** Rows that must match the column names if there is a name in the corner and the matrix is not seen completely. */
const MIN_ROWS = 3;
/** Maximum number of nodes: their cells take half a gigabyte. */
const MAX_NODES = 8192;
/** Characters that are read in search of the first rows if they are longer than the head of the file. */
const MAX_TEXT = 1 << 23;
/** Relative difference of two cells that counts as rounding. */
const ROUNDING = 1e-6;

/** Reads the matrix in a text file; undefined if the file is not a matrix. `readText` gives the whole text, in pieces. */
export async function readMatrix(head: TextHead, readText: () => AsyncIterable<string>): Promise<Matrix | undefined> {
  const { rows, ...dialect } = await firstRows(head, readText);
  const trailing =
    dialect.delimiter !== "spaces" && rows.length > 1 && rows.every(({ fields }) => fields.at(-1) === "");
  const cleaned = rows.map((row) => clean(row, trailing));
  const namesInFile = namesOf(cleaned);
  if (namesInFile === undefined && !allCells(cleaned)) return undefined;
  const count = namesInFile?.length ?? cleaned[0].length;
  if (count > MAX_NODES) {
    throw new InputError(
      `${head.path}: an adjacency matrix of ${count} nodes; expected at most ${MAX_NODES}. Give a list of edges instead.`,
    );
  }
  const names = namesInFile ?? Array.from({ length: count }, (_, i) => String(i + 1));
  const reader = new MatrixReader(head.path, names, namesInFile !== undefined);
  const scanner = new RowScanner(dialect);
  const take = (some: readonly ScannedRow[]) => some.every((row) => reader.take(row.line, clean(row, trailing)));
  for await (const text of readText()) if (!take(scanner.push(text))) return undefined;
  return take(scanner.end()) ? reader.end() : undefined;
}

async function firstRows(
  head: TextHead,
  readText: () => AsyncIterable<string>,
): Promise<Dialect & { readonly rows: readonly ScannedRow[] }> {
  const found = scanHead(head, false);
  if (head.complete || found.rows.length > MIN_ROWS) return found;
  const scanner = new RowScanner(found);
  const rows: ScannedRow[] = [];
  let read = 0;
  for await (const text of readText()) {
    appendAll(rows, scanner.push(text));
    read += text.length;
    if (rows.length > MIN_ROWS || read > MAX_TEXT) break;
  }
  return { ...found, rows };
}

/** The fields without quotation marks, which a dialect of blanks keeps, and without the empty field after a trailing delimiter. */
function clean({ fields }: ScannedRow, trailing: boolean): readonly string[] {
  const kept = trailing && fields.at(-1) === "" ? fields.slice(0, -1) : fields;
  return kept.map((field) => field.trim().replace(/^"(.*)"$/, "$1"));
}

/** The weight in a cell; NaN if it is not a cell of a matrix. */
function cellValue(text: string): number {
  if (isNumeric(text)) return Number(text);
  const word = text.toLowerCase();
  if (word === "true") return 1;
  return word === "" || word === "false" || MISSING_TOKENS.includes(word) ? 0 : Number.NaN;
}

/** The names that rows and columns have in common, with or without a corner; undefined if they differ. */
function namesOf([first, ...below]: readonly (readonly string[])[]): readonly string[] | undefined {
  if (first === undefined || below.length === 0) return undefined;
  const corner = first.length === below[0].length;
  const names = corner ? first.slice(1) : first;
  if (names.length < 2 || below[0].length !== names.length + 1 || below.length > names.length) return undefined;
  const sameNames = below.every((fields, i) => fields[0] === names[i]);
  const distinct = new Set(names).size === names.length && names.every((name) => name !== "");
  if (!sameNames || !distinct) return undefined;
  // In a symmetric matrix without names, the first row equals the first column too. Numbers are names only if they increase.
  const increasing = names.every((name, i) => /^\d+$/.test(name) && (i === 0 || Number(name) > Number(names[i - 1])));
  if (corner && isNumeric(first[0]) && !increasing) return undefined;
  // A path of edges, a–b and b–c, begins like a matrix too.
  const clear = !corner || first[0] === "" || below.length === names.length || below.length >= MIN_ROWS;
  const cells = below.flatMap((fields) => fields.slice(1));
  const wrong = cells.filter((cell) => Number.isNaN(cellValue(cell))).length;
  const right = cells.filter((cell) => isNumeric(cell) || /^(true|false)$/i.test(cell)).length;
  return clear && right > 0 && wrong <= right ? names : undefined;
}

function allCells(rows: readonly (readonly string[])[]): boolean {
  const width = rows[0]?.length ?? 0;
  const isRowOfCells = (fields: readonly string[], i: number) =>
    fields.length === width && fields.every((field, j) => (field !== "" || i === j) && !Number.isNaN(cellValue(field)));
  return width >= MIN_COLUMNS && rows.length <= width && rows.every(isRowOfCells);
}

/** The error about a refused file, with advice if the file is almost a matrix. */
export function withMatrixAdvice(error: unknown, head: TextHead): unknown {
  const isClear = error instanceof NoRowsError || error instanceof ForeignFormatError;
  const mayBeMatrix = error instanceof InputError && !isClear && !error.message.includes("--sql");
  return mayBeMatrix ? new InputError(`${error.message}${matrixAdvice(head)}`) : error;
}

/** Advice for a refused file that is almost a matrix; empty for other files. */
function matrixAdvice(head: TextHead): string {
  if (!head.complete) return "";
  const { rows } = scanHead(head, false);
  const width = rows[0]?.fields.length ?? 0;
  const square = width >= MIN_COLUMNS && Math.abs(rows.length - width) <= 1;
  const cells = rows.slice(1).flatMap(({ fields }) => fields.slice(1));
  const numbers = cells.filter((cell) => isNumeric(cell.replace(",", "."))).length;
  if (!square || 2 * numbers < cells.length) return "";
  return " If this is an adjacency matrix: rows and columns need the same distinct names in the same order, and numbers need a decimal point.";
}

class MatrixReader {
  readonly #path: string;
  readonly #names: readonly string[];
  /** Whether the first row holds names and every row begins with a name. */
  readonly #named: boolean;
  readonly #cells: Float64Array;
  readonly #diagonal = new Set<number>();
  #row: number;
  /** The message about the first invalid cell; thrown once the file is known to be a matrix. */
  #fault: string | undefined;

  constructor(path: string, names: readonly string[], named: boolean) {
    this.#path = path;
    this.#names = names;
    this.#named = named;
    this.#cells = new Float64Array(names.length ** 2);
    this.#row = named ? -1 : 0;
  }

  /** Adds a row. If the row does not fit: returns false for a matrix without names, throws for one with names. */
  take(line: number, fields: readonly string[]): boolean {
    const { length } = this.#names;
    const i = this.#row++;
    if (i < 0) return true;
    const values = this.#named ? fields.slice(1) : fields;
    if (i >= length || values.length !== length || (this.#named && fields[0] !== this.#names[i])) {
      if (!this.#named) return false;
      const [found, expected] =
        i >= length
          ? ["one row too many", `${length} rows for ${length} columns`]
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
        const advice = value.includes(",") ? "Write a point instead of the comma." : "Write 0 for no edge.";
        this.#fault ??=
          `${this.#path}:${line}: ${quoteValue(value)} for ${quoteValue(this.#names[i])} and ${quoteValue(this.#names[j])}; ` +
          `expected a finite number that is not negative. ${number < 0 ? "Use absolute values, or replace negative ones by 0." : advice}`;
      }
    });
    return true;
  }

  /** The matrix; undefined if the rows are not a matrix. */
  end(): Matrix | undefined {
    const { length } = this.#names;
    if (this.#row !== length) {
      if (!this.#named) return undefined;
      throw new InputError(`${this.#path}: ${this.#row} rows and ${length} columns; expected as many rows as columns.`);
    }
    const symmetric = isSymmetric(this.#cells, length);
    const signs = Number(symmetric) + Number(this.#diagonal.size === 1);
    if (!this.#named && signs < (length < CLEAR_COLUMNS ? 2 : 1)) return undefined;
    if (this.#fault !== undefined) throw new InputError(this.#fault);
    if (this.#cells.every((cell) => cell === 0)) {
      throw new InputError(`${this.#path}: an adjacency matrix without an edge; expected cells other than 0.`);
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
