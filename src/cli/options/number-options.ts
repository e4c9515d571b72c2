/** Flags that are numbers. */

import { InputError } from "../../core/errors.js";
import { type Arguments, textOption } from "../command.js";

/** A flag that is a whole number of at least `least`. */
export function readCount(given: Arguments, name: string, least: number): number | undefined {
  return read(given, name, `a whole number of at least ${least}`, (n) => Number.isSafeInteger(n) && n >= least);
}

/** A flag that is a number from `least` to `most`. */
export function readNumber(given: Arguments, name: string, least: number, most = Infinity): number | undefined {
  const range = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`;
  return read(given, name, `a number ${range}`, (n) => Number.isFinite(n) && n >= least && n <= most);
}

export function readPositive(given: Arguments, name: string): number | undefined {
  return read(given, name, "a number above 0", (n) => Number.isFinite(n) && n > 0);
}

/** A flag that is a part of a whole, neither none nor all of it. */
export function readShare(given: Arguments, name: string): number | undefined {
  return read(given, name, "a share above 0 and below 1", (n) => n > 0 && n < 1);
}

/** A flag that is a size: bytes, or with a unit such as 500MB or 2GiB. */
export function readBytes(given: Arguments, name: string): number | undefined {
  const text = textOption(given, name);
  if (text === undefined) return undefined;
  const match = /^(\d+(?:\.\d+)?)\s*([kMGT]?)(i?)B?$/i.exec(text.trim());
  if (match === null) throw new InputError(`--${name}: found "${text}"; expected a size such as 500MB or 2GB.`);
  return Number(match[1]) * (match[3] === "" ? 1000 : 1024) ** ["", "k", "m", "g", "t"].indexOf(match[2].toLowerCase());
}

function read(given: Arguments, name: string, expected: string, accepts: (n: number) => boolean): number | undefined {
  const text = textOption(given, name);
  if (text === undefined) return undefined;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!accepts(value)) throw new InputError(`--${name}: found "${text}"; expected ${expected}.`);
  return value;
}
