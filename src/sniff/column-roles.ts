/** The roles that columns of input tables can play, and the column names that are recognised for each. */

export type ValueCheck = "text" | "weight" | "number" | "category";

/** A role that a column can play, such as the source of an edge. */
export interface Role {
  readonly name: string;
  /** The role's name in messages. Default: `name`. */
  readonly title?: string;
  /** Recognised column names in lower case, the preferred one first. */
  readonly aliases: readonly string[];
  readonly required: boolean;
  /** Whether the only column with a name such as account_id plays the role if no alias is found. Default false. */
  readonly acceptsIdColumn?: true;
  /** Valid values. text: any text that is not empty; weight: a finite number ≥ 0; number: a finite number; category: any text, also empty. */
  readonly check: ValueCheck;
  /** For numbers: whether a cell may be empty or hold a missing-value token. Default false. */
  readonly allowMissing?: boolean;
  /** Advice after a message about an empty cell, a missing-value token or a forbidden negative number. */
  readonly missingAdvice?: string;
  /** Advice after a message about any other invalid value. */
  readonly invalidAdvice?: string;
}

const REMOVE_EDGES = " Remove these edges from the file, or read it with --sql and a WHERE clause that excludes them.";

export const RELATION_ROLE: Role = {
  name: "relation",
  aliases: ["relation", "layer", "type", "dimension", "view", "predicate", "edge_type", "kind", "interaction"],
  required: false,
  check: "text",
  missingAdvice: " Fill in a relation, or remove these edges from the file.",
};

export const WEIGHT_ROLE: Role = {
  name: "weight",
  aliases: ["weight", "w", "score", "combined_score"],
  required: false,
  check: "weight",
  missingAdvice:
    " To ignore all weights, use --columns weight=none. To fill them in or leave these edges out, read the file with --sql: coalesce(weight, 1), or a WHERE clause.",
  invalidAdvice: " To ignore the weights, use --columns weight=none.",
};

/** Pairs of column names for the two endpoints of an edge, the preferred pair first. */
export const ENDPOINT_PAIRS: readonly (readonly [string, string])[] = [
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
    aliases: ENDPOINT_PAIRS.map(([source]) => source),
    required: true,
    check: "text",
    missingAdvice: REMOVE_EDGES,
  },
  {
    name: "target",
    aliases: ENDPOINT_PAIRS.map(([, target]) => target),
    required: true,
    check: "text",
    missingAdvice: REMOVE_EDGES,
  },
  RELATION_ROLE,
  WEIGHT_ROLE,
];

export const NODE_ROLE: Role = {
  name: "node",
  aliases: ["node", "id", "node_id", "nodeid", "name", "gene", "protein"],
  required: true,
  check: "text",
};

export const NODE_ROLES: readonly Role[] = [NODE_ROLE];

/** The column of a list of nodes. In other tables, a column such as branch_id may be a feature. */
export const NODE_LIST_ROLES: readonly Role[] = [{ ...NODE_ROLE, acceptsIdColumn: true }];

export const LABEL_ROLE: Role = {
  name: "label",
  aliases: ["label", "class", "category", "group", "community"],
  required: true,
  check: "text",
  missingAdvice: " Remove nodes without a label from the file.",
};

export const LABEL_ROLES: readonly Role[] = [NODE_ROLE, LABEL_ROLE];

export const FEATURE_ROLES: readonly Role[] = [
  NODE_ROLE,
  { name: "feature", aliases: ["feature", "attribute"], required: true, check: "text" },
  { name: "value", aliases: ["value", "weight"], required: false, check: "number" },
];

/** Whether a text is a column name such as account_id, accountId or "Account ID". */
export function isIdName(text: string): boolean {
  return /\p{L}[ _.-]id\s*$/iu.test(text) || /\p{Ll}I[dD]\s*$/u.test(text);
}

/** Index of the column whose name is an alias of the role; if several are, the most preferred alias decides. -1 if none is. */
export function findAlias(role: Role, names: readonly string[]): number {
  const normalizedNames = names.map((name) => name.trim().toLowerCase());
  for (const alias of role.aliases) {
    const index = normalizedNames.indexOf(alias);
    if (index >= 0) return index;
  }
  const ids = role.acceptsIdColumn ? names.filter(isIdName) : [];
  return ids.length === 1 ? names.indexOf(ids[0]) : -1;
}

/**
 * Column indices of every known pair of endpoints, the preferred pair first. Endpoints are recognised in pairs because a column `source`
 * next to `gene1` and `gene2` is the origin of the data, not the source of the edge.
 */
export function findEndpointPairs(names: readonly string[]): { readonly source: number; readonly target: number }[] {
  const plain = names.map((name) => name.trim().toLowerCase());
  return ENDPOINT_PAIRS.map(([source, target]) => ({
    source: plain.indexOf(source),
    target: plain.indexOf(target),
  })).filter(({ source, target }) => source >= 0 && target >= 0);
}

/** Ends of the names of a pair of columns, such as protein_a and protein_b, interactorA and interactorB, or symbol1 and symbol2. */
const PAIR_ENDS: readonly (readonly [RegExp, string])[] = [
  [/^(.*[^ _.-])(?:[ _.-]?)a$/, "b"],
  [/^(.*[^ _.-])(?:[_.-]?)1$/, "2"],
];
/** Minimum number of letters of the common part of two such names: shorter ones, such as n1 and n2, may be ids. */
const MIN_STEM = 3;

/** The common part of the names of a pair of endpoints, and the columns that have these names. */
export interface EndpointPair {
  readonly stem: string;
  readonly source: number;
  readonly target: number;
}

/**
 * The columns whose names differ only in their ends a and b, or 1 and 2. Undefined if there is no such pair, or
 * if there are several, such as protein_a, protein_b, score_a and score_b. Also undefined if another column holds nodes: id, score_a
 * and score_b are a table of nodes.
 */
export function findPairByEnds(names: readonly string[]): EndpointPair | undefined {
  const plain = names.map((name) => name.trim().toLowerCase());
  if (findAlias(NODE_ROLE, names) >= 0) return undefined;
  const pairs = plain.flatMap((name, source) =>
    PAIR_ENDS.flatMap(([pattern, end]): EndpointPair[] => {
      const stem = pattern.exec(name)?.[1] ?? "";
      const target = plain.indexOf(`${name.slice(0, -1)}${end}`);
      const isName = stem.replace(/\P{L}/gu, "").length >= MIN_STEM;
      return isName && target >= 0 ? [{ stem, source, target }] : [];
    }),
  );
  return pairs.length === 1 ? pairs[0] : undefined;
}
