/**
 * Splits delimited text into rows with their line numbers. DuckDB reads the data. This scanner reads the head of a file to
 * detect its columns, finds the line of a fault, and reads embeddings stored as text.
 */

export interface Dialect {
  /** One character, or `spaces` for any run of blanks; with `spaces`, quotation marks are ordinary characters. */
  readonly delimiter: string;
  /** Number of lines above the first row to read: comments, blank lines and the header. */
  readonly skipLines: number;
}

export interface ScannedRow {
  /** Line of the file on which the row begins, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
  /** Set if the first field is quoted. */
  readonly firstQuoted?: true;
  /** The fault in its quotation marks, if there is one. */
  readonly fault?: string;
}

/** Accepts pieces of text of any size. Blank lines give no row. */
export class RowScanner {
  readonly #delimiter: string;
  readonly #skipLines: number;
  /** The characters that end a run of plain text. */
  readonly #special: RegExp;
  #line = 1;
  #rowLine = 1;
  #fields: string[] = [];
  #field = "";
  #state: "start" | "plain" | "quoted" | "closed" = "start";
  #firstQuoted = false;
  #fault: string | undefined;
  #afterReturn = false;
  #rows: ScannedRow[] = [];

  constructor(dialect: Dialect) {
    this.#delimiter = dialect.delimiter;
    this.#skipLines = dialect.skipLines;
    const escaped = dialect.delimiter.replace(/[\\\]^-]/g, "\\$&");
    this.#special = dialect.delimiter === "spaces" ? /[\r\n]/g : new RegExp(`["\\r\\n${escaped}]`, "g");
  }

  /** The rows completed by this piece of text. */
  push(text: string): ScannedRow[] {
    for (let i = 0; i < text.length; ) {
      if (this.#line > this.#skipLines && (this.#state === "start" || this.#state === "plain")) {
        this.#special.lastIndex = i;
        const end = this.#special.exec(text)?.index ?? text.length;
        if (end > i) {
          this.#field += text.slice(i, end);
          this.#state = "plain";
          this.#afterReturn = false;
          i = end;
          continue;
        }
      }
      this.#take(text[i++]);
    }
    return this.#drain();
  }

  /** The last row, if the text did not end with a line break. */
  end(): ScannedRow[] {
    if (this.#state === "quoted") this.#fault = "a quote is opened and never closed";
    this.#endRow();
    return this.#drain();
  }

  #drain(): ScannedRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  #take(char: string): void {
    const isBreak = char === "\n" || char === "\r";
    const continuesBreak = char === "\n" && this.#afterReturn;
    this.#afterReturn = char === "\r";
    if (this.#line <= this.#skipLines) {
      if (isBreak && !continuesBreak) this.#nextLine();
      return;
    }
    if (this.#state === "quoted") {
      if (char === '"') this.#state = "closed";
      else this.#field += char;
      if (isBreak && !continuesBreak) this.#line++;
    } else if (isBreak) {
      if (continuesBreak) return;
      this.#endRow();
      this.#nextLine();
    } else if (this.#delimiter !== "spaces" && char === this.#delimiter) {
      this.#endField();
    } else if (char === '"' && this.#delimiter !== "spaces" && this.#state !== "plain") {
      if (this.#state === "closed") this.#field += '"';
      this.#state = "quoted";
      if (this.#fields.length === 0) this.#firstQuoted = true;
    } else {
      if (this.#state === "closed") this.#fault ??= "text follows a closing quote";
      this.#field += char;
      if (this.#state === "start") this.#state = "plain";
    }
  }

  #nextLine(): void {
    this.#line++;
    this.#rowLine = this.#line;
  }

  #endField(): void {
    this.#fields.push(this.#field);
    this.#field = "";
    this.#state = "start";
  }

  #endRow(): void {
    const blank = this.#fields.length === 0 && this.#state === "start";
    if (!blank) {
      this.#endField();
      const fields = this.#delimiter === "spaces" ? splitAtSpaces(this.#fields[0]) : this.#fields;
      if (fields.length > 0) {
        this.#rows.push({
          line: this.#rowLine,
          fields,
          ...(this.#firstQuoted ? { firstQuoted: true } : {}),
          ...(this.#fault === undefined ? {} : { fault: this.#fault }),
        });
      }
    }
    this.#fields = [];
    this.#firstQuoted = false;
    this.#fault = undefined;
  }
}

/** The words of a line, separated by spaces and tabs. */
function splitAtSpaces(line: string): string[] {
  return line.split(/[ \t]+/).filter((word) => word !== "");
}
