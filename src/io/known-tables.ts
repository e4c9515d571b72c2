/** Tables that say themselves what they are. */

import { InputError } from "../core/errors.js";
import { shellQuery, shellWord } from "../core/shell-word.js";
import { findAlias, LABEL_ROLES, type Role } from "./columns.js";
import { quoteText } from "./duckdb.js";
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
