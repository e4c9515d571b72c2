/** Flags that are lists, parted by commas. */

import { InputError, suggest } from "../../core/errors.js";
import { type Arguments, textOption } from "../command.js";

/** The words of a list; undefined when it is not given. */
export function readList(given: Arguments, name: string): string[] | undefined {
  const text = textOption(given, name);
  if (text === undefined) return undefined;
  const words = text.split(",").map((word) => word.trim());
  if (words.some((word) => word === "")) {
    throw new InputError(`--${name}: found "${text}"; expected words parted by commas.`);
  }
  return words;
}

/** Words that all are among `known`, without repeats. */
export function readChoices<T extends string>(given: Arguments, name: string, known: readonly T[]): T[] | undefined {
  return readList(given, name)?.map((word, i, words) => {
    const found = known.find((candidate) => candidate === word);
    if (found === undefined) throw new InputError(`--${name}: unknown "${word}"${suggest(word, known)}`);
    if (words.indexOf(word) < i) throw new InputError(`--${name}: ${word} is given twice; expected once.`);
    return found;
  });
}

/** Whole numbers from 0, without repeats. */
export function readSeeds(given: Arguments, name: string): number[] | undefined {
  return readList(given, name)?.map((word, i, words) => {
    const value = Number(word);
    if (!/^\d+$/.test(word) || !Number.isSafeInteger(value)) {
      throw new InputError(`--${name}: found "${word}"; expected whole numbers of at least 0, such as 1,2,3.`);
    }
    if (words.indexOf(word) < i) throw new InputError(`--${name}: ${word} is given twice; expected once.`);
    return value;
  });
}
