/** Reads the words of the command line by the definition of a command. */

import { InputError, suggest } from "../../core/errors.js";
import type { OptionSchema, OptionSpec, OptionValues } from "../../core/options.js";
import { type Arguments, COMMON_OPTIONS, type Command, flagName, type TypedFlags } from "../command.js";

/** Reads `--name value`, `--name=value`, `--switch` and words; everything after `--` is words. */
export function parseArguments<S extends OptionSchema>(
  command: Pick<Command<S>, "options">,
  args: readonly string[],
): Arguments<S> {
  const known = knownFlags({ ...command.options, ...COMMON_OPTIONS });
  const words: string[] = [];
  const flags = new Map<string, string[]>();
  for (let i = 0; i < args.length; i++) {
    const word = args[i];
    if (word === "--") {
      words.push(...args.slice(i + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      words.push(word);
      continue;
    }
    const equals = word.indexOf("=");
    const typed = equals < 0 ? word : word.slice(0, equals);
    const { name, spec } = findFlag(known, typed);
    let value = equals < 0 ? undefined : word.slice(equals + 1);
    if (spec.value === undefined) {
      if (value !== undefined) throw new InputError(`${typed}: takes no value, found "${value}".`);
      value = "true";
    } else if (value === undefined) {
      i++;
      // a number may begin with a dash, an option may not
      if (i >= args.length || (args[i].startsWith("--") && args[i] !== "--")) {
        throw new InputError(
          `--${name}: no value${i < args.length ? ` before ${args[i]}` : ""}; expected ${spec.value}.`,
        );
      }
      value = args[i];
    }
    if (value === "") throw new InputError(`--${name}: the value is empty; expected ${spec.value}.`);
    const values = flags.get(name) ?? [];
    if (values.length > 0 && spec.repeatable !== true && spec.value !== undefined) {
      throw new InputError(`--${name}: given twice (${values[0]}, ${value}); expected once.`);
    }
    flags.set(name, [...values, value]);
  }
  return { words, flags, values: readFlags(command.options, flags) };
}

/** The value of every option of a schema: from its flag, or its default. */
export function readFlags<S extends OptionSchema>(schema: S, flags: TypedFlags): OptionValues<S> {
  const values: Record<string, unknown> = {};
  for (const [option, spec] of Object.entries(schema)) {
    const name = flagName(option);
    const typed = flags.get(name);
    values[option] = typed === undefined ? spec.default : readFlag(name, spec, typed);
  }
  return values as OptionValues<S>;
}

function readFlag(name: string, spec: OptionSpec<unknown>, typed: readonly string[]): unknown {
  const last = typed[typed.length - 1];
  const value = spec.read(spec.repeatable === true ? typed : last);
  if (value !== undefined) return value;
  const unknown = last
    .split(",")
    .map((part) => part.trim())
    .find((part) => spec.choices?.includes(part) === false);
  if (unknown !== undefined)
    throw new InputError(`--${name}: unknown "${unknown}"${suggest(unknown, spec.choices ?? [])}`);
  throw new InputError(`--${name}: found "${last}"; expected ${spec.accepts}.`);
}

interface KnownFlag {
  readonly name: string;
  readonly spec: OptionSpec<unknown>;
}

function knownFlags(schema: OptionSchema): KnownFlag[] {
  return Object.entries(schema).map(([option, spec]) => ({ name: flagName(option), spec }));
}

function findFlag(known: readonly KnownFlag[], typed: string): KnownFlag {
  const name = typed === "-h" ? "help" : typed === "-q" ? "quiet" : typed.replace(/^--/, "");
  const found = known.find((candidate) => candidate.name === name);
  if (found !== undefined) return found;
  const names = known.map((candidate) => `--${candidate.name}`);
  const file = /^-[^-].*[./]/.test(typed) ? `. If it is a file, write ./${typed}` : "";
  throw new InputError(`unknown option "${typed}"${file || suggest(typed, names)}`);
}
