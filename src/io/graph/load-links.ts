/** Reads pairs of nodes labelled as edges or non-edges, as link-prediction benchmarks provide them. */

import { InputError } from "../../core/errors.js";
import { quoteText } from "../../core/text.js";
import type { UserColumns } from "../../sniff/choose-columns.js";
import { EDGE_ROLES, type Role, WEIGHT_ROLE } from "../../sniff/column-roles.js";
import { readStrings, withDatabase } from "../duckdb.js";
import { importTable } from "../tables/import-table.js";
import { openTable } from "../tables/table.js";

/** Roles that tables of edges do not have. */
const PAIR_ROLES: readonly Role[] = [
  { name: "label", aliases: ["label", "edge", "y", "class"], required: false, check: "number" },
  { name: "split", aliases: ["split", "set", "part", "fold"], required: false, check: "text" },
];

/** The roles of edges are used without their advice, which names options for edge files. */
const LINK_ROLES: readonly Role[] = [
  ...EDGE_ROLES.filter((role) => role !== WEIGHT_ROLE).map((role) => ({ ...role, missingAdvice: undefined })),
  ...PAIR_ROLES,
];

/** Columns of equal length, in the order of the file. */
export interface Links {
  readonly source: readonly string[];
  readonly target: readonly string[];
  /** Absent if the file has no relation column. */
  readonly relation?: readonly string[];
  /** 1 for an edge, 0 for a non-edge. All 1 if the file has no label column. */
  readonly labels: Uint8Array;
  readonly split?: readonly string[];
}

/**
 * Reads a table of pairs: source, target and, all optional, relation, label (0 or 1) and split. `columns` are the columns that the
 * user named for the edges. Their names are also recognised here, except names of the label and split columns.
 */
export async function loadLinks(path: string, columns: UserColumns = {}): Promise<Links> {
  return withDatabase(async (connection) => {
    const roles = LINK_ROLES.map((role) => {
      const edgeColumn = columns[role.name];
      if (typeof edgeColumn !== "string") return role;
      const name = edgeColumn.trim().toLowerCase();
      const isTaken = PAIR_ROLES.some(({ aliases }) => aliases.includes(name));
      return isTaken ? role : { ...role, aliases: [name, ...role.aliases] };
    });
    const table = await openTable(connection, path, { roles });
    await connection.run(
      "CREATE TEMP TABLE links(source VARCHAR, target VARCHAR, relation VARCHAR, label DOUBLE, split VARCHAR)",
    );
    await importTable(connection, table, roles, "links", {
      label: "1",
      relation: quoteText(""),
      split: quoteText(""),
    });
    const [odd] = await readStrings(connection, "SELECT label FROM links WHERE label NOT IN (0, 1) LIMIT 1");
    if (odd !== undefined) {
      throw new InputError(`${path}: label ${Number(odd)}; expected 1 for an edge and 0 for a non-edge.`);
    }
    const column = (name: string) => readStrings(connection, `SELECT ${name} FROM links ORDER BY rowid`);
    const labels = await column("label::INTEGER::VARCHAR");
    return {
      source: await column("source"),
      target: await column("target"),
      labels: Uint8Array.from(labels, Number),
      ...(table.chosen.has("relation") ? { relation: await column("relation") } : {}),
      ...(table.chosen.has("split") ? { split: await column("split") } : {}),
    };
  });
}
