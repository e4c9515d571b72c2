/** Reads a table of node attributes (CSV or TSV with a header line) into attributes of a scene. */

import { InputError } from "../../../index.js";
import { chooseByName, EDGE_ROLES } from "../../../tables.js";
import type { Attribute } from "../../scene/scene.js";
import { Turns } from "../turns.js";

export interface NodeTable {
  readonly attributes: readonly Attribute[];
  /** Name of the column that holds the ids. */
  readonly idColumn: string;
  /** Rows below the header. */
  readonly numRows: number;
  /** Nodes of the scene that the table names. */
  readonly matched: number;
  /** Rows whose id is no node of the scene. */
  readonly unmatched: number;
}

/** A column of whole numbers with at most this many different ones holds codes of categories, such as labels 0 to 5. */
const MAX_CODES = 20;
/** Columns that the list of attributes has room for. */
const MAX_COLUMNS = 1000;
/** Characters of a cell that a message shows. */
const SHOWN = 60;

/** `name` is the name of the file, for messages. If a node has several rows the last counts. */
export async function readNodeTable(text: string, ids: readonly string[], name: string): Promise<NodeTable> {
  const rows = await parseTable(text, delimiterOf(text));
  const header = rows.shift() ?? [];
  if (header.length < 2 || rows.length === 0) {
    const found = `${header.length} columns and ${rows.length} rows below the header`;
    throw new InputError(
      `${name}: found ${found}; expected a header line, a column of node ids and one column or more.`,
    );
  }
  if (header.length > MAX_COLUMNS) {
    const most = MAX_COLUMNS.toLocaleString("en");
    throw new InputError(
      `${name}: found ${header.length} columns; expected at most ${most}. Keep the columns that colour the nodes.`,
    );
  }
  const places = new Map<string, number>();
  for (let place = 0; place < ids.length; place++) places.set(ids[place], place);
  const matches = header.map((_, column) => rows.reduce((sum, row) => sum + (places.has(row[column]) ? 1 : 0), 0));
  const idColumn = placeOfLargest(matches);
  if (matches[idColumn] === 0) {
    const example = ids.length === 0 ? "" : ` such as ${JSON.stringify(ids[0].slice(0, SHOWN))}`;
    const first = JSON.stringify((rows[0][0] ?? "").slice(0, SHOWN));
    throw new InputError(
      `${name}: no column holds ids of this graph (the first cell is ${first}); expected one with ids${example}. Check that the file belongs to this graph.`,
    );
  }
  const nodes = Int32Array.from(rows, (row) => places.get(row[idColumn]) ?? -1);
  const attributes = header.flatMap((title, column) => {
    if (column === idColumn) return [];
    const cells = new Array<string>(ids.length).fill("");
    rows.forEach((row, i) => {
      if (nodes[i] >= 0) cells[nodes[i]] = row[column]?.trim() ?? "";
    });
    return [attributeOf(title.trim() === "" ? `column ${column + 1}` : title.trim(), cells)];
  });
  const matched = new Set(nodes);
  matched.delete(-1);
  const unmatched = rows.length - matches[idColumn];
  return { attributes, idColumn: header[idColumn], numRows: rows.length, matched: matched.size, unmatched };
}

/** Whether the header line names both ends of an edge, such as source and target: the table holds edges. */
export async function isEdgeTable(text: string): Promise<boolean> {
  const [line] = text.split(/[\r\n]/, 1);
  const [header = []] = await parseTable(line, delimiterOf(text));
  try {
    chooseByName("header", header, EDGE_ROLES);
    return true;
  } catch {
    return false;
  }
}

/** An attribute from one cell per node; empty cells are unknown. */
export function attributeOf(name: string, cells: readonly string[]): Attribute {
  const values = Float32Array.from(cells, (cell) => (cell === "" ? Number.NaN : Number(cell)));
  const distinct = new Set(cells);
  distinct.delete("");
  const isNumber = cells.every((cell, i) => cell === "" || Number.isFinite(values[i]));
  const isCode = distinct.size <= MAX_CODES && cells.every((cell) => cell === "" || /^[+-]?\d+$/.test(cell));
  if (isNumber && !isCode) return { name, kind: "number", values };
  const order = new Intl.Collator("en", { numeric: true });
  const categories = [...distinct].sort((a, b) => order.compare(a, b) || (a < b ? -1 : 1));
  const codes = new Map(categories.map((category, code) => [category, code]));
  return { name, kind: "category", categories, codes: Int32Array.from(cells, (cell) => codes.get(cell) ?? -1) };
}

function placeOfLargest(values: readonly number[]): number {
  return values.reduce((best, value, place) => (value > values[best] ? place : best), 0);
}

/** The delimiter that the first line has most of: comma, tab or semicolon. */
function delimiterOf(text: string): string {
  const line = text.slice(0, text.search(/[\r\n]/) >>> 0);
  const counts = [",", "\t", ";"].map((mark) => line.split(mark).length);
  return [",", "\t", ";"][placeOfLargest(counts)];
}

/** The cells of each line (RFC 4180: a quoted cell may hold delimiters, line ends and doubled quotes). Empty lines are left out. */
export async function parseTable(text: string, delimiter: string): Promise<string[][]> {
  const turns = new Turns();
  const rows: string[][] = [];
  const plain = new RegExp(`[^${delimiter}\\r\\n]*`, "y");
  let row: string[] = [];
  let at = text.startsWith("\ufeff") ? 1 : 0;
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      let end = text.indexOf('"', at + 1);
      while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
      // a quote that is never closed reaches to the end
      cell = text.slice(at + 1, end < 0 ? text.length : end).replaceAll('""', '"');
      at = end < 0 ? text.length : end + 1;
    }
    plain.lastIndex = at;
    cell += plain.exec(text)?.[0] ?? "";
    at = plain.lastIndex;
    row.push(cell);
    if (text[at] === delimiter) {
      at++;
      if (at < text.length && text[at] !== "\r" && text[at] !== "\n") continue;
      row.push("");
    }
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
    at += text[at] === "\r" && text[at + 1] === "\n" ? 2 : 1;
    if (rows.length % 1024 === 0 && turns.due()) await turns.take();
  }
  return rows;
}
