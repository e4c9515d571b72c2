/** Runs a command in this process, without the built program. */

import type { Command } from "../../src/cli/command.js";
import { commands } from "../../src/cli/commands.js";
import { parseArguments } from "../../src/cli/options/parse-arguments.js";
import type { Output } from "../../src/cli/terminal/output.js";
import { isUserError } from "../../src/core/errors.js";

export interface Ran {
  readonly code: number;
  /** What was printed and noted. */
  readonly text: string;
  readonly document: unknown;
}

export async function runCommand(
  command: Command,
  words: readonly string[],
  onPrint: (text: string) => void = () => {},
): Promise<Ran> {
  const lines: string[] = [];
  let document: unknown;
  const parsed = parseArguments(command, words);
  const quiet = parsed.flags.has("quiet");
  const same = (text: string) => text;
  const output: Output = {
    json: false,
    quiet,
    ascii: false,
    columns: 80,
    print: (text) => {
      lines.push(text);
      onPrint(text);
    },
    document: (value) => {
      document = value;
    },
    note: (text) => {
      if (!quiet) lines.push(text);
    },
    style: { bold: same, dim: same, accent: same },
  };
  const code = (await command.run(parsed, output)) ?? 0;
  return { code, text: lines.join("\n"), document };
}

/** The document that `hmge WORDS --json` prints. */
export async function documentOf(words: readonly string[]): Promise<unknown> {
  const { command, rest } = await commandOf(words);
  const { code, document } = await runCommand(command, rest);
  if (code !== 0 || document === undefined) throw new Error(`${words.join(" ")}: exit code ${code} or no document`);
  return JSON.parse(JSON.stringify(document));
}

/**
 * The message with which `hmge WORDS` refuses its input. Fails unless it refuses, as the user's mistake, before it has printed
 * anything. Exit code and the line on standard error are the program's work: some tests start it for those.
 */
export async function refusalOf(words: readonly string[]): Promise<string> {
  const { command, rest } = await commandOf(words);
  const printed: string[] = [];
  let message: string | undefined;
  try {
    await runCommand(command, rest, (text) => printed.push(text));
  } catch (error) {
    if (!isUserError(error)) throw error;
    message = error.message.replace(/\s*\n\s*/g, " ");
  }
  if (message === undefined) throw new Error(`${words.join(" ")}: not refused`);
  if (printed.length > 0) throw new Error(`${words.join(" ")}: printed ${printed.join("\n")} before it refused`);
  return message;
}

async function commandOf([name, ...rest]: readonly string[]): Promise<{ command: Command; rest: readonly string[] }> {
  const command = await commands.find((candidate) => candidate.name === name)?.load();
  if (command === undefined) throw new Error(`no command ${name}; expected one of src/cli/commands.ts`);
  const [word, ...others] = rest;
  const task = command.subcommands?.find((candidate) => candidate.name === word);
  return task === undefined ? { command, rest } : { command: await task.load(), rest: others };
}
