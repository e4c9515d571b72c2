/** Pairs of nodes with whether they are edges, as link-prediction benchmarks give them. */

import { InputError } from "../../core/errors.js";
import { quoteText, readStrings, withDatabase } from "../duckdb.js";
import { EDGE_ROLES, type GivenColumns, type Role, WEIGHT_ROLE } from "../tables/columns.js";
import { importTable } from "../tables/import-table.js";
import { openTable } from "../tables/table.js";

/** Those that edges have not. */
const OWN_ROLES: readonly Role[] = [
  { name: "label", aliases: ["label", "edge", "y", "class"], required: false, check: "number" },
  { name: "split", aliases: ["split", "set", "part", "fold"], required: false, check: "text" },
];

/** Of edges without their advice, which names options for them. */
const LINK_ROLES: readonly Role[] = [
  ...EDGE_ROLES.filter((role) => role !== WEIGHT_ROLE).map((role) => ({ ...role, advice: undefined })),
  ...OWN_ROLES,
];

/** Columns of equal length, in the order of the file. */
export interface Links {
  readonly source: readonly string[];
  readonly target: readonly string[];
  /** Absent where the file has no such column. */
  readonly relation?: readonly string[];
  /** 1: an edge, 0: none. All 1 where the file does not say. */
  readonly labels: Uint8Array;
  readonly split?: readonly string[];
}

/**
 * Reads a table of pairs: source, target and, each optional, relation, label (0 or 1) and split. `columns` are those of the
 * edges by name: they count where the table of pairs has columns of these names that mean nothing else in it.
 */
export async function loadLinks(path: string, columns: GivenColumns = {}): Promise<Links> {
  return withDatabase(async (connection) => {
    const roles = LINK_ROLES.map((role) => {
      const given = columns[role.name];
      if (typeof given !== "string") return role;
      const column = given.trim().toLowerCase();
      const taken = OWN_ROLES.some(({ aliases }) => aliases.includes(column));
      return taken ? role : { ...role, aliases: [column, ...role.aliases] };
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
      throw new InputError(`${path}: label ${Number(odd)}; expected 1 for an edge and 0 for none.`);
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
