/** What a command is. Each lives in one file and loads its heavy parts only when it runs. */

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

export interface Command {
  readonly name: string;
  /** What follows the name. */
  readonly usage: string;
  readonly summary: string;
  readonly options: readonly CommandOption[];
  /** Arguments after the command's name. */
  readonly examples: readonly string[];
  /** Commands of their own, by the word that follows the name; loaded when asked for. Their names are both words. */
  readonly subcommands?: Readonly<Record<string, () => Promise<Command>>>;
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
