/** Matches labels to the nodes of an embedding, and reports labels and nodes that do not match. */

import { InputError } from "../../core/errors.js";
import { MISSING_TOKENS } from "../../core/missing-tokens.js";
import { listCells, quotedNames } from "../../core/text.js";
import { valueText } from "../../core/validation.js";

/** The user's labels. */
export interface NodeLabels {
  /** The labels of each labelled node. */
  readonly byNode: ReadonlyMap<string, readonly string[]>;
  /** Names of all labels, in the order in which they are shown. */
  readonly names: readonly string[];
}

/** The nodes of an embedding that have labels. */
export interface LabelledNodes {
  /** Ids of the labelled nodes of the embedding, in the order of the labels. */
  readonly ids: readonly string[];
  /** Row of each labelled node in the embedding. */
  readonly rows: Int32Array;
  /** Names of the labels that at least one of these nodes has. */
  readonly names: readonly string[];
  /** Labels of each node, as indices into `names`. */
  readonly labels: readonly (readonly number[])[];
  /** Whether a node has several labels. */
  readonly multiLabel: boolean;
  /** Ids of labelled nodes that are not in the embedding. */
  readonly unknown: readonly string[];
  /** Number of nodes of the embedding without a label. */
  readonly numUnlabelled: number;
}

/**
 * The labelled nodes of an embedding, in the order of the labels, so that two embeddings of the same nodes get the same random
 * splits.
 */
export function matchLabels(ids: readonly string[], source: NodeLabels): LabelledNodes {
  const { byNode, names } = source ?? {};
  if (!(byNode instanceof Map) || !Array.isArray(names)) {
    throw new InputError(
      "labels: expected { byNode, names }, where byNode is a Map of the labels of each node, as loadLabels returns it.",
    );
  }
  for (const [id, nodeLabels] of byNode) {
    if (Array.isArray(nodeLabels)) continue;
    throw new InputError(`labels: node ${valueText(id)} has ${valueText(nodeLabels)}; expected a list of strings.`);
  }
  const rowOf = new Map(ids.map((id, row) => [id, row]));
  const known: string[] = [];
  const unknown: string[] = [];
  for (const [id, nodeLabels] of byNode) if (nodeLabels.length > 0) (rowOf.has(id) ? known : unknown).push(id);
  if (known.length === 0) {
    const [a, b] = [[...byNode.keys()][0], ids[0]].map((id) => (id === undefined ? "none" : JSON.stringify(id)));
    throw new InputError(
      `labels: none of the ${byNode.size} labelled nodes is in the embedding; its ids look like ${b}, those of the labels like ${a}. ` +
        "Check that both use the same ids.",
    );
  }
  const used = new Set(known.flatMap((id) => byNode.get(id) ?? []));
  const present = names.filter((name) => used.has(name));
  const placeOf = new Map(present.map((name, place) => [name, place]));
  const unnamed = [...used].find((name) => !placeOf.has(name));
  if (unnamed !== undefined) {
    throw new InputError(
      `labels: a node has the label ${JSON.stringify(unnamed)}, which names does not list; expected all labels in names.`,
    );
  }
  const labels = known.map((id) => [...new Set(byNode.get(id))].map((name) => placeOf.get(name) ?? 0));
  return {
    ids: known,
    rows: Int32Array.from(known, (id) => rowOf.get(id) ?? 0),
    names: present,
    labels,
    multiLabel: labels.some((nodeLabels) => nodeLabels.length > 1),
    unknown,
    numUnlabelled: ids.length - known.length,
  };
}

/** Number of nodes that have each label, among the nodes with these indices (default all). */
export function countLabels({ labels, names }: LabelledNodes, places?: ArrayLike<number>): Int32Array {
  const counts = new Int32Array(names.length);
  const chosen = places === undefined ? labels : Array.from(places, (place) => labels[place]);
  for (const nodeLabels of chosen) for (const label of nodeLabels) counts[label]++;
  return counts;
}

/** At most three names, quoted. */
export function quoteSome(names: readonly string[]): string {
  return quotedNames(names.slice(0, 3)) + (names.length > 3 ? ", …" : "");
}

/** Notes about labels that may be misread: lists in one cell whose parts are labels of other nodes, and words for "missing". */
function misreadNotes(names: readonly string[]): string[] {
  const lists = listCells(names);
  const missing = names.filter((name) => MISSING_TOKENS.includes(name.trim().toLowerCase()));
  return [
    ...(lists.length === 0
      ? []
      : [
          `labels such as ${quoteSome(lists)} count as one label each. If they are lists, write one row for each label.`,
        ]),
    ...(missing.length === 0
      ? []
      : [`${quoteSome(missing)} counts as a label. If it marks nodes without a label, remove their rows.`]),
  ];
}

/**
 * Notes about labels that may be misread, nodes that do not match, and labels of a single node. Unlabelled nodes have a note
 * only if the task does not use them.
 */
export function matchNotes(nodes: LabelledNodes, { usesUnlabelled = false } = {}): string[] {
  const { ids, unknown, numUnlabelled, names } = nodes;
  const notes = misreadNotes(names);
  if (unknown.length > 0) {
    notes.push(
      `${unknown.length} of ${unknown.length + ids.length} labelled nodes ${unknown.length === 1 ? "is not in the embedding and is" : "are not in the embedding and are"} not used: ${quoteSome(unknown)}.`,
    );
  }
  if (numUnlabelled > 0 && !usesUnlabelled) {
    notes.push(
      `${numUnlabelled} of ${numUnlabelled + ids.length} nodes of the embedding ${numUnlabelled === 1 ? "has no label and is" : "have no label and are"} not used.`,
    );
  }
  const counts = countLabels(nodes);
  const single = names.filter((_, c) => counts[c] === 1);
  if (single.length > 0) {
    notes.push(
      `${single.length} ${single.length === 1 ? "class has" : "classes have"} only one node: ${quoteSome(single)}.`,
    );
  }
  return notes;
}

/** Throws if the labels say nothing about which nodes are similar: all nodes have the same label, or no two share one. */
export function requireSharedLabels({ ids, labels, names }: LabelledNodes): void {
  const counts = new Map<number, number>();
  for (const nodeLabels of labels) for (const label of nodeLabels) counts.set(label, (counts.get(label) ?? 0) + 1);
  const [first] = counts.keys();
  if (counts.size < 2) {
    throw new InputError(
      `labels: all ${ids.length} labelled nodes have the label ${JSON.stringify(names[first])}; expected two labels or more.`,
    );
  }
  if ([...counts.values()].every((count) => count === 1)) {
    throw new InputError(
      `labels: no two of the ${ids.length} labelled nodes share a label; expected labels that several nodes have.`,
    );
  }
}

/** The labelled nodes with these indices, in this order; `names` is unchanged. */
export function selectNodes(nodes: LabelledNodes, places: Int32Array): LabelledNodes {
  const { ids, rows, labels } = nodes;
  return {
    ...nodes,
    ids: Array.from(places, (place) => ids[place]),
    rows: places.map((place) => rows[place]),
    labels: Array.from(places, (place) => labels[place]),
  };
}
