/** Runs a command in this process, without the built program. */

import type { Command } from "../../src/cli/command.js";
import type { Output } from "../../src/cli/output.js";
import { parseArguments } from "../../src/cli/parse-arguments.js";

export interface Ran {
  readonly code: number;
  /** What was printed and noted. */
  readonly text: string;
  readonly document: unknown;
}

export async function runCommand(command: Command, words: readonly string[]): Promise<Ran> {
  const lines: string[] = [];
  let document: unknown;
  const same = (text: string) => text;
  const output: Output = {
    json: false,
    quiet: false,
    ascii: false,
    columns: 80,
    print: (text) => lines.push(text),
    document: (value) => {
      document = value;
    },
    note: (text) => lines.push(text),
    style: { bold: same, dim: same, accent: same },
  };
  const code = (await command.run(parseArguments(command, words), output)) ?? 0;
  return { code, text: lines.join("\n"), document };
}
