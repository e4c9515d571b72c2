/** Detects JSON tables, lists their keys and checks their rows. */

import { InputError } from "../../core/errors.js";
import { quoteValue } from "../../core/text.js";
import { valueFault } from "../check-value.js";
import { type ChosenColumns, listNames } from "../choose-columns.js";
import type { Role } from "../column-roles.js";
import { NoRowsError, type TextHead } from "../text-head.js";

const JSON_EXTENSIONS = ["json", "jsonl", "ndjson"];

/** Whether a text file holds JSON. */
export function isJson({ extension, text }: TextHead): boolean {
  return JSON_EXTENSIONS.includes(extension) || /^\s*[{[]\s*["{]/.test(text);
}

/** Whether a JSON file holds one array of objects instead of one object per line. Throws if a byte order mark precedes the lines. */
export function isJsonArray({ path, text, marked }: TextHead): boolean {
  const array = text.trimStart().startsWith("[");
  if (marked && !array) {
    throw new InputError(
      `${path}: begins with a byte order mark; expected JSON without one. Save the file as UTF-8 without byte order mark.`,
    );
  }
  return array;
}

/** Whether the file holds a graph as one object with a list of nodes and a list of links. */
export function isNodeLink({ text }: TextHead): boolean {
  return /^\s*\{/.test(text) && /"(nodes|links|edges|elements)"\s*:\s*[[{]/.test(text);
}

/** Keys of the objects on the lines of the head, in their order. */
export function keysOfLines(head: TextHead): Set<string> {
  requireLines(head);
  const names = new Set<string>();
  head.text.split(/\r?\n/).forEach((line, i) => {
    if (line.trim() === "") return;
    for (const key of Object.keys(requireObject(parseJson(line, head.path, i + 1), head.path, i + 1))) names.add(key);
  });
  return names;
}

function requireObject(value: unknown, path: string, line: number): object {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new InputError(`${path}:${line}: expected a JSON object on each line, such as {"source": "a", "target": "b"}.`);
}

/** Refuses one object over several lines, which is not a table. */
function requireLines({ path, text, complete }: TextHead): void {
  if (!complete || !/^\s*\{\s*\n/.test(text)) return;
  const value: unknown = parseJson(text, path, 1);
  throw new InputError(
    `${path}: one JSON object with ${listNames(Object.keys(value ?? {}))}; expected nodes and links (or edges) in it, an array of edges, or one object per line.`,
  );
}

/** Throws if a JSON file has no keys, so no rows. */
export function requireKeysFound(names: ReadonlySet<string>, path: string, array: boolean): void {
  const expected = array ? "objects in the array" : "one JSON object per line";
  if (names.size === 0) throw new NoRowsError(`${path}: the file has no rows; expected ${expected}.`);
}

/** Parses one line of JSON. */
export function parseJson(text: string, path: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(`${path}:${line}: not valid JSON (${error instanceof Error ? error.message : error}).`);
  }
}

/** Parses one line of JSON lines and throws if a value is not accepted for its role. Undefined for a blank line. */
export function readJsonLine(
  json: string,
  { path, line }: { readonly path: string; readonly line: number },
  { names, chosen }: { readonly names: readonly string[]; readonly chosen: ChosenColumns },
  roles: readonly Role[],
): ReadonlyMap<string, unknown> | undefined {
  if (json.trim() === "") return undefined;
  const value = parseJson(json, path, line);
  if (typeof value !== "object" || value === null) throw new InputError(`${path}:${line}: expected a JSON object.`);
  const fields = new Map<string, unknown>(Object.entries(value));
  for (const role of roles) {
    const index = chosen.get(role.name);
    if (index === undefined) continue;
    const field = fields.get(names[index]);
    const wrong = valueFault(role, field === undefined || field === null ? null : String(field));
    if (wrong !== undefined) throw new InputError(`${path}:${line}: ${wrong}`);
  }
  return fields;
}

/** The error for a column of lists or objects: their text would become names. */
export function nestedFault(path: string, name: string, role: string): InputError {
  return new InputError(
    `${path}: ${quoteValue(name)}, read as ${role}, holds lists or objects; expected names or numbers. Unnest them with --sql, as in SELECT unnest(…) AS ${role}, ….`,
  );
}
