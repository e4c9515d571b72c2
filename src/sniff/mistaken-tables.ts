/** Refuses tables that are easily mistaken for tables of edges: labels, adjacency lists, tables with a title above the header, and decimal commas. */

import { InputError } from "../core/errors.js";
import { quoteValue, shellWord } from "../core/text.js";
import { isDecimalComma, isNumeric, valueFault } from "./check-value.js";
import { findAlias, findEndpointPairs, LABEL_ROLES, type Role, WEIGHT_ROLE } from "./column-roles.js";
import type { ScannedRow } from "./row-scanner.js";

/** Refuses a table whose two columns are called like those of a table of labels. */
export function refuseLabels(path: string, [node, label, ...others]: readonly string[]): void {
  const [nodeRole, labelRole] = LABEL_ROLES;
  const isAlias = (role: Role, name = "") => findAlias(role, [name]) === 0;
  if (others.length > 0 || !isAlias(nodeRole, node) || !isAlias(labelRole, label)) return;
  throw new InputError(
    `${path}: ${node} and ${label} are the columns of a table of labels; expected edges. Give labels with --labels; if these are edges, use --columns ${shellWord(`source=${node},target=${label}`)}.`,
  );
}

/** A header is looked for in this many lines below the first; not tuned. */
const MAX_TITLE_LINES = 20;

/** Refuses a table whose first lines are a title or an export date above the header. */
export function refuseLinesAboveHeader(path: string, rows: readonly ScannedRow[]): void {
  const [first] = rows;
  if (findEndpointPairs(first.fields).length > 0) return;
  const header = rows.slice(1, 1 + MAX_TITLE_LINES).find(({ fields }) => {
    const hasEndpoints = findEndpointPairs(fields).length > 0;
    // Other names of endpoint columns, such as head and tail, may be ids if the first line has several fields too.
    const isCertain = ["source", "target"].every((name) => fields.some((field) => field.trim().toLowerCase() === name));
    return hasEndpoints && (isCertain || (first.fields.length === 1 && fields.every((field) => field.length > 1)));
  });
  if (header === undefined) return;
  const above = header.line - first.line === 1 ? `line ${first.line}` : `lines ${first.line} to ${header.line - 1}`;
  throw new InputError(
    `${path}:${header.line}: this line looks like the header, ${quoteValue(header.fields.slice(0, 6).join(","))}; expected it in the first line. Delete ${above}, or start ${above.startsWith("lines") ? "them" : "it"} with #; if all lines are edges, add a header line at the top.`,
  );
}

/** Refuses rows with different numbers of fields, as adjacency lists have them. */
export function refuseRaggedRows(path: string, rows: readonly ScannedRow[]): void {
  const [first] = rows;
  const other = rows.find(({ fields }) => fields.length !== first.fields.length);
  if (other === undefined) return;
  throw new InputError(
    `${path}: line ${first.line} has ${first.fields.length} fields, line ${other.line} has ${other.fields.length}; expected one edge per line. If this is an adjacency list, convert it with networkx: nx.to_pandas_edgelist(nx.read_adjlist(${JSON.stringify(path)})).to_csv("edges.csv", index=False).`,
  );
}

/** Refuses a table without a header whose last column, the third or a later one, holds numbers with decimal commas. */
export function refuseDecimalCommas(path: string, rows: readonly ScannedRow[]): void {
  const last = rows[0].fields.length - 1;
  const cells = rows.map(({ fields }) => fields[last] ?? "");
  const at = cells.findIndex(isDecimalComma);
  if (last < 2 || at < 0 || !cells.every((cell) => isDecimalComma(cell) || isNumeric(cell))) return;
  throw new InputError(`${path}:${rows[at].line}: ${valueFault(WEIGHT_ROLE, cells[at])}`);
}
