/** Which column of a table plays which role. */

import { InputError, nearestName } from "../../core/errors.js";
import { NO_VALUES } from "../../core/missing-tokens.js";
import { quotedNames, quoteValue } from "../../core/text.js";

export type Check = "text" | "weight" | "number" | "category";

/** A role a column can play, such as the source of an edge. */
export interface Role {
  readonly name: string;
  /** What messages call it; default: its name. */
  readonly title?: string;
  /** Accepted column names in lower case, the preferred first. */
  readonly aliases: readonly string[];
  readonly required: boolean;
  /** text: not empty. weight: a finite number, not negative. number: a finite number. category: any text, or nothing. */
  readonly check: Check;
  /** Of numbers: a cell may be empty, or say that it has none. */
  readonly optional?: boolean;
  /** What to do where it is empty, or negative and should not be. */
  readonly advice?: string;
  /** What to do where it is something else altogether. */
  readonly otherwise?: string;
}

/** Given instead of a column: this role has none, whatever the columns are called. */
const NO_COLUMN = "none";

/** The columns that are given, and how roles that are to have none are left out of those that were found. */
export function splitGiven(given: GivenColumns = {}): {
  readonly named: GivenColumns;
  readonly leaveOut: (chosen: ChosenColumns) => ChosenColumns;
} {
  const none = EDGE_ROLES.filter((role) => !role.required && given[role.name] === NO_COLUMN).map(({ name }) => name);
  return {
    named: Object.fromEntries(Object.entries(given).filter(([role]) => !none.includes(role))),
    leaveOut: (chosen) => new Map([...chosen].filter(([role]) => !none.includes(role))),
  };
}

/** Column names, or positions from 1, by role. */
export type GivenColumns = Readonly<Record<string, string | number | undefined>>;

/** Index of the column of each role that has one. */
export type ChosenColumns = ReadonlyMap<string, number>;

const WITHOUT_SUCH = " Leave such edges out of the file, or read it with --sql and a WHERE that does.";

export const RELATION_ROLE: Role = {
  name: "relation",
  aliases: ["relation", "layer", "type", "dimension", "view", "predicate", "edge_type", "kind", "interaction"],
  required: false,
  check: "text",
  advice: " Name a relation there, or leave such edges out of the file.",
};

export const WEIGHT_ROLE: Role = {
  name: "weight",
  aliases: ["weight", "w", "score", "combined_score"],
  required: false,
  check: "weight",
  advice: WITHOUT_SUCH,
  otherwise: " To read no weights, give --columns weight=none.",
};

/** Names of the two ends that belong together, the preferred first. */
const END_PAIRS: readonly (readonly [string, string])[] = [
  ["source", "target"],
  ["src", "dst"],
  ["from", "to"],
  ["u", "v"],
  ["head", "tail"],
  ["subject", "object"],
  ["user", "item"],
  ["user_id", "item_id"],
  ...["node", "id", "protein", "gene"].flatMap((name) => [
    [`${name}1`, `${name}2`] as const,
    [`${name}_1`, `${name}_2`] as const,
  ]),
];

export const EDGE_ROLES: readonly Role[] = [
  {
    name: "source",
    aliases: END_PAIRS.map(([source]) => source),
    required: true,
    check: "text",
    advice: WITHOUT_SUCH,
  },
  {
    name: "target",
    aliases: END_PAIRS.map(([, target]) => target),
    required: true,
    check: "text",
    advice: WITHOUT_SUCH,
  },
  RELATION_ROLE,
  WEIGHT_ROLE,
];

const NODE_ROLE: Role = {
  name: "node",
  aliases: ["node", "id", "node_id", "nodeid", "name", "gene", "protein"],
  required: true,
  check: "text",
};

export const NODE_ROLES: readonly Role[] = [NODE_ROLE];

export const LABEL_ROLE: Role = {
  name: "label",
  aliases: ["label", "class", "category", "group", "community"],
  required: true,
  check: "text",
  advice: " Leave nodes without a label out of the file.",
};

export const LABEL_ROLES: readonly Role[] = [NODE_ROLE, LABEL_ROLE];

export const FEATURE_ROLES: readonly Role[] = [
  NODE_ROLE,
  { name: "feature", aliases: ["feature", "attribute"], required: true, check: "text" },
  { name: "value", aliases: ["value", "weight"], required: false, check: "number" },
];

/** Index of the column with the best alias of a role, or -1. */
export function findAlias(role: Role, names: readonly string[]): number {
  const plain = names.map((name) => name.trim().toLowerCase());
  for (const alias of role.aliases) {
    const index = plain.indexOf(alias);
    if (index >= 0) return index;
  }
  return -1;
}

/** Index of a first column without a name beside others that have one, as pandas and R write names of rows, or -1. */
export function namelessNodes([first, ...others]: readonly string[]): number {
  return first?.trim() === "" && others.length > 0 && others.every((name) => name.trim() !== "" && !isNumeric(name))
    ? 0
    : -1;
}

/** Columns of both ends whose names belong together, best first: a column `source` beside gene1 and gene2 says where an edge is from. */
export function findEnds(names: readonly string[]): { readonly source: number; readonly target: number }[] {
  const plain = names.map((name) => name.trim().toLowerCase());
  return END_PAIRS.map(([source, target]) => ({ source: plain.indexOf(source), target: plain.indexOf(target) })).filter(
    ({ source, target }) => source >= 0 && target >= 0,
  );
}

