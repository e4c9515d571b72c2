/** Words of the command line to arguments, by the definition of a command. */

import { InputError, suggest } from "../../core/errors.js";
import { type Arguments, COMMON_OPTIONS, type Command, type CommandOption } from "../command.js";

/** Reads `--name value`, `--name=value`, `--switch` and words; everything after `--` is words. */
export function parseArguments(command: Pick<Command, "options">, given: readonly string[]): Arguments {
  const known = [...command.options, ...COMMON_OPTIONS];
  const words: string[] = [];
  const options = new Map<string, string[]>();
  for (let i = 0; i < given.length; i++) {
    const word = given[i];
    if (word === "--") {
      words.push(...given.slice(i + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      words.push(word);
      continue;
    }
    const equals = word.indexOf("=");
    const flag = equals < 0 ? word : word.slice(0, equals);
    const option = findOption(known, flag);
    let value = equals < 0 ? undefined : word.slice(equals + 1);
    if (option.value === undefined) {
      if (value !== undefined) throw new InputError(`${flag}: takes no value, found "${value}".`);
      value = "true";
    } else if (value === undefined) {
      i++;
      // a number may begin with a dash, an option may not
      if (i >= given.length || (given[i].startsWith("--") && given[i] !== "--")) {
        throw new InputError(
          `--${option.name}: no value${i < given.length ? ` before ${given[i]}` : ""}; expected ${option.value}.`,
        );
      }
      value = given[i];
    }
    if (value === "") throw new InputError(`--${option.name}: the value is empty; expected ${option.value}.`);
    const values = options.get(option.name) ?? [];
    if (values.length > 0 && option.repeatable !== true && option.value !== undefined) {
      throw new InputError(`--${option.name}: given twice (${values[0]}, ${value}); expected once.`);
    }
    options.set(option.name, [...values, value]);
  }
  return { words, options };
}

function findOption(known: readonly CommandOption[], flag: string): CommandOption {
  const name = flag === "-h" ? "help" : flag === "-q" ? "quiet" : flag.replace(/^--/, "");
  const option = known.find((candidate) => candidate.name === name);
  if (option !== undefined) return option;
  const names = known.map((candidate) => `--${candidate.name}`);
  const file = /^-[^-].*[./]/.test(flag) ? `. If it is a file, write ./${flag}` : "";
  throw new InputError(`unknown option "${flag}"${file || suggest(flag, names)}`);
}
