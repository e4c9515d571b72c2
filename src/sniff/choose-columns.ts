/** Chooses the column for each role: the one the user named with --columns, or one with a recognised name. */

import { InputError, nearestName } from "../core/errors.js";
import { quotedNames, quoteValue } from "../core/text.js";
import { isNumeric } from "./check-value.js";
import {
  EDGE_ROLES,
  findAlias,
  findEndpointPairs,
  findPairByEnds,
  LABEL_ROLE,
  NODE_LIST_ROLES,
  NODE_ROLE,
  type Role,
  WEIGHT_ROLE,
} from "./column-roles.js";

/** The columns that the user named: column names, or positions from 1, by role. */
export type UserColumns = Readonly<Record<string, string | number | undefined>>;

/** Index of the column of each role that has one. */
export type ChosenColumns = ReadonlyMap<string, number>;

/** `--columns weight=none`: the role has no column, even if a column has its name. */
const NO_COLUMN = "none";

/** Separates the optional roles of edges that the user set to `none` from the columns that the user named. */
export function separateDisabledRoles(userColumns: UserColumns = {}): {
  readonly named: UserColumns;
  readonly withoutDisabled: (chosen: ChosenColumns) => ChosenColumns;
} {
  const disabled = EDGE_ROLES.filter((role) => !role.required && userColumns[role.name] === NO_COLUMN).map(
    ({ name }) => name,
  );
  return {
    named: Object.fromEntries(Object.entries(userColumns).filter(([role]) => !disabled.includes(role))),
    withoutDisabled: (chosen) => new Map([...chosen].filter(([role]) => !disabled.includes(role))),
  };
}

/** Index of the unnamed first column that pandas and R write for row names, or -1. All other columns must have names. */
export function unnamedNodeColumn([first, ...others]: readonly string[]): number {
  return first?.trim() === "" && others.length > 0 && others.every((name) => name.trim() !== "" && !isNumeric(name))
    ? 0
    : -1;
}

/** The preferred pair of endpoint columns. If the user named one endpoint column, the pair contains it. */
function preferredEndpoints(names: readonly string[], userColumns: UserColumns = {}) {
  const indexOf = (wanted: string | number | undefined) =>
    (columnPosition(wanted) ??
      1 + names.findIndex((name) => name.trim().toLowerCase() === String(wanted).trim().toLowerCase())) - 1;
  const byEnds = findPairByEnds(names);
  return [...findEndpointPairs(names), ...(byEnds === undefined ? [] : [byEnds])].find(
    ({ source, target }) =>
      (userColumns["source"] === undefined || indexOf(userColumns["source"]) === source) &&
      (userColumns["target"] === undefined || indexOf(userColumns["target"]) === target),
  );
}

/** Whether --columns can name columns of this table: tables of edges, and labels and lists of nodes if the command has the option for them. */
export function acceptsColumnsOption(roles: readonly Role[], userColumns: UserColumns | undefined): boolean {
  if (roles.includes(LABEL_ROLE)) return userColumns !== undefined;
  return roles.includes(WEIGHT_ROLE) || (roles === NODE_LIST_ROLES && userColumns !== undefined);
}

/** The column of each role that has a known name, and was not named by the user. */
export function recognisedColumns(
  names: readonly string[],
  roles: readonly Role[],
  userColumns?: UserColumns,
): ChosenColumns {
  const { source = -1, target = -1 } = preferredEndpoints(names, userColumns) ?? {};
  const endpoints = new Map(Object.entries({ source, target }).filter(([, index]) => index >= 0));
  const found = roles.map((role): [string, number] => [
    role.name,
    endpoints.get(role.name) ??
      Math.max(
        findAlias(role, names),
        role.name === NODE_ROLE.name ? unnamedNodeColumn(names) : -1,
        role.acceptsIdColumn && names.length === 1 ? 0 : -1,
      ),
  ]);
  return new Map(found.filter(([role, index]) => index >= 0 && userColumns?.[role] === undefined));
}

/** Chooses columns of a table whose column names are known; `where` is its name in messages. */
export function chooseByName(
  where: string,
  names: readonly string[],
  roles: readonly Role[],
  userColumns?: UserColumns,
): ChosenColumns {
  const chosen = new Map<string, number>();
  const recognised = recognisedColumns(names, roles, userColumns);
  for (const role of roles) {
    const wanted = userColumns?.[role.name];
    const index = wanted === undefined ? recognised.get(role.name) : findUserColumn(where, role, wanted, names);
    if (index !== undefined) chosen.set(role.name, index);
  }
  const missing = roles.filter((role) => role.required && !chosen.has(role.name));
  if (missing.length > 0) {
    throw new InputError(
      `${where}: no ${missing.map((role) => role.name).join(" or ")} column; found the columns ${listNames(names)}. ` +
        (acceptsColumnsOption(roles, userColumns)
          ? `Name them, as in --columns ${missing.map((role) => `${role.name}=NAME`).join(",")}.`
          : missing.some(({ name }) => name === "feature")
            ? "Rename the column of nodes to node; all other columns are then features."
            : `Rename ${missing.length === 1 ? "it" : "them"} to ${missing.map((role) => role.aliases.slice(0, 3).join(", ")).join(" and ")} in the file.`),
    );
  }
  for (const [role, index] of chosen) {
    if (names.indexOf(names[index]) === names.lastIndexOf(names[index])) continue;
    if (columnPosition(userColumns?.[role]) !== undefined) continue;
    throw new InputError(
      `${where}: two columns are called ${quoteValue(names[index])}; expected one.${acceptsColumnsOption(roles, userColumns) ? ` Give its position, as in --columns ${role}=${index + 1}.` : ""}`,
    );
  }
  for (const [role, index] of chosen) {
    for (const [other, same] of chosen) {
      if (role < other && index === same) {
        throw new InputError(
          `${where}: column "${names[index]}" is named for both ${role} and ${other}; expected two columns.`,
        );
      }
    }
  }
  return chosen;
}

function findUserColumn(where: string, role: Role, wanted: string | number, names: readonly string[]): number {
  const text = String(wanted);
  if (typeof wanted === "string") {
    const exact = names.indexOf(text);
    if (exact >= 0) return exact;
    const near = names.findIndex((name) => name.trim().toLowerCase() === text.trim().toLowerCase());
    if (near >= 0) return near;
  }
  const position = columnPosition(wanted);
  if (position !== undefined) {
    if (position >= 1 && position <= names.length) return position - 1;
    throw new InputError(
      `${where}: there is no column ${text} for ${role.name}; the table has ${names.length} columns: ${listNames(names)}.`,
    );
  }
  const nearest = nearestName(text, names);
  throw new InputError(
    `${where}: there is no column "${text}" for ${role.name}${nearest === undefined ? "." : `; did you mean "${nearest}"?`} ` +
      `The columns are ${listNames(names)}.`,
  );
}

/** The position, from 1, that a number or a string of digits means; undefined for a name. */
export function columnPosition(wanted: string | number | undefined): number | undefined {
  return wanted !== undefined && /^\d+$/.test(String(wanted)) ? Number(wanted) : undefined;
}

/** At most ten names, quoted. */
export function listNames(names: readonly string[]): string {
  return quotedNames(names, 10);
}
