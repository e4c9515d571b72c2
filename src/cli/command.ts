/** The parts of a command. Each command is one module, which is loaded when the command is called. */

import { flag, type OptionSchema, type OptionValues } from "../core/options.js";
import type { Output } from "./terminal/output.js";

/** A command in a list: enough for `hmge --help`. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

export interface Command<S extends OptionSchema = OptionSchema> {
  /** The words after the name. */
  readonly usage: string;
  /** Flags, help and checks derive from these; `minWeight` becomes `--min-weight`. */
  readonly options: S;
  /** Arguments after the command's name. */
  readonly examples: readonly string[];
  /** Commands whose names are two words: this command's and the entry's. */
  readonly subcommands?: readonly CommandEntry[];
  /** More for the help, such as a list of the models. */
  details?(): Promise<string>;
  /** Returns the exit code; default 0. */
  run(args: Arguments<S>, output: Output): Promise<number | undefined>;
}

/** Flags as they were typed, by the names of the flags; a switch has the value "true". */
export type TypedFlags = ReadonlyMap<string, readonly string[]>;

/** The arguments of a command. */
export interface Arguments<S extends OptionSchema = OptionSchema> {
  readonly words: readonly string[];
  /** Only the flags that were given, as text: for records and for checks of flags that exclude each other. */
  readonly flags: TypedFlags;
  /** All options, checked; defaults where no flag was given. */
  readonly values: OptionValues<S>;
}

/** Options of every command. */
export const COMMON_OPTIONS = {
  json: flag(false, { doc: "print one JSON document on standard output" }),
  quiet: flag(false, { doc: "print no progress and no notes" }),
  debug: flag(false, { doc: "print the stack of an error" }),
  help: flag(false, { doc: "print this text" }),
};

/** `min-weight` for the option `minWeight`. */
export function flagName(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
