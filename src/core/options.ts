/**
 * Options as data. A schema lists each option with its kind, default, bounds and one line of documentation; the command
 * line, the help, the docs and the checks all derive from it.
 */

import { InputError, suggest } from "./errors.js";

/** One option: what it is by default, what it accepts and one line about it. */
export interface OptionSpec<T> {
  readonly default: T;
  readonly doc: string;
  /** What is accepted, in words: "integer ≥ 1", "mean | attention". */
  readonly accepts: string;
  /** Checks a value from a program, or reads one from text; undefined when it is not acceptable. */
  read(value: unknown): T | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: a schema holds options of any type; each is typed by OptionValues
export type OptionSchema = Record<string, OptionSpec<any>>;

/** The values of the options of a schema. */
export type OptionValues<S extends OptionSchema> = {
  readonly [K in keyof S]: S[K] extends OptionSpec<infer T> ? T : never;
};

/** What an option of numbers accepts, and one line about it. */
export interface NumberBounds {
  readonly doc: string;
  readonly min?: number;
  readonly max?: number;
}

function within(value: number, { min = -Infinity, max = Infinity }: NumberBounds): boolean {
  return Number.isFinite(value) && value >= min && value <= max;
}

function boundsText({ min, max }: NumberBounds): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` ≥ ${min}`;
  return max === undefined ? "" : ` ≤ ${max}`;
}

function toNumber(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
}

/** An integer. */
export function int(fallback: number, bounds: NumberBounds): OptionSpec<number> {
  return {
    default: fallback,
    doc: bounds.doc,
    accepts: `integer${boundsText(bounds)}`,
    read(value) {
      const number = toNumber(value);
      return Number.isSafeInteger(number) && within(number, bounds) ? number : undefined;
    },
  };
}

/** A finite number. */
export function number(fallback: number, bounds: NumberBounds): OptionSpec<number> {
  return {
    default: fallback,
    doc: bounds.doc,
    accepts: `number${boundsText(bounds)}`,
    read(value) {
      const read = toNumber(value);
      return within(read, bounds) ? read : undefined;
    },
  };
}

/** True or false. */
export function flag(fallback: boolean, { doc }: { doc: string }): OptionSpec<boolean> {
  return {
    default: fallback,
    doc,
    accepts: "true | false",
    read(value) {
      if (typeof value === "boolean") return value;
      return value === "true" ? true : value === "false" ? false : undefined;
    },
  };
}

/** One of several words. */
export function choice<const V extends string>(
  fallback: NoInfer<V>,
  values: readonly V[],
  { doc }: { doc: string },
): OptionSpec<V> {
  return {
    default: fallback,
    doc,
    accepts: values.join(" | "),
    read: (value) => values.find((candidate) => candidate === value),
  };
}

/**
 * One of several words for all names, or for some of them, as text `off,letters:on`: a word for all first, then pairs of name and
 * word. Names are known only with the graph; `choicePerName` reads them.
 */
export function choiceByName(
  fallback: string,
  values: readonly string[],
  { doc, what }: { doc: string; what: string },
): OptionSpec<string> {
  return {
    default: fallback,
    doc,
    accepts: `${values.join(" | ")}; for some only, ${what}:${values[1]} with commas between`,
    read(value) {
      if (typeof value !== "string") return undefined;
      return splitChoices(value, values) === undefined ? undefined : value.trim();
    },
  };
}

/** The word for all names, if there is one, and those for single names; undefined where the text is something else. */
function splitChoices(text: string, values: readonly string[]) {
  // a name may hold commas and colons: a pair ends with a colon and one of the words
  const words = values.join("|");
  const parts = new RegExp(`^(${words})?(?:(?:^|,)(.+:(?:${words})))?$`).exec(text.trim());
  if (parts === null || text.trim() === "") return undefined;
  const pairs = [...(parts[2] ?? "").matchAll(new RegExp(`(.+?):(${words})(?:,|$)`, "g"))];
  return { all: parts[1], single: pairs.map(([, name, word]) => [name.trim(), word] as const) };
}

/** The word of each name, of the value of an option made by `choiceByName`. Unknown names are refused. */
export function choicePerName(
  option: OptionSpec<string>,
  value: string,
  names: readonly string[],
  { values, where, what }: { readonly values: readonly string[]; readonly where: string; readonly what: string },
): string[] {
  const { all = option.default, single } = splitChoices(value, values) ?? { single: [] };
  const chosen = new Map<string, string>();
  const known = new Set(names);
  for (const [name, word] of single) {
    if (!known.has(name)) {
      throw new InputError(`${where}: there is no ${what} "${name}"${suggest(name, names.slice(0, MAX_SUGGESTED))}`);
    }
    if (chosen.has(name)) throw new InputError(`${where}: ${what} "${name}" is given twice; expected once.`);
    chosen.set(name, word);
  }
  return names.map((name) => chosen.get(name) ?? all);
}

/** Names that a message may list. */
const MAX_SUGGESTED = 20;

/** A list of integers, as text `6,3,1`; the word `none` is the empty list. */
export function intList(fallback: readonly number[], bounds: NumberBounds): OptionSpec<readonly number[]> {
  return {
    default: fallback,
    doc: bounds.doc,
    accepts: `integers${boundsText(bounds)} with commas between, or none`,
    read(value) {
      const items = value === "none" ? [] : typeof value === "string" ? value.split(",") : value;
      if (!Array.isArray(items)) return undefined;
      const numbers = items.map(toNumber);
      return numbers.every((n) => Number.isSafeInteger(n) && within(n, bounds)) ? numbers : undefined;
    },
  };
}

/** Text form of an option's value, as the command line reads it. */
export function formatOption(value: unknown): string {
  return Array.isArray(value) ? (value.length === 0 ? "none" : value.join(",")) : String(value);
}

/**
 * Complete, checked options: the schema's defaults, overlaid by each of `layers` in turn. `where` names the owner in
 * messages.
 */
export function resolveOptions<S extends OptionSchema>(
  schema: S,
  where: string,
  ...layers: readonly Readonly<Record<string, unknown>>[]
): OptionValues<S> {
  const values: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(schema)) values[name] = spec.default;
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer)) {
      if (value === undefined) continue;
      const spec = Object.hasOwn(schema, name) ? schema[name] : undefined;
      if (spec === undefined) {
        throw new InputError(`${where}: unknown option "${name}"${suggest(name, Object.keys(schema))}`);
      }
      const read = spec.read(value);
      if (read === undefined) {
        throw new InputError(
          `${where}: option ${name} is ${typeof value === "number" ? value : JSON.stringify(value)}; expected ${spec.accepts}`,
        );
      }
      values[name] = read;
    }
  }
  return values as OptionValues<S>;
}
