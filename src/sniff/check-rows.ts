/** Checks the rows of a text table: lengths, quotation marks, number of fields, values and line ends. */

import { InputError } from "../core/errors.js";
import { quoteValue } from "../core/text.js";
import { isDecimalPair, valueFault } from "./check-value.js";
import type { ChosenColumns } from "./choose-columns.js";
import type { Role } from "./column-roles.js";
import type { ScannedRow } from "./row-scanner.js";

/** DuckDB's limit on the characters of a row. */
const MAX_ROW_LENGTH = 2e6;

export interface CheckedTable {
  readonly path: string;
  readonly delimiter: string;
  readonly names: readonly string[];
  readonly chosen: ChosenColumns;
}

/** A name without the blanks around it: people also write text files by hand, as "a, b". DuckDB's trim() removes the same blanks. */
export function trimName(name: string): string {
  return /^\p{Zs}|\p{Zs}$/u.test(name) ? name.replace(/^\p{Zs}+|\p{Zs}+$/gu, "") : name;
}

/** Throws if a row is at fault; the message names its line. */
export function requireRow(
  { path, delimiter, names, chosen }: CheckedTable,
  roles: readonly Role[],
  { line, fields, fault }: ScannedRow,
): void {
  const where = `${path}:${line}`;
  const length = fields.reduce((sum, field) => sum + field.length, fields.length);
  if (length > MAX_ROW_LENGTH) {
    throw new InputError(
      `${where}: a row of ${Number((length / 1e6).toPrecision(3))} million characters; expected at most ${MAX_ROW_LENGTH / 1e6} million. Check for a missing line break or quote.`,
    );
  }
  if (fault !== undefined)
    throw new InputError(`${where}: ${fault}; expected quotes around a whole field, doubled inside.`);
  if (fields.length !== names.length) {
    throw new InputError(
      `${where}: ${fields.length} ${fields.length === 1 ? "field" : "fields"}; expected ${names.length} as in the first row. ` +
        lengthAdvice(delimiter, names.length, fields),
    );
  }
  for (const role of roles) {
    const index = chosen.get(role.name);
    const wrong = index === undefined ? undefined : valueFault(role, trimName(fields[index]));
    if (wrong !== undefined) throw new InputError(`${where}: ${wrong}`);
  }
}

/** Advice about a row with another number of fields than the first row. */
function lengthAdvice(delimiter: string, expected: number, fields: readonly string[]): string {
  if (delimiter === "spaces")
    return "Fields are separated by blanks here, so names cannot contain blanks: use commas or tabs.";
  const decimals = fields.findLastIndex((field, i) => isDecimalPair(field, fields[i + 1]));
  if (delimiter === "," && fields.length > expected && decimals >= 0) {
    const number = `${fields[decimals].trim()},${fields[decimals + 1].trim()}`;
    return `If ${quoteValue(number)} is one number, write it with a point instead of the comma: ${number.replace(",", ".")}.`;
  }
  const rowNames =
    fields.length === expected + 1
      ? "; if the first field is a row name, add a name for its column to the first row"
      : "";
  return `Quote fields that contain the delimiter, or correct the row${rowNames}.`;
}

/** Finds files in which some lines end with CR LF and others with LF. */
export class LineEnds {
  #found: string | undefined;
  #last = "";

  /** Adds a piece of the text. */
  push(text: string): void {
    if (this.#found === "mixed") return;
    // A piece may end between CR and LF.
    const whole = this.#last + text;
    this.#last = whole.endsWith("\r") ? "\r" : "";
    this.#search(this.#last === "" ? whole : whole.slice(0, -1));
  }

  /** Throws if the lines of the whole text end differently. */
  end(path: string): void {
    this.#search(this.#last);
    if (this.#found !== "mixed") return;
    throw new InputError(
      `${path}: some lines end with CR LF, others with LF; expected one kind. Convert the line endings.`,
    );
  }

  #search(text: string): void {
    for (let at = nextBreak(text, 0); at >= 0 && this.#found !== "mixed"; ) {
      const lineBreak = text[at] === "\r" ? (text[at + 1] === "\n" ? "\r\n" : "\r") : "\n";
      if (this.#found !== undefined && this.#found !== lineBreak) this.#found = "mixed";
      this.#found ??= lineBreak;
      at = nextBreak(text, at + lineBreak.length);
    }
  }
}

const BREAK = /[\r\n]/g;

function nextBreak(text: string, from: number): number {
  BREAK.lastIndex = from;
  return BREAK.exec(text)?.index ?? -1;
}
