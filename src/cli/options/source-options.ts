/** The options that choose the graph and how it is read; shared by all commands that read a graph. */

import { InputError, suggest } from "../../core/errors.js";
import { choice, flag, int, number, type OptionValues, optional } from "../../core/options.js";
import type { LoadOptions } from "../../io/graph/load-graph.js";
import { text, texts } from "./flag-kinds.js";

export const SOURCE_OPTIONS = {
  columns: texts({
    value: "ROLE=COLUMN,…",
    doc: "columns by name or position (from 1): source, target, relation and weight of edges, node of --nodes, node and label of labels; weight=none: use no weights",
  }),
  sql: text(undefined, { value: "QUERY", doc: "a DuckDB query with these columns, instead of SOURCE" }),
  minWeight: number(undefined, {
    min: 0,
    value: "W",
    doc: "leave out edges with a smaller weight, such as 700 for STRING scores",
  }),
  strongest: int(undefined, {
    min: 1,
    value: "K",
    doc: "keep an edge only if it is among the K heaviest edges of either endpoint in its relation",
  }),
  countRepeats: flag(false, {
    doc: "without a weight column: the weight of a pair is its number of rows. With a weight column, the weights of repeated rows are always added",
  }),
  directed: flag(false, { doc: "keep the direction of edges" }),
  features: text(undefined, {
    value: "FILE",
    doc: "table of node features: columns node, feature and value, or node and one column per feature (numbers or categories)",
  }),
  missingFeatures: optional(
    choice("error", ["zero", "median", "error"], {
      doc: "zero: nodes that are not in FILE get zeros; median: in addition, empty cells get the median of their column; error: such nodes are refused",
    }),
    "zero if the columns of FILE are node, feature and value; else error",
  ),
  nodes: text(undefined, { value: "FILE", doc: "list of node ids; adds nodes without edges to the graph" }),
};

/** Values of SOURCE_OPTIONS, and of other options that only some commands have. */
type SourceValues = OptionValues<typeof SOURCE_OPTIONS> & {
  readonly labels?: string;
  readonly trainLabels?: string;
  readonly memoryLimit?: number;
  readonly force?: boolean;
};

export interface SourceRequest {
  readonly sources: readonly string[];
  readonly load: LoadOptions;
}

export const EDGE_ROLES = ["source", "target", "relation", "weight"] as const;
const LABEL_ROLES = ["node", "label"] as const;

/** `edgesOptional`: features alone may name the nodes. */
export function readSourceOptions(
  { words, values }: { readonly words: readonly string[]; readonly values: SourceValues },
  { edgesOptional = false } = {},
): SourceRequest {
  const { sql, features, labels, trainLabels } = values;
  if (words.length === 0 && sql === undefined && !(edgesOptional && features !== undefined)) {
    throw new InputError("source: missing; expected a dataset folder, one or more files, or --sql.");
  }
  return {
    sources: words,
    load: {
      sql,
      directed: values.directed,
      minWeight: values.minWeight,
      strongest: values.strongest,
      countRepeats: values.countRepeats,
      columns: edgeColumns(values),
      features,
      labels: {
        files: [labels, trainLabels].filter((file) => file !== undefined),
        column: labelColumns(values).label,
      },
      nodes: values.nodes,
      memoryLimit: values.force === true ? undefined : values.memoryLimit,
      missingFeatures: values.missingFeatures,
    },
  };
}

/** The columns of edges and of the list of nodes. Columns of labels are also allowed if the command reads labels. */
function edgeColumns({ columns, labels, trainLabels, nodes }: SourceValues): LoadOptions["columns"] {
  const noLabels = labels === undefined && trainLabels === undefined;
  const roles = noLabels ? LABEL_ROLES.filter((role) => role === "node" && nodes !== undefined) : LABEL_ROLES;
  const { node, label: _, ...edges } = readColumns(columns, [...EDGE_ROLES, ...roles], "source=protein_a");
  return nodes === undefined || node === undefined ? edges : { ...edges, node };
}

/** The columns of the labels table. `labelsOnly`: the command reads no edges, so roles of edges are errors. */
export function labelColumns({ columns }: { readonly columns: readonly string[] }, { labelsOnly = false } = {}) {
  const roles = labelsOnly ? LABEL_ROLES : [...EDGE_ROLES, ...LABEL_ROLES];
  const { node, label } = readColumns(columns, roles, "label=species");
  return { node, label };
}

type ColumnRole = (typeof EDGE_ROLES | typeof LABEL_ROLES)[number];

function readColumns(input: readonly string[], roles: readonly ColumnRole[], example: string) {
  const columns: Partial<Record<ColumnRole, string | number>> = {};
  for (const pair of input.flatMap((value) => value.split(","))) {
    const equals = pair.indexOf("=");
    const name = pair.slice(0, Math.max(0, equals)).trim();
    const column = pair.slice(equals + 1).trim();
    if (equals < 1 || column === "") {
      throw new InputError(`--columns: found "${pair}"; expected ROLE=COLUMN, such as ${example}.`);
    }
    const role = roles.find((candidate) => candidate === name);
    if (role === undefined && LABEL_ROLES.some((other) => other === name)) {
      throw new InputError(
        `--columns: ${name} is a column of ${name === "node" ? "--nodes or --labels; expected one of them" : "labels; expected --labels"} too.`,
      );
    }
    if (role === undefined) throw new InputError(`--columns: unknown role "${name}"${suggest(name, roles)}`);
    if (columns[role] !== undefined) throw new InputError(`--columns: ${role} is given twice; expected once.`);
    columns[role] = /^\d+$/.test(column) ? Number(column) : column;
  }
  return columns;
}
