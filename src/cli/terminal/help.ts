/** Help texts, from the definitions of the commands. */

import { formatOption, type OptionSchema, type OptionSpec } from "../../core/options.js";
import { VERSION } from "../../core/version.js";
import { largestOf } from "../../numeric/extremes.js";
import { wrap } from "../../report/text-width.js";
import { COMMON_OPTIONS, type Command, type CommandEntry, flagName } from "../command.js";
import { terminalColumns } from "./output.js";

export { wrap } from "../../report/text-width.js";

/** Columns of a line of help; longer lines are hard to read. */
const MAX_WIDTH = 96;
/** Columns of the left column, such as flags. */
const MAX_HEAD_WIDTH = 26;

/** `hmge --help`. */
export function programHelp(commands: readonly CommandEntry[]): string {
  return [
    `hmge ${VERSION}: one vector per node of a multiplex graph`,
    "",
    "usage: hmge COMMAND …      without arguments: a demonstration",
    "",
    "commands:",
    ...twoColumns(commands.map(({ name, summary }) => [name, summary])),
    "",
    ...wrap(
      "hmge COMMAND --help shows the options and examples of a command; hmge --version the version.",
      helpWidth(),
    ),
    "example: hmge embed edges.csv --out vectors",
  ].join("\n");
}

/** `hmge COMMAND --help`. */
export async function commandHelp(
  { name, summary }: Pick<CommandEntry, "name" | "summary">,
  command: Command,
): Promise<string> {
  const details = await command.details?.();
  return [
    ...wrap(`hmge ${name}: ${summary}`, helpWidth()),
    "",
    `usage: hmge ${name} ${command.usage}`,
    "",
    "options:",
    ...twoColumns(optionRows({ ...command.options, ...COMMON_OPTIONS })),
    ...(details === undefined ? [] : ["", details]),
    "",
    command.examples.length === 1 ? "example:" : "examples:",
    ...command.examples.map((example) => `  hmge ${name} ${example}`.trimEnd()),
  ].join("\n");
}

/** The flag of each option and the text about it. */
export function optionRows(schema: OptionSchema): [flag: string, text: string][] {
  return Object.entries(schema).map(([option, spec]) => {
    const { value, doc, repeatable } = spec;
    const fallback = defaultText(spec);
    const extra = [
      ...(repeatable === true ? ["may be repeated"] : []),
      ...(fallback === undefined ? [] : [`default: ${fallback}`]),
    ];
    return [`--${flagName(option)}${value === undefined ? "" : ` ${value}`}`, [doc, ...extra].join("; ")];
  });
}

/** The default of an option for the help; undefined if there is none, or if it is a switch that is off. */
function defaultText({ default: value, defaultText: words }: OptionSpec<unknown>): string | undefined {
  if (words !== undefined) return words;
  if (value === undefined || value === false || (Array.isArray(value) && value.length === 0)) return undefined;
  return formatOption(value);
}

/** Columns of the right column; if there are fewer, texts go below their heads. */
const MIN_TEXT_WIDTH = 24;

/** Two columns: heads and texts. The text of a wide head goes below it. */
export function twoColumns(rows: readonly (readonly string[])[], indent = ""): string[] {
  const widest = Math.min(MAX_HEAD_WIDTH, largestOf(rows.map(([head]) => head.length)));
  const width = helpWidth() - indent.length - widest - 4 < MIN_TEXT_WIDTH ? 0 : widest;
  return rows.flatMap(([head, text]) => {
    const first = head.length > width ? [`${indent}  ${head}`] : [];
    const lines = wrap(text, helpWidth() - indent.length - width - 4);
    return [
      ...first,
      ...lines.map((line, l) => `${indent}  ${(l + first.length === 0 ? head : "").padEnd(width)}  ${line}`),
    ];
  });
}

/** Columns of a help text on this terminal. */
export function helpWidth(): number {
  return Math.min(MAX_WIDTH, terminalColumns(process.stdout));
}