/** The best pair of ends that has the one that is given, if one is. */
function endsBeside(names: readonly string[], given: GivenColumns = {}) {
  const at = (wanted: string | number | undefined) =>
    (givenPosition(wanted) ??
      1 + names.findIndex((name) => name.trim().toLowerCase() === String(wanted).trim().toLowerCase())) - 1;
  return findEnds(names).find(
    ({ source, target }) =>
      (given["source"] === undefined || at(given["source"]) === source) &&
      (given["target"] === undefined || at(given["target"]) === target),
  );
}

/** Whether columns can be named on the command line: those of edges and, where the command lets one, of labels. */
export function nameable(roles: readonly Role[], given: GivenColumns | undefined): boolean {
  if (roles.includes(LABEL_ROLE)) return given !== undefined;
  return roles.includes(WEIGHT_ROLE);
}

/** The columns of a table whose column names are known. */
export function chooseByName(
  where: string,
  names: readonly string[],
  roles: readonly Role[],
  given?: GivenColumns,
): ChosenColumns {
  const chosen = new Map<string, number>();
  const ends = new Map(Object.entries(endsBeside(names, given) ?? {}));
  for (const role of roles) {
    const wanted = given?.[role.name];
    const found = () =>
      ends.get(role.name) ?? Math.max(findAlias(role, names), role === NODE_ROLE ? namelessNodes(names) : -1);
    const index = wanted === undefined ? found() : findGiven(where, role, wanted, names);
    if (index >= 0) chosen.set(role.name, index);
  }
  const missing = roles.filter((role) => role.required && !chosen.has(role.name));
  if (missing.length > 0) {
    throw new InputError(
      `${where}: no ${missing.map((role) => role.name).join(" or ")} column; found the columns ${listNames(names)}. ` +
        (nameable(roles, given)
          ? `Name them, as in --columns ${missing.map((role) => `${role.name}=NAME`).join(",")}.`
          : missing.some(({ name }) => name === "feature")
            ? "Call the column of nodes node in the file; all others are features then."
            : `Call ${missing.length === 1 ? "it" : "them"} ${missing.map((role) => role.aliases.slice(0, 3).join(", ")).join(" and ")} in the file.`),
    );
  }
  for (const [role, index] of chosen) {
    if (names.indexOf(names[index]) === names.lastIndexOf(names[index])) continue;
    if (givenPosition(given?.[role]) !== undefined) continue;
    throw new InputError(
      `${where}: two columns are called ${quoteValue(names[index])}; expected one.${nameable(roles, given) ? ` Give its position, as in --columns ${role}=${index + 1}.` : ""}`,
    );
  }
  for (const [role, index] of chosen) {
    for (const [other, same] of chosen) {
      if (role < other && index === same) {
        throw new InputError(
          `${where}: column "${names[index]}" is named for both ${role} and ${other}; expected two.`,
        );
      }
    }
  }
  return chosen;
}

function findGiven(where: string, role: Role, wanted: string | number, names: readonly string[]): number {
  const text = String(wanted);
  if (typeof wanted === "string") {
    const exact = names.indexOf(text);
    if (exact >= 0) return exact;
    const near = names.findIndex((name) => name.trim().toLowerCase() === text.trim().toLowerCase());
    if (near >= 0) return near;
  }
  const position = givenPosition(wanted);
  if (position !== undefined) {
    if (position >= 1 && position <= names.length) return position - 1;
    throw new InputError(
      `${where}: there is no column ${text} for ${role.name}; the table has ${names.length}: ${listNames(names)}.`,
    );
  }
  const nearest = nearestName(text, names);
  throw new InputError(
    `${where}: there is no column "${text}" for ${role.name}${nearest === undefined ? "." : `; did you mean "${nearest}"?`} ` +
      `The columns are ${listNames(names)}.`,
  );
}

/** The position meant by a number or a string of digits. */
export function givenPosition(wanted: string | number | undefined): number | undefined {
  return wanted !== undefined && /^\d+$/.test(String(wanted)) ? Number(wanted) : undefined;
}

/** At most ten names, quoted. */
export function listNames(names: readonly string[]): string {
  return quotedNames(names, 10);
}

const NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;

/** Whether a field reads as a number. */
export function isNumeric(text: string): boolean {
  return NUMBER.test(text);
}

/** What is wrong with a value in this role, or undefined. */
export function faultOf(role: Role, value: string | null | undefined): string | undefined {
  if (role.check === "category" || (role.optional && (!value || NO_VALUES.includes(value.toLowerCase()))))
    return undefined;
  if (value === null || value === undefined || value === "") {
    return `${role.title ?? role.name} is empty; expected ${role.check === "text" ? "a name" : "a number"}.${role.advice ?? ""}`;
  }
  if (role.check === "text") return undefined;
  const expected = role.check === "weight" ? "a finite number that is not negative" : "a finite number";
  const number = isNumeric(value) ? Math.fround(Number(value)) : Number.NaN;
  const good = Number.isFinite(number) && (role.check === "number" || number >= 0);
  if (good) return undefined;
  const comma = /^\s*[+-]?\d+,\d+\s*$/.test(value) ? ", with a point instead of the comma" : "";
  const thousands = /^\s*[+-]?\d{1,3}(,\d{3})+\s*$/.test(value) ? ", or without it if it parts thousands" : "";
  if (isNumeric(value) && !Number.isFinite(number)) {
    return `${role.title ?? role.name} ${quoteValue(value)}; expected a number of a size below 3.4e38.`;
  }
  const absent = NO_VALUES.includes(value.trim().toLowerCase()) || number < 0;
  const advice = (absent && role.advice) || (comma === "" && role.otherwise) || "";
  return `${role.title ?? role.name} ${quoteValue(value)}; expected ${expected}${comma}${thousands}.${advice}`;
}
