/**
 * Where a command's words go. Standard output carries the result: text for people, or with `--json` exactly one
 * document. Notes and progress go to standard error.
 */

import type { WriteStream } from "node:tty";
import { MIN_COLUMNS } from "../../report/terminal.js";
import { wrapLine } from "../../report/text-width.js";
import { programName } from "./program-name.js";

export const DEFAULT_COLUMNS = 80;

export interface Output {
  readonly json: boolean;
  readonly quiet: boolean;
  /** Only ASCII is shown. */
  readonly ascii: boolean;
  /** Columns of the terminal, or 80. */
  readonly columns: number;
  /** A line or more of the result; nothing with `--json`. */
  print(text: string): void;
  /** The document of `--json`; nothing without. */
  document(value: unknown): void;
  /** Something a person should know; on standard error, not with `--quiet`. */
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

/** Names from a file may hold what moves a terminal's cursor, or worse; of that only our own colours pass. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
  return text.replace(/\u001b(?!\[(1|2|22|36|39)m)|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]/g, "\ufffd");
}

/** Columns for text; without a terminal, and where a terminal does not know its own width, 80. */
export function terminalColumns(stream: Pick<WriteStream, "columns">): number {
  return Math.max(MIN_COLUMNS, stream.columns || DEFAULT_COLUMNS);
}

/** Options of a table: it fits the terminal; in a file or pipe it stays whole, since names in it may be searched for. */
export function tableLayout({ ascii, columns }: Pick<Output, "ascii" | "columns">) {
  return process.stdout.isTTY === true ? { ascii, width: columns, cut: true } : { ascii };
}

/** Breaks lines at spaces to fit a terminal. Commands stay whole, so that they can be copied. */
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

/** Writes to standard error. Its reader may be gone: what is shown never ends a run. */
export function writeError(text: string): void {
  try {
    process.stderr.write(text);
  } catch {
    // Nobody is left to read why.
  }
}

/** POSIX: the locale says so. Windows: terminals since 2019 do. */
export function showsUnicode(): boolean {
  if (process.platform === "win32") return true;
  const locale = process.env["LC_ALL"] || process.env["LC_CTYPE"] || process.env["LANG"] || "";
  if (process.platform === "darwin" && locale === "") return true;
  return /utf-?8/i.test(locale);
}
