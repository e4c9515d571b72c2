/** The parts of a command. Each command is one module, which is loaded when the command is called. */

import type { Output } from "./terminal/output.js";

export interface CommandOption {
  /** Without the dashes. */
  readonly name: string;
  /** What the help shows for its value; absent for a switch. */
  readonly value?: string;
  readonly doc: string;
  /** What holds when it is not given, in words. */
  readonly default?: string;
  /** May be given several times. */
  readonly repeatable?: boolean;
}

/** What was given: words, and for each option its values in order; a switch has the value "true". */
export interface Arguments {
  readonly words: readonly string[];
  readonly options: ReadonlyMap<string, readonly string[]>;
}

/** A command in a list: enough for `hmge --help`. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

export interface Command {
  /** The words after the name. */
  readonly usage: string;
  readonly options: readonly CommandOption[];
  /** Arguments after the command's name. */
  readonly examples: readonly string[];
  /** Commands whose names are two words: this command's and the entry's. */
  readonly subcommands?: readonly CommandEntry[];
  /** More for the help, such as the options of the models. */
  readonly details?: () => Promise<string>;
  /** Returns the exit code; default 0. */
  readonly run: (given: Arguments, output: Output) => Promise<number | undefined>;
}

/** Options every command has. */
export const COMMON_OPTIONS: readonly CommandOption[] = [
  { name: "json", doc: "one JSON document on standard output" },
  { name: "quiet", doc: "no progress, no notes" },
  { name: "debug", doc: "with an error, where in the program it arose" },
  { name: "help", doc: "this text" },
];

export function textOption({ options }: Arguments, name: string): string | undefined {
  return options.get(name)?.at(-1);
}

export function switchOption({ options }: Arguments, name: string): boolean {
  return options.has(name);
}
