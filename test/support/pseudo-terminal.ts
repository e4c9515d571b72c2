/** Runs a program in a pseudo-terminal, which `script` of util-linux creates, and reads the lines it printed. */

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { displayWidth, MIN_COLUMNS } from "../../src/report/terminal.js";

export interface TerminalRun {
  readonly code: number | null;
  /** Lines that stay on the screen. */
  readonly lines: readonly string[];
  /** Lines that were drawn and cleared again: progress. */
  readonly cleared: readonly string[];
}

/** Returns why no pseudo-terminal is available, or undefined if one is. */
export function explainMissingTerminal(): string | undefined {
  if (process.platform !== "linux") return "a pseudo-terminal needs script of util-linux, which is used on Linux only";
  const found = spawnSync("script", ["--version"], { encoding: "utf8" });
  return found.stdout?.includes("util-linux") ? undefined : "script of util-linux is not installed";
}

/** Runs a program with its arguments in a terminal of `columns` columns. 0 keeps the size that `script` sets, which is 0. */
export async function runInTerminal(
  args: readonly string[],
  { columns, env = {} }: { readonly columns: number; readonly env?: Readonly<Record<string, string>> },
): Promise<TerminalRun> {
  const folder = mkdtempSync(join(tmpdir(), "hmge-terminal-"));
  try {
    const quoted = args.map((arg) => `'${arg.replaceAll("'", "'\\''")}'`).join(" ");
    const shellCommand = `${columns > 0 ? `stty cols ${columns} rows 40; ` : ""}exec ${quoted}`;
    const log = join(folder, "log");
    const code = await new Promise<number | null>((resolve, reject) => {
      const child = spawn("script", ["-q", "-e", "-c", shellCommand, log], {
        stdio: ["ignore", "ignore", "inherit"],
        env: { ...process.env, TERM: "xterm", LC_ALL: "C.UTF-8", SHELL: "/bin/sh", ...env },
      });
      child.on("error", reject);
      child.on("close", resolve);
    });
    const text = readFileSync(log, "utf8")
      .replace(/^Script started on .*\n/, "")
      .replace(/[\r\n]*Script done on .*\n$/, "");
    return { code, ...drawnLines(text) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Interprets carriage returns and "clear to the end of the line", and removes colours. */
export function drawnLines(text: string): Pick<TerminalRun, "lines" | "cleared"> {
  const cleared: string[] = [];
  const lines = withoutColours(text)
    .split(/\r*\n/)
    .map((line) => {
      const parts = line.split("\r\u001b[K");
      for (const part of parts.slice(0, -1)) if (part !== "") cleared.push(part);
      return parts.at(-1) ?? "";
    });
  return { lines, cleared };
}

function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins a colour
  return text.replace(/\u001b\[[\d;]*m/g, "");
}

/**
 * Lines wider than the terminal. Progress must fit every width. Other lines must fit if the terminal has at least MIN_COLUMNS
 * columns. Exceptions: commands that the user may copy, error messages, and single words longer than a line, such as paths.
 */
export function findWideLines({ lines, cleared }: Pick<TerminalRun, "lines" | "cleared">, columns: number): string[] {
  const width = columns === 0 ? 80 : columns;
  const progress = cleared.filter((line) => displayWidth(line) > width - 1);
  if (width < MIN_COLUMNS) return progress;
  return [
    ...progress,
    ...lines.filter((line) => {
      if (displayWidth(line) <= width) return false;
      if (/(npx|npm start --) hmge |npx hmge |^ +hmge [a-z]|^hmge: /.test(line)) return false;
      return /\S\s+\S/.test(line.trim());
    }),
  ];
}
