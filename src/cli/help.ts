/** Help texts, from the definitions of the commands. */

import { VERSION } from "../core/version.js";
import { COMMON_OPTIONS, type Command, type CommandOption } from "./command.js";

export const HELP_WIDTH = 96;

/** `hmge --help`. */
export function programHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    `hmge ${VERSION}: one vector per node of a multiplex graph`,
    "",
    "usage: hmge COMMAND …      without arguments: a demonstration",
    "",
    "commands:",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "hmge COMMAND --help shows the options and examples of a command; hmge --version the version.",
    `example: hmge ${commands[0].name} ${commands[0].examples[0]}`,
  ].join("\n");
}

/** `hmge COMMAND --help`. */
export async function commandHelp(command: Command): Promise<string> {
  const details = await command.details?.();
  return [
    `hmge ${command.name}: ${command.summary}`,
    "",
    `usage: hmge ${command.name} ${command.usage}`,
    "",
    "options:",
    ...optionLines([...command.options, ...COMMON_OPTIONS]),
    ...(details === undefined ? [] : ["", details]),
    "",
    command.examples.length === 1 ? "example:" : "examples:",
    ...command.examples.map((example) => `  hmge ${command.name} ${example}`),
  ].join("\n");
}

function optionLines(options: readonly CommandOption[]): string[] {
  const heads = options.map(({ name, value }) => `--${name}${value === undefined ? "" : ` ${value}`}`);
  const width = Math.min(26, Math.max(...heads.map((head) => head.length)));
  return options.flatMap(({ doc, default: fallback, repeatable }, i) => {
    const extra = [repeatable === true ? "may be repeated" : "", fallback === undefined ? "" : `default: ${fallback}`];
    const text = [doc, ...extra.filter((word) => word !== "")].join("; ");
    const lines = wrap(text, HELP_WIDTH - width - 4);
    const first = heads[i].length > width ? [`  ${heads[i]}`] : [];
    return [
      ...first,
      ...lines.map((line, l) => `  ${(l === 0 && first.length === 0 ? heads[i] : "").padEnd(width)}  ${line}`),
    ];
  });
}

/** Lines of at most `width` columns, broken at spaces. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
