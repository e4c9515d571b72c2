/** Tables that say themselves what they are. */

import { InputError } from "../../core/errors.js";
import { quoteValue, shellQuery, shellWord } from "../../core/text.js";
import { quoteText } from "../duckdb.js";
import { findAlias, findEnds, LABEL_ROLES, type Role } from "../tables/columns.js";
import type { FileHead } from "./file-head.js";
import type { ScannedRow } from "./row-scanner.js";

/** Fails where the header is that of a table of labels. */
export function refuseLabels(path: string, [node, label, ...others]: readonly string[]): void {
  const [nodes, labels] = LABEL_ROLES;
  const same = (role: Role, name = "") => findAlias(role, [name]) === 0;
  if (others.length > 0 || !same(nodes, node) || !same(labels, label)) return;
  throw new InputError(
    `${path}: ${node} and ${label} are the columns of a table of labels; expected edges. Labels are given with --labels; if these are edges, give --columns ${shellWord(`source=${node},target=${label}`)}.`,
  );
}

/** Lines of a title above the header; more than these are data. */
const MAX_TITLE_LINES = 20;

/** Fails where the first rows are a title or an export date, and a later one is the header. */
export function refuseLinesAboveHeader(path: string, rows: readonly ScannedRow[]): void {
  const [first] = rows;
  if (findEnds(first.fields).length > 0) return;
  const header = rows.slice(1, 1 + MAX_TITLE_LINES).find(({ fields }) => {
    const known = findEnds(fields).length > 0;
    // other names, such as head and tail, may be ids where the rows above have as many fields
    const certain = ["source", "target"].every((name) => fields.some((field) => field.trim().toLowerCase() === name));
    return known && (certain || (first.fields.length === 1 && fields.every((field) => field.length > 1)));
  });
  if (header === undefined) return;
  const above = header.line - first.line === 1 ? `line ${first.line}` : `lines ${first.line} to ${header.line - 1}`;
  throw new InputError(
    `${path}:${header.line}: this line looks like the header, ${quoteValue(header.fields.slice(0, 6).join(","))}; expected it in the first line. Delete ${above}, or start ${above.startsWith("lines") ? "them" : "it"} with #; if all lines are edges, put a header line in front.`,
  );
}

/** Fails where rows have different numbers of fields, as those of adjacency lists have. */
export function refuseRaggedRows(path: string, rows: readonly ScannedRow[]): void {
  const [first] = rows;
  const other = rows.find(({ fields }) => fields.length !== first.fields.length);
  if (other === undefined) return;
  throw new InputError(
    `${path}: line ${first.line} has ${first.fields.length} fields, line ${other.line} ${other.fields.length}; expected one edge a line. If it is an adjacency list, with networkx: nx.to_pandas_edgelist(nx.read_adjlist(${JSON.stringify(path)})).to_csv("edges.csv", index=False).`,
  );
}

/** What the first line of KONECT's files says: `% sym positive` and the like above source, target, weight and time. */
const KONECT = /^%\s*(sym|asym|bip)\s+\w+\s*$/m;

/** Roles in the order of the columns, where the first line is KONECT's. */
export function konectOrder({ path, text }: FileHead, { fields }: ScannedRow, delimiter: string): string[] | undefined {
  const [line, kind] = KONECT.exec(text.slice(0, text.indexOf("\n") + 1)) ?? [];
  if (line === undefined) return undefined;
  if (kind === "bip") {
    const weight = fields.length > 2 ? ", column2 AS weight" : "";
    const delim = delimiter === "\t" ? "\\t" : " ";
    const query = `SELECT 'a' || column0 AS source, 'b' || column1 AS target${weight} FROM read_csv(${quoteText(path)}, delim = '${delim}', comment = '%', header = false, all_varchar = true, null_padding = true)`;
    throw new InputError(
      `${path}: "${line.trim()}" says that its two columns are two kinds of nodes with numbers of their own, which would become the same nodes. Tell them apart, as in --sql ${shellQuery(query)}.`,
    );
  }
  return ["source", "target", "weight"].slice(0, fields.length);
}
