/** The options that say what graph is meant; shared by the commands that read one. */

import { InputError, suggest } from "../../core/errors.js";
import type { LoadOptions } from "../../io/graph/load-graph.js";
import { type Arguments, type CommandOption, switchOption, textOption } from "../command.js";
import { readBytes, readCount, readNumber } from "./number-options.js";

export const SOURCE_OPTIONS: readonly CommandOption[] = [
  {
    name: "columns",
    value: "ROLE=COLUMN,…",
    repeatable: true,
    doc: "columns by name or position (from 1), for the roles source, target, relation and weight, and node and label of labels; weight=none: there are no weights",
  },
  { name: "sql", value: "QUERY", doc: "a DuckDB query with these columns, instead of SOURCE" },
  { name: "min-weight", value: "W", doc: "leave out edges that weigh less, such as 700 of STRING's scores" },
  {
    name: "strongest",
    value: "K",
    doc: "keep each node's K heaviest edges in a relation; one stays if either end keeps it",
  },
  {
    name: "count-repeats",
    doc: "count the rows of a pair as its weight, where there is no weight column; weights of a column are always added",
  },
  { name: "directed", doc: "keep the direction of edges" },
  {
    name: "features",
    value: "FILE",
    doc: "features of nodes: node, feature, value; or node and a column per feature, of numbers or categories",
  },
  {
    name: "missing-features",
    value: "zero|median",
    doc: "nodes that FILE does not name get zeros; median: empty cells too get a number, their column's median",
    default: "an error",
  },
  { name: "nodes", value: "FILE", doc: "ids of nodes, so that nodes without edges are there too" },
];

export interface SourceRequest {
  readonly sources: readonly string[];
  readonly load: LoadOptions;
}

export const EDGE_ROLES = ["source", "target", "relation", "weight"] as const;
const LABEL_ROLES = ["node", "label"] as const;

/** `edgesOptional`: features alone may name the nodes. */
export function readSourceOptions(given: Arguments, { edgesOptional = false } = {}): SourceRequest {
  const missing = textOption(given, "missing-features");
  if (missing !== undefined && missing !== "zero" && missing !== "median" && missing !== "error") {
    throw new InputError(`--missing-features: found "${missing}"; expected zero, median or error.`);
  }
  const features = textOption(given, "features");
  const sql = textOption(given, "sql");
  const enough = edgesOptional && features !== undefined;
  if (given.words.length === 0 && sql === undefined && !enough) {
    throw new InputError("source: nothing given; expected a dataset folder, one or more files, or --sql.");
  }
  return {
    sources: given.words,
    load: {
      sql,
      directed: switchOption(given, "directed"),
      minWeight: readNumber(given, "min-weight", 0),
      strongest: readCount(given, "strongest", 1),
      countRepeats: switchOption(given, "count-repeats"),
      columns: edgeColumns(given),
      features,
      labels: {
        files: ["labels", "train-labels"].flatMap((name) => textOption(given, name) ?? []),
        column: labelColumns(given).label,
      },
      nodes: textOption(given, "nodes"),
      memoryLimit: switchOption(given, "force") ? undefined : readBytes(given, "memory-limit"),
      missingFeatures: missing,
    },
  };
}

/** The columns of edges. Roles of labels may stand beside them where labels are given. */
function edgeColumns(given: Arguments): LoadOptions["columns"] {
  const labels = given.options.has("labels") || given.options.has("train-labels") ? LABEL_ROLES : [];
  const { node: _, label: __, ...columns } = readColumns(given, [...EDGE_ROLES, ...labels], "source=protein_a");
  return columns;
}

/** The columns of labels, beside those of edges where the command reads edges too. */
export function labelColumns(given: Arguments, { alone = false } = {}) {
  const roles = alone ? LABEL_ROLES : [...EDGE_ROLES, ...LABEL_ROLES];
  const { node, label } = readColumns(given, roles, "label=species");
  return { node, label };
}

type ColumnRole = (typeof EDGE_ROLES | typeof LABEL_ROLES)[number];

function readColumns(given: Arguments, roles: readonly ColumnRole[], example: string) {
  const columns: Partial<Record<ColumnRole, string | number>> = {};
  for (const pair of (given.options.get("columns") ?? []).flatMap((value) => value.split(","))) {
    const equals = pair.indexOf("=");
    const name = pair.slice(0, Math.max(0, equals)).trim();
    const column = pair.slice(equals + 1).trim();
    if (equals < 1 || column === "") {
      throw new InputError(`--columns: found "${pair}"; expected ROLE=COLUMN, such as ${example}.`);
    }
    const role = roles.find((candidate) => candidate === name);
    if (role === undefined && LABEL_ROLES.some((other) => other === name)) {
      throw new InputError(`--columns: ${name} is a column of labels; expected --labels beside it.`);
    }
    if (role === undefined) throw new InputError(`--columns: unknown role "${name}"${suggest(name, roles)}`);
    if (columns[role] !== undefined) throw new InputError(`--columns: ${role} is given twice; expected once.`);
    columns[role] = /^\d+$/.test(column) ? Number(column) : column;
  }
  return columns;
}
