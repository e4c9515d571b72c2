/** Opens a delimited text file as a table. */

import { InputError } from "../../../index.js";
import {
  type DetectOptions,
  detectTextTable,
  EDGE_ROLES,
  ForeignFormatError,
  isProbablyHeader,
  LineDecoder,
  LineEnds,
  NoRowsError,
  type RowNames,
  RowScanner,
  recognisedColumns,
  requireRow,
  rowNamesNotes,
  type ScannedRow,
  scanHead,
  type TextHead,
  trimName,
  withMatrixAdvice,
} from "../../../tables.js";
import { type Cell, columnsByRole, type FileTable, PREVIEW_ROWS, rolesOf, type TableColumn } from "./file-table.js";
import { type ByteListener, unpack } from "./unpack.js";

interface FoundTable extends Pick<FileTable, "names" | "header" | "chosen" | "problem"> {
  readonly delimiter: string;
  readonly skipLines: number;
  readonly rowNames?: RowNames;
}

/** Opens a text table; columns that cannot be found are left to the visitor. */
export function openTextTable(file: File, gzip: boolean, head: TextHead, options: DetectOptions): FileTable {
  const found = findColumns(head, options);
  return textTable(file, gzip, head, found);
}

function findColumns(head: TextHead, options: DetectOptions): FoundTable {
  try {
    return detectTextTable(head, options);
  } catch (error) {
    if (!(error instanceof InputError) || error instanceof NoRowsError || error instanceof ForeignFormatError)
      throw error;
    const advised = withMatrixAdvice(error, head);
    return { ...withFirstRow(head), problem: advised instanceof Error ? advised.message : String(advised) };
  }
}

/**
 * The table whose first row holds names or an edge, as the visitor says; unless the visitor says it, as the rows suggest. Columns with
 * known names have their roles, as on the command line.
 */
function withFirstRow(head: TextHead, wanted?: boolean): FoundTable {
  const { delimiter, rows } = scanHead(head, false);
  const [first] = rows;
  const header = wanted ?? isProbablyHeader(rows);
  const names = header ? first.fields : first.fields.map((_, i) => `column ${i + 1}`);
  const chosen = header ? recognisedColumns(names, EDGE_ROLES) : new Map<string, number>();
  return { delimiter, skipLines: header ? first.line : first.line - 1, names, header, chosen };
}

function textTable(file: File, gzip: boolean, head: TextHead, found: FoundTable): FileTable {
  const { names, header, chosen, problem, delimiter, skipLines } = found;
  const scanner = new RowScanner({ delimiter, skipLines });
  const firstRows = scanner.push(head.text);
  if (head.complete && firstRows.length < PREVIEW_ROWS) for (const row of scanner.end()) firstRows.push(row);
  return {
    path: head.path,
    stem: head.stem,
    kind: "text",
    names,
    header,
    chosen,
    ...(problem === undefined ? {} : { problem }),
    firstRows: firstRows.slice(0, PREVIEW_ROWS).map(({ fields }) => fields),
    notes: rowNamesNotes(head.path, found),
    withHeader: (wanted) =>
      textTable(file, gzip, head, wanted === header ? found : { ...withFirstRow(head, wanted), problem }),
    rows: (columns, onBytes) => readRows(file, gzip, found, columns, onBytes),
  };
}

async function* readRows(
  file: File,
  gzip: boolean,
  { names, delimiter, skipLines }: FoundTable,
  columns: readonly TableColumn[],
  onBytes?: ByteListener,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  const table = { path: file.name, delimiter, names, chosen: columnsByRole(columns) };
  const roles = rolesOf(columns);
  const scanner = new RowScanner({ delimiter, skipLines });
  const decoder = new LineDecoder(file.name);
  const lineEnds = new LineEnds();
  const take = (rows: readonly ScannedRow[]) =>
    rows.map((row) => {
      requireRow(table, roles, row);
      return columns.map(({ index }) => trimName(row.fields[index]));
    });
  for await (const bytes of unpack(file, gzip, onBytes)) {
    const text = decoder.decode(bytes);
    lineEnds.push(text);
    yield take(scanner.push(text));
  }
  const last = decoder.decode();
  lineEnds.push(last);
  yield take([...scanner.push(last), ...scanner.end()]);
  lineEnds.end(file.name);
}
