/** Opens a Parquet file as a table. */

import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type SchemaElement,
} from "hyparquet";
import { InputError } from "../../../index.js";
import { type DetectOptions, nestedFault, splitFileName, valueFault } from "../../../tables.js";
import { type Cell, type FileTable, PREVIEW_ROWS, type TableColumn } from "./file-table.js";
import { chooseOrExplain } from "./json-table.js";
import { type ByteListener, MAX_TEXT_BYTES, tooLarge } from "./unpack.js";

/** Compressions that can be unpacked in a page. */
const READABLE: readonly string[] = ["UNCOMPRESSED", "SNAPPY"];

interface OpenedFile {
  readonly path: string;
  readonly buffer: AsyncBuffer;
  readonly metadata: FileMetaData;
  readonly columns: readonly { readonly element: SchemaElement; readonly nested: boolean }[];
}

/** Opens a Parquet table; columns that cannot be found are left to the visitor. */
export async function openParquetTable(file: File, options: DetectOptions): Promise<FileTable> {
  const path = file.name;
  if (file.size > MAX_TEXT_BYTES) throw tooLarge(path);
  const buffer = {
    byteLength: file.size,
    slice: (start: number, end?: number) => file.slice(start, end).arrayBuffer(),
  };
  const metadata = await parquetMetadataAsync(buffer).catch((error: unknown) => {
    throw damaged(path, error);
  });
  const columns = parquetSchema(metadata).children.map(({ element, children }) => ({
    element,
    nested: children.length > 0 || element.repetition_type === "REPEATED",
  }));
  const codecs = metadata.row_groups.flatMap((group) => group.columns.map((column) => column.meta_data?.codec ?? ""));
  const codec = codecs.find((name) => !READABLE.includes(name));
  if (codec !== undefined) {
    throw new InputError(
      `${path}: Parquet compressed with ${codec}; expected Snappy or no compression in a page. The command line reads it: hmge embed.`,
    );
  }
  const opened = { path, buffer, metadata, columns };
  const names = columns.map(({ element }) => element.name);
  const first = await readCells(
    opened,
    names.map((_, index) => index),
    0,
    PREVIEW_ROWS,
  );
  return {
    path,
    stem: splitFileName(path).stem,
    kind: "parquet",
    names,
    header: true,
    ...chooseOrExplain(path, names, options),
    firstRows: (first[0] ?? []).map((_, row) =>
      first.map((cells, c) => String(shownValue(cells[row], columns[c].element) ?? "")),
    ),
    notes: [],
    rows: (wanted, onBytes) => readRows(opened, file.size, wanted, onBytes),
  };
}

function damaged(path: string, error: unknown): InputError {
  const reason = error instanceof Error ? error.message : String(error);
  return new InputError(`${path}: cannot be read as Parquet: ${reason}. The file may be cut off or damaged.`);
}

/** The values of columns in some rows, column by column. */
async function readCells(
  { path, buffer, metadata, columns }: OpenedFile,
  indices: readonly number[],
  rowStart: number,
  rowEnd: number,
): Promise<unknown[][]> {
  const names = indices.map((index) => columns[index].element.name);
  const cells = new Map<string, unknown[]>(names.map((name) => [name, []]));
  const end = Math.min(rowEnd, Number(metadata.num_rows));
  if (end <= rowStart || names.length === 0) return names.map(() => []);
  try {
    await parquetRead({
      file: buffer,
      metadata,
      columns: [...new Set(names)],
      rowStart,
      rowEnd: end,
      rowFormat: "object",
      onComplete: (rows) => {
        for (const row of rows) for (const [name, list] of cells) list.push(row[name]);
      },
    });
  } catch (error) {
    throw damaged(path, error);
  }
  return names.map((name) => cells.get(name) ?? []);
}

/** Number of rows in a batch; not tuned. */
const BATCH_ROWS = 65536;

