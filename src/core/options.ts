/**
 * Options as data. A schema lists each option with its kind, default, bounds and one line of documentation. Flags, help texts,
 * docs and checks derive from it, for models, tasks and commands alike.
 */

import { InputError, suggest } from "./errors.js";
import { valueText } from "./validation.js";

/** How help texts show an option. */
export interface OptionText {
  readonly doc: string;
  /** Name of the value in the help, such as N or FILE. */
  readonly value?: string;
  /** The default in words, for an option whose default is no fixed value. */
  readonly defaultText?: string;
}

/** One option: its default, the values it accepts and one line about it. */
export interface OptionSpec<T> extends OptionText {
  readonly default: T;
  /** The accepted values in words: "integer ≥ 1", "mean | attention". */
  readonly accepts: string;
  /** The accepted words, if the option or each part of its list is one of several. */
  readonly choices?: readonly string[];
  /** Whether the flag may be given several times; `read` then receives a list. */
  readonly repeatable?: boolean;
  /** Checks a value from a program, or reads one from text; undefined when it is not acceptable. */
  read(value: unknown): T | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: a schema holds options of any type; each is typed by OptionValues
export type OptionSchema = Record<string, OptionSpec<any>>;

/** The values of the options of a schema. */
export type OptionValues<S extends OptionSchema> = {
  readonly [K in keyof S]: S[K] extends OptionSpec<infer T> ? T : never;
};

/** The numbers that an option accepts, and one line about it. */
export interface NumberBounds extends OptionText {
  readonly min?: number;
  readonly max?: number;
  /** All numbers above this one; not with `min`. */
  readonly above?: number;
  /** All numbers below this one; not with `max`. */
  readonly below?: number;
}

function within(value: number, bounds: NumberBounds): boolean {
  const { min = -Infinity, max = Infinity, above = -Infinity, below = Infinity } = bounds;
  return Number.isFinite(value) && value >= min && value <= max && value > above && value < below;
}

function boundsText({ min, max, above, below }: NumberBounds): string {
  if (above !== undefined) return ` above ${above}${below === undefined ? "" : ` and below ${below}`}`;
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` ≥ ${min}`;
  return max === undefined ? "" : ` ≤ ${max}`;
}

function toNumber(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
}

/** An integer. */
export function int(fallback: number, bounds: NumberBounds): OptionSpec<number>;
export function int(fallback: undefined, bounds: NumberBounds): OptionSpec<number | undefined>;
export function int(fallback: number | undefined, bounds: NumberBounds): OptionSpec<number | undefined> {
  const { doc, value = "N", defaultText } = bounds;
  return {
    default: fallback,
    doc,
    value,
    defaultText,
    accepts: `integer${boundsText(bounds)}`,
    read(input) {
      const number = toNumber(input);
      return Number.isSafeInteger(number) && within(number, bounds) ? number : undefined;
    },
  };
}

/** A finite number. */
export function number(fallback: number, bounds: NumberBounds): OptionSpec<number>;
export function number(fallback: undefined, bounds: NumberBounds): OptionSpec<number | undefined>;
export function number(fallback: number | undefined, bounds: NumberBounds): OptionSpec<number | undefined> {
  const { doc, value = "X", defaultText } = bounds;
  return {
    default: fallback,
    doc,
    value,
    defaultText,
    accepts: `number${boundsText(bounds)}`,
    read(input) {
      const read = toNumber(input);
      return within(read, bounds) ? read : undefined;
    },
  };
}

/** True or false; on the command line a switch without a value. */
export function flag(fallback: boolean, { doc, defaultText }: OptionText): OptionSpec<boolean> {
  return {
    default: fallback,
    doc,
    defaultText,
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
  { doc, value = values.join("|"), defaultText }: OptionText,
): OptionSpec<V> {
  return {
    default: fallback,
    doc,
    value,
    defaultText,
    accepts: values.join(" | "),
    choices: values,
    read: (input) => values.find((candidate) => candidate === input),
  };
}

/** The same option for another owner, which documents it differently or has another default. */
export function adapt<T>(spec: OptionSpec<T>, changes: Partial<OptionText>): OptionSpec<T> {
  return { ...spec, ...changes };
}

/** The same option without a default value; `defaultText` describes what holds if none is given. */
export function optional<T>(spec: OptionSpec<T>, defaultText?: string): OptionSpec<T | undefined> {
  return { ...spec, default: undefined, defaultText };
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
    value: "CHOICE",
    accepts: `${values.join(" | ")}, then exceptions ${what}:${values[1]}, separated by commas`,
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
    value: "N,…",
    accepts: `integers${boundsText(bounds)} separated by commas, or none`,
    read(value) {
      const items = value === "none" ? [] : typeof value === "string" ? value.split(",") : value;
      if (!Array.isArray(items)) return undefined;
      const numbers = items.map(toNumber);
      return numbers.every((n) => Number.isSafeInteger(n) && within(n, bounds)) ? numbers : undefined;
    },
  };
}

/** Throws unless a program may pass this value for the option. A number as text is for command lines only. */
export function requireOption<T>(spec: OptionSpec<T>, value: NoInfer<T>, name: string): void {
  if (spec.read(value) === value) return;
  const { accepts, choices } = spec;
  const advice =
    choices !== undefined && typeof value === "string" ? suggest(value, choices) : `; expected ${accepts}.`;
  throw new InputError(`${name} is ${valueText(value)}${advice}`);
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
