/**
 * The output of a command. Standard output carries the result: text for people, or with `--json` exactly one document.
 * Notes and progress go to standard error.
 */

import type { WriteStream } from "node:tty";
import { MIN_COLUMNS } from "../../report/terminal.js";
import { wrapLine } from "../../report/text-width.js";
import { programName } from "./program-name.js";

export const DEFAULT_COLUMNS = 80;

export interface Output {
  readonly json: boolean;
  readonly quiet: boolean;
  /** Whether only ASCII may be shown. */
  readonly ascii: boolean;
  /** Columns of the terminal, or 80. */
  readonly columns: number;
  /** Prints one or more lines of the result; nothing with `--json`. */
  print(text: string): void;
  /** Prints the document of `--json`; nothing without `--json`. */
  document(value: unknown): void;
  /** Prints a note for people on standard error; nothing with `--quiet`. */
  note(text: string): void;
  readonly style: Style;
}

export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  accent(text: string): string;
}

export function createOutput({ json, quiet }: { json: boolean; quiet: boolean }): Output {
  const colours = process.stdout.isTTY === true && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";
  const wrap = (open: number, close: number) => (text: string) =>
    colours ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    json,
    quiet,
    ascii: !showsUnicode(),
    columns: terminalColumns(process.stdout),
    print: (text) => {
      if (!json) process.stdout.write(`${fitted(printable(text), process.stdout)}\n`);
    },
    document: (value) => {
      if (json) process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
    },
    note: (text) => {
      if (!quiet) writeError(`${fitted(printable(text), process.stderr)}\n`);
    },
    style: { bold: wrap(1, 22), dim: wrap(2, 22), accent: wrap(36, 39) },
  };
}

/** Replaces control characters, which names from a file may hold; only our own colours stay. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
  return text.replace(/\u001b(?!\[(1|2|22|36|39)m)|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]/g, "\ufffd");
}

/** Columns for text; 80 without a terminal, or if the terminal does not report its width. */
export function terminalColumns(stream: Pick<WriteStream, "columns">): number {
  return Math.max(MIN_COLUMNS, stream.columns || DEFAULT_COLUMNS);
}

/** Options of a table: on a terminal it is cut to fit; in a file or pipe it stays whole, so that names can be searched. */
export function tableLayout({ ascii, columns }: Pick<Output, "ascii" | "columns">) {
  return process.stdout.isTTY === true ? { ascii, width: columns, cut: true } : { ascii };
}

/** Breaks lines at spaces to fit a terminal. Lines with a command stay whole, so that they can be copied. */
export function fitted(text: string, stream: WriteStream): string {
  if (stream.isTTY !== true) return text;
  const columns = terminalColumns(stream);
  return text
    .split("\n")
    .flatMap((line) => (isCommand(line) ? [line] : wrapLine(line, columns)))
    .join("\n");
}

function isCommand(line: string): boolean {
  return line.includes(`${programName()} `) || /^ +hmge [a-z]/.test(line);
}

/** Writes to standard error. A missing reader must not end a run. */
export function writeError(text: string): void {
  try {
    process.stderr.write(text);
  } catch {
    // nobody reads standard error any more
  }
}

/** Whether the terminal shows Unicode. POSIX: by the locale. Windows: terminals since 2019 do. */
export function showsUnicode(): boolean {
  if (process.platform === "win32") return true;
  const locale = process.env["LC_ALL"] || process.env["LC_CTYPE"] || process.env["LANG"] || "";
  if (process.platform === "darwin" && locale === "") return true;
  return /utf-?8/i.test(locale);
}
