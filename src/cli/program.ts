/** Runs one command line: finds the command and runs it. An error becomes one line and an exit code. */

import { setTimeout } from "node:timers/promises";
import { readLaunch } from "../cluster/launch.js";
import { inRank, isOfRankZero } from "../cluster/rank-errors.js";
import { InputError, isUserError, suggest } from "../core/errors.js";
import { VERSION } from "../core/version.js";
import { withSpool } from "../io/spool.js";
import { explainProcessError } from "../io/system-faults.js";
import { COMMON_OPTIONS, type Command, type CommandEntry } from "./command.js";
import { commands } from "./commands.js";
import { parseArguments } from "./options/parse-arguments.js";
import { commandHelp, programHelp } from "./terminal/help.js";
import { wasInterrupted } from "./terminal/interrupt.js";
import { createOutput, fitted, printable, writeError } from "./terminal/output.js";

/** Runs `hmge ARGS`, writes to the streams of this process and returns the exit code. */
export function runProgram(args: readonly string[]): Promise<number> {
  return main(args).catch(async (error: unknown) => {
    await waitForFirstRank();
    return report(error, args.includes("--debug"));
  });
}

/** Milliseconds in which rank 0 reports an error that all ranks have, and ends them. */
const FIRST_RANK_MILLISECONDS = 1000;

/** Errors are usually the same on all ranks; then only rank 0 prints a line. */
async function waitForFirstRank(): Promise<void> {
  if ((readLaunch()?.rank ?? 0) > 0) await setTimeout(FIRST_RANK_MILLISECONDS);
}

async function main(args: readonly string[]): Promise<number> {
  const [name, ...words] = args;
  if (name === "--version" || name === "-V") {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  if (name === "--help" || name === "-h" || name === "help") {
    if (words.length === 0 || words[0].startsWith("-")) return showHelp(programHelp(commands));
    const { entry, command } = await findCommand(words);
    return showHelp(await commandHelp(entry, command));
  }
  const isDemo = name === undefined || Object.keys(COMMON_OPTIONS).some((option) => `--${option}` === name);
  const { entry, command, rest } = await findCommand(isDemo ? ["demo", ...args] : args);
  const options = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  if (options.includes("--help") || options.includes("-h")) return showHelp(await commandHelp(entry, command));
  const parsed = parseArguments(command, rest);
  const output = createOutput({ json: parsed.flags.has("json"), quiet: parsed.flags.has("quiet") });
  return (await withSpool(() => command.run(parsed, output))) ?? 0;
}

interface FoundCommand {
  readonly entry: CommandEntry;
  readonly command: Command;
  /** The words after the command's name. */
  readonly rest: readonly string[];
}

async function findCommand([name, ...rest]: readonly string[]): Promise<FoundCommand> {
  const entry = commands.find((candidate) => candidate.name === name);
  if (entry === undefined) {
    const known = commands.map((candidate) => candidate.name);
    throw new InputError(
      name.startsWith("-")
        ? `${name}: expected a command first, one of ${known.join(", ")}`
        : `unknown command "${name}"${suggest(name, known)}`,
    );
  }
  const command = await entry.load();
  const [word, ...others] = rest;
  if (command.subcommands === undefined || word === undefined || word.startsWith("-")) return { entry, command, rest };
  const task = command.subcommands.find((candidate) => candidate.name === word);
  if (task === undefined) {
    const known = command.subcommands.map((candidate) => candidate.name);
    throw new InputError(`${name}: unknown task "${word}"${suggest(word, known)}`);
  }
  return { entry: { ...task, name: `${name} ${word}` }, command: await task.load(), rest: others };
}

function showHelp(help: string): number {
  process.stdout.write(`${fitted(help, process.stdout)}\n`);
  return 0;
}

/** Prints an error and returns the exit code: 2 for the user's mistakes, 1 for bugs, 130 after Ctrl-C. */
function report(thrown: unknown, debug: boolean): number {
  const error = explainProcessError(thrown);
  // streams and timers of Node fail with this name too
  if (error instanceof Error && error.name === "AbortError" && wasInterrupted()) {
    writeError("stopped before an epoch; nothing was written, and existing files are unchanged\n");
    return 130;
  }
  const message = printable(error instanceof Error ? error.message : String(error)).replace(/\s*\n\s*/g, " ");
  const line = message.startsWith("hmge: ")
    ? message
    : `hmge: ${inRank(isOfRankZero(error) ? 0 : (readLaunch()?.rank ?? 0), message)}`;
  const isBug = !isUserError(error);
  const advice = isBug ? " (this is a bug in hmge; please report it with the output of --debug)" : "";
  writeError(`${fitted(`${line}${advice}`, process.stderr)}\n`);
  if (debug && error instanceof Error) writeError(`${error.stack}\n`);
  return isBug ? 1 : 2;
}
