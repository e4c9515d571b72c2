/** Writes a table of texts and numbers as CSV, TSV, JSON lines or Parquet, by the extension of the file. */

import { DOUBLE, DuckDBDataChunk, VARCHAR } from "@duckdb/node-api";
import { quoteText } from "../../core/text.js";
import { quoteField } from "../../core/vector-text.js";
import { writeAtomically } from "../atomic-write.js";
import { CHUNK_ROWS, quoteName, withDatabase } from "../duckdb.js";
import { extensionFormat } from "./extension-format.js";

const FORMATS = ["csv", "tsv", "jsonl", "parquet"] as const;
export type TableFormat = (typeof FORMATS)[number];

/** One column; all columns of a table have the same length. */
export interface TableColumn {
  readonly name: string;
  readonly values: readonly string[] | Float64Array;
}

/** Significant digits of a number in text files. */
const DIGITS = 6;

/** The format of a file by its extension. */
export function tableFormat(path: string): TableFormat {
  return extensionFormat(path, FORMATS);
}

/** Writes the table completely or not at all. */
export async function writeTable(path: string, columns: readonly TableColumn[]): Promise<void> {
  const format = tableFormat(path);
  await writeAtomically(
    path,
    format === "parquet" ? (temporary) => writeParquet(temporary, columns) : textLines(columns, format),
  );
}

function* textLines(columns: readonly TableColumn[], format: Exclude<TableFormat, "parquet">): Generator<string> {
  const numRows = columns[0]?.values.length ?? 0;
  const numberText = (value: number) => String(Number(value.toPrecision(DIGITS)));
  if (format === "jsonl") {
    for (let i = 0; i < numRows; i++) {
      const fields = columns.map(({ name, values }) => {
        const value = values[i];
        return `${JSON.stringify(name)}:${typeof value === "number" ? numberText(value) : JSON.stringify(value)}`;
      });
      yield `{${fields.join(",")}}\n`;
    }
    return;
  }
  const delimiter = format === "csv" ? "," : "\t";
  yield `${columns.map(({ name }) => quoteField(name, delimiter)).join(delimiter)}\n`;
  for (let i = 0; i < numRows; i++) {
    const fields = columns.map(({ values }) => {
      const value = values[i];
      if (typeof value === "number") return numberText(value);
      return value === "" ? "" : quoteField(value, delimiter);
    });
    yield `${fields.join(delimiter)}\n`;
  }
}

async function writeParquet(path: string, columns: readonly TableColumn[]): Promise<void> {
  const numRows = columns[0]?.values.length ?? 0;
  const types = columns.map(({ values }) => (values instanceof Float64Array ? DOUBLE : VARCHAR));
  await withDatabase(async (connection) => {
    const declared = columns.map(({ name }, k) => `${quoteName(name)} ${types[k]}`).join(", ");
    await connection.run(`CREATE TABLE result(${declared})`);
    const appender = await connection.createAppender("result");
    for (let start = 0; start < numRows; start += CHUNK_ROWS) {
      const rows = Math.min(CHUNK_ROWS, numRows - start);
      const chunk = DuckDBDataChunk.create(types, rows);
      columns.forEach(({ values }, k) => {
        chunk.setColumnValues(
          k,
          Array.from({ length: rows }, (_, i) => values[start + i]),
        );
      });
      appender.appendDataChunk(chunk);
    }
    appender.closeSync();
    await connection.run(`COPY result TO ${quoteText(path)} (FORMAT parquet, COMPRESSION snappy)`);
  });
}
