/** Opens a file of JSON lines, or one JSON array of objects, as a table. */

import { InputError } from "../../../index.js";
import {
  chooseByName,
  type DetectOptions,
  isJsonArray,
  keysOfLines,
  LineDecoder,
  nestedFault,
  readJsonLine,
  recognisedColumns,
  requireKeysFound,
  type TextHead,
  valueFault,
} from "../../../tables.js";
import { type Cell, columnsByRole, type FileTable, PREVIEW_ROWS, rolesOf, type TableColumn } from "./file-table.js";
import { type ByteListener, unpack } from "./unpack.js";

/** Number of rows that are searched for lists and objects, as the command line searches them; not tuned. */
const SAMPLE_ROWS = 1000;

type Fields = Readonly<Record<string, unknown>>;

/** Opens a JSON table; columns that cannot be found are left to the visitor. */
export async function openJsonTable(
  file: File,
  gzip: boolean,
  head: TextHead,
  options: DetectOptions,
): Promise<FileTable> {
  const array = isJsonArray(head);
  const objects = array ? parseArray(await wholeText(file, gzip), file.name) : undefined;
  const names = objects === undefined ? await keysOfFile(file, gzip, head) : keysOfArray(objects.values);
  requireKeysFound(new Set(names), file.name, array);
  const first = objects === undefined ? firstObjects(head) : objects.values.slice(0, PREVIEW_ROWS);
  return {
    path: file.name,
    stem: head.stem,
    kind: "json",
    names,
    header: true,
    ...chooseOrExplain(file.name, names, options),
    firstRows: first.map((value) => names.map((name) => cellText(value[name]) ?? "")),
    notes: [],
    rows: (columns, onBytes) =>
      objects === undefined
        ? readLines(file, gzip, names, columns, onBytes)
        : readObjects(file.name, objects, names, columns),
  };
}

/** The columns of the roles among these names; if there are none, the reason. */
export function chooseOrExplain(
  path: string,
  names: readonly string[],
  { roles, userColumns }: DetectOptions,
): Pick<FileTable, "chosen" | "problem"> {
  try {
    return { chosen: chooseByName(path, names, roles, userColumns) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { chosen: recognisedColumns(names, roles, userColumns), problem: error.message };
  }
}

function firstObjects(head: TextHead): Fields[] {
  const lines = head.text.split(/\r?\n/).filter((line) => line.trim() !== "");
  return lines.slice(0, PREVIEW_ROWS).map((line) => JSON.parse(line));
}

/** Keys of the objects of JSON lines: those of the head, then others of later lines in ascending order. */
async function keysOfFile(file: File, gzip: boolean, head: TextHead): Promise<string[]> {
  const names = keysOfLines(head);
  if (head.complete) return [...names];
  const later = new Set<string>();
  try {
    for await (const { json } of readJson(file, gzip)) {
      if (json.trim() === "") continue;
      for (const key of Object.keys(JSON.parse(json))) if (!names.has(key)) later.add(key);
    }
  } catch (error) {
    // The line at fault is found when the rows are read.
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
  return [...names, ...[...later].sort()];
}

function keysOfArray(values: readonly Fields[]): string[] {
  const names = new Set(values.length === 0 ? [] : Object.keys(values[0]));
  const all = new Set(values.flatMap((value) => Object.keys(value)));
  return [...new Set([...names, ...[...all].sort()])];
}

async function wholeText(file: File, gzip: boolean): Promise<string> {
  const decoder = new LineDecoder(file.name);
  const pieces: string[] = [];
  for await (const bytes of unpack(file, gzip)) pieces.push(decoder.decode(bytes));
  return [...pieces, decoder.decode()].join("");
}

interface ObjectList {
  readonly values: readonly Fields[];
  readonly text: string;
}

function parseArray(text: string, path: string): ObjectList {
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch (error) {
    throw new InputError(`${path}: not valid JSON: ${error instanceof Error ? error.message : error}.`);
  }
  const isObject = (value: unknown): value is Fields =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  if (!Array.isArray(values) || !values.every(isObject)) {
    throw new InputError(`${path}: the array holds other values than objects; expected an object for each edge.`);
  }
  return { values, text };
}

/** The lines of a file with their numbers. */
async function* readJson(file: File, gzip: boolean, onBytes?: ByteListener) {
  const decoder = new LineDecoder(file.name);
  let rest = "";
  let line = 0;
  for await (const bytes of unpack(file, gzip, onBytes)) {
    const lines = (rest + decoder.decode(bytes)).split("\n");
    rest = lines.pop() ?? "";
    for (const json of lines) yield { line: ++line, json };
  }
  yield { line: ++line, json: rest + decoder.decode() };
}

/** Number of lines of JSON in a batch; not tuned. */
const BATCH_ROWS = 4096;

async function* readLines(
  file: File,
  gzip: boolean,
  names: readonly string[],
  columns: readonly TableColumn[],
  onBytes?: ByteListener,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  const path = file.name;
  const table = { names, chosen: columnsByRole(columns) };
  const roles = rolesOf(columns);
  let batch: Cell[][] = [];
  let count = 0;
  for await (const { line, json } of readJson(file, gzip, onBytes)) {
    const fields = readJsonLine(json, { path, line }, table, roles);
    if (fields === undefined) continue;
    if (count++ < SAMPLE_ROWS) requirePlain(path, names, columns, (name) => fields.get(name));
    const isName = ({ role, index }: TableColumn) =>
      role?.check === "text" && typeof fields.get(names[index]) === "number";
    const exact = columns.some(isName) ? parseExactly(json) : undefined;
    batch.push(columns.map(({ index }) => cellText(exact?.[names[index]] ?? fields.get(names[index]))));
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

async function* readObjects(
  path: string,
  { values, text }: ObjectList,
  names: readonly string[],
  columns: readonly TableColumn[],
): AsyncGenerator<readonly (readonly Cell[])[]> {
  const isNumber = ({ role, index }: TableColumn) =>
    role?.check === "text" && values.some((value) => typeof value[names[index]] === "number");
  const exact: readonly Fields[] = columns.some(isNumber) ? parseExactly(text) : values;
  for (const value of values.slice(0, SAMPLE_ROWS)) requirePlain(path, names, columns, (name) => value[name]);
  for (const { role, index } of columns) {
    if (role === undefined) continue;
    exact.forEach((value, row) => {
      const wrong = valueFault(role, cellText(value[names[index]]));
      if (wrong !== undefined) throw new InputError(`${path}: row ${row + 1}: ${wrong}`);
    });
  }
  yield exact.map((value) => columns.map(({ index }) => cellText(value[names[index]])));
}

function requirePlain(
  path: string,
  names: readonly string[],
  columns: readonly TableColumn[],
  cellOf: (name: string) => unknown,
): void {
  for (const { role, index } of columns) {
    const value = cellOf(names[index]);
    if (role !== undefined && typeof value === "object" && value !== null)
      throw nestedFault(path, names[index], role.name);
  }
}

/** Numbers as the command line names nodes after them: whole numbers as they are written, others with a fraction. */
// biome-ignore lint/suspicious/noExplicitAny: the result of JSON.parse
function parseExactly(json: string): any {
  const reviver = (_: string, value: unknown, context?: { readonly source?: string }) => {
    if (typeof value !== "number") return value;
    const source = context?.source ?? String(value);
    if (/^-?\d{1,19}$/.test(source)) return source;
    const text = String(value).replace("e+", "e");
    return /[.e]/.test(text) ? text : `${text}.0`;
  };
  return JSON.parse(json, reviver);
}

/** A value as text; lists and objects as JSON. */
function cellText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
