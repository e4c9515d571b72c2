/** Kinds of options that only commands have: text, lists with commas, sizes in bytes, durations. */

import type { OptionSpec } from "../../core/options.js";

interface FlagText {
  readonly doc: string;
  /** Name of the value in the help, such as N or FILE. */
  readonly value: string;
  readonly defaultText?: string;
}

function readText(input: unknown): string | undefined {
  return typeof input === "string" ? input : undefined;
}

/** Any text, such as a path. */
export function text(fallback: string, shown: FlagText): OptionSpec<string>;
export function text(fallback: undefined, shown: FlagText): OptionSpec<string | undefined>;
export function text(fallback: string | undefined, shown: FlagText): OptionSpec<string | undefined> {
  return { ...shown, default: fallback, accepts: shown.value, read: readText };
}

/** A text that may be given several times; all of them in order. */
export function texts(shown: FlagText): OptionSpec<readonly string[]> {
  return {
    ...shown,
    default: [],
    accepts: shown.value,
    repeatable: true,
    read: (input) => (Array.isArray(input) ? input.map(String) : undefined),
  };
}

/** The parts between commas; undefined if one is empty or comes twice. */
function distinctParts(input: unknown): string[] | undefined {
  const parts = typeof input === "string" ? input.split(",").map((part) => part.trim()) : [""];
  return parts.includes("") || new Set(parts).size < parts.length ? undefined : parts;
}

/** Distinct words separated by commas. */
export function wordList(fallback: readonly string[], shown: FlagText): OptionSpec<readonly string[]>;
export function wordList(fallback: undefined, shown: FlagText): OptionSpec<readonly string[] | undefined>;
export function wordList(
  fallback: readonly string[] | undefined,
  shown: FlagText,
): OptionSpec<readonly string[] | undefined> {
  return { ...shown, default: fallback, accepts: "words separated by commas, each once", read: distinctParts };
}

/** Distinct words separated by commas, all among `values`. */
export function choiceList<const V extends string>(
  fallback: readonly NoInfer<V>[] | undefined,
  values: readonly V[],
  shown: FlagText,
): OptionSpec<readonly V[] | undefined> {
  return {
    ...shown,
    default: fallback,
    accepts: `some of ${values.join(", ")}, separated by commas, each once`,
    choices: values,
    read(input) {
      const found = distinctParts(input)?.map((part) => values.find((candidate) => candidate === part));
      return found?.every((part) => part !== undefined) ? found : undefined;
    },
  };
}

/** Distinct random seeds separated by commas. */
export function seedList(fallback: readonly number[], shown: FlagText): OptionSpec<readonly number[]>;
export function seedList(fallback: undefined, shown: FlagText): OptionSpec<readonly number[] | undefined>;
export function seedList(
  fallback: readonly number[] | undefined,
  shown: FlagText,
): OptionSpec<readonly number[] | undefined> {
  return {
    ...shown,
    default: fallback,
    accepts: "integers ≥ 0 separated by commas, each once, such as 1,2,3",
    read(input) {
      const parts = distinctParts(input);
      if (!parts?.every((part) => /^\d+$/.test(part) && Number.isSafeInteger(Number(part)))) return undefined;
      return parts.map(Number);
    },
  };
}

/** A number of bytes, with or without a unit: 500MB, 2GiB. */
export function byteSize(shown: Omit<FlagText, "value">): OptionSpec<number | undefined> {
  return {
    ...shown,
    value: "SIZE",
    default: undefined,
    accepts: "a size such as 500MB or 2GB",
    read(input) {
      const match = /^(\d+(?:\.\d+)?)\s*([kMGT]?)(i?)B?$/i.exec(String(input).trim());
      if (match === null) return undefined;
      const [, count, prefix, binary] = match;
      return Number(count) * (binary === "" ? 1000 : 1024) ** ["", "k", "m", "g", "t"].indexOf(prefix.toLowerCase());
    },
  };
}

/** Seconds in each unit of a duration. */
const DURATION_UNITS = { s: 1, min: 60, h: 3600 } as const;

/** A duration in seconds, given with a unit: 90s, 10min, 2h. */
export function duration(fallback: number, shown: Omit<FlagText, "value">): OptionSpec<number> {
  return {
    ...shown,
    value: "TIME",
    default: fallback,
    accepts: "a time such as 90s, 10min or 2h",
    read(input) {
      const match = /^(\d+(?:\.\d+)?)\s*(s|min|h)$/.exec(String(input).trim());
      const seconds = match === null ? 0 : Number(match[1]) * DURATION_UNITS[match[2] as keyof typeof DURATION_UNITS];
      return seconds > 0 ? seconds : undefined;
    },
  };
}