async function* readRows(
  opened: OpenedFile,
  size: number,
  columns: readonly TableColumn[],
  onBytes?: ByteListener,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  const { path } = opened;
  const elements = columns.map(({ index }) => opened.columns[index].element);
  for (const { role, index } of columns) {
    if (role !== undefined && opened.columns[index].nested)
      throw nestedFault(path, opened.columns[index].element.name, role.name);
  }
  const numRows = Number(opened.metadata.num_rows);
  for (let start = 0; start < numRows; start += BATCH_ROWS) {
    const indices = columns.map(({ index }) => index);
    const values = await readCells(opened, indices, start, start + BATCH_ROWS);
    const cells = columns.map(({ role }, c) =>
      values[c].map((value) =>
        role?.check === "weight" ? weightOf(value, elements[c]) : nameOf(value, elements[c], path),
      ),
    );
    columns.forEach(({ role }, c) => {
      if (role === undefined) return;
      cells[c].forEach((cell, i) => {
        const isAccepted = typeof cell === "number" && Number.isFinite(Math.fround(cell)) && cell >= 0;
        if (isAccepted) return;
        const wrong = valueFault(
          role,
          role.check === "weight" ? textOf(shownValue(values[c][i], elements[c])) : textOf(cell),
        );
        if (wrong !== undefined) throw new InputError(`${path}: row ${start + i + 1}: ${wrong}`);
      });
    });
    onBytes?.((size * Math.min(numRows, start + BATCH_ROWS)) / numRows);
    yield Array.from(cells[0] ?? [], (_, row) => cells.map((column) => column[row]));
  }
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}

/** Maximum of the range in which each floating-point type represents every whole number exactly. */
const MAX_EXACT: Readonly<Record<string, number>> = { DOUBLE: 2 ** 53 - 1, FLOAT: 2 ** 24 - 1 };

/** The text of a value as the command line names nodes: whole numbers without a fraction. */
function nameOf(value: unknown, element: SchemaElement, path: string): Cell {
  if (value === null || value === undefined) return null;
  const maxExact = MAX_EXACT[element.type ?? ""];
  if (typeof value !== "number" || maxExact === undefined)
    return textOf(isDecimal(element) ? decimal(value, element) : shownValue(value, element));
  if (Number.isFinite(value) && Math.abs(value) > maxExact) {
    throw new InputError(
      `${path}: ids are floating-point numbers that are too large to be exact, such as ids of 20 digits that were read as numbers; expected text or whole numbers. Store the ids as text.`,
    );
  }
  if (Number.isInteger(value) || element.type === "DOUBLE") return String(value);
  // The shortest text that stands for the same number of single precision, which has 6 to 9 digits.
  for (let digits = 6; digits < 9; digits++) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === value) return String(text);
  }
  return String(Number(value.toPrecision(9)));
}

function isDecimal({ converted_type, logical_type }: SchemaElement): boolean {
  return converted_type === "DECIMAL" || logical_type?.type === "DECIMAL";
}

/** A decimal, which hyparquet multiplies by a rounded power of ten, as the nearest number. */
function decimal(value: unknown, { scale = 0 }: SchemaElement): number {
  return Number(Number(value).toFixed(scale));
}

function weightOf(value: unknown, element: SchemaElement): Cell {
  if (isDecimal(element) && value !== null && value !== undefined) return decimal(value, element);
  return typeof value === "number" ? value : typeof value === "bigint" ? Number(value) : textOf(value);
}

/** A value as tables show it: decimals with all digits, times without the letters of ISO 8601. */
function shownValue(value: unknown, element: SchemaElement): unknown {
  if (isDecimal(element) && typeof value === "number") return value.toFixed(element.scale ?? 0);
  if (!(value instanceof Date)) return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
  const text = value.toISOString();
  if (element.converted_type === "DATE" || element.logical_type?.type === "DATE") return text.slice(0, 10);
  return text.replace("T", " ").replace(/(\.000)?Z$/, "");
}
