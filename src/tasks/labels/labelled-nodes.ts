/** Labels matched to the nodes of an embedding, with what did not match. */

import { InputError } from "../../core/errors.js";
import { MISSING_TOKENS } from "../../core/missing-tokens.js";
import { listCells, quotedNames } from "../../core/text.js";
import { valueText } from "../../core/validation.js";

/** Labels as they were given. */
export interface NodeLabels {
  /** The labels of each labelled node. */
  readonly byNode: ReadonlyMap<string, readonly string[]>;
  /** All labels, in the order they are shown. */
  readonly names: readonly string[];
}

/** The nodes of an embedding that have labels. */
export interface LabelledNodes {
  /** Ids of the labelled nodes of the embedding, in the order of the labels. */
  readonly ids: readonly string[];
  /** Row of each in the embedding. */
  readonly rows: Int32Array;
  /** Labels that any of these nodes has. */
  readonly names: readonly string[];
  /** Places in `names` of the labels of each node. */
  readonly labels: readonly (readonly number[])[];
  readonly multiLabel: boolean;
  /** Labelled, but not in the embedding. */
  readonly unknown: readonly string[];
  /** In the embedding, but without a label. */
  readonly numUnlabelled: number;
}

/**
 * The labelled nodes of an embedding. Their order is that of the labels, not of the embedding: two embeddings of the same
 * nodes get the same random splits.
 */
export function matchLabels(ids: readonly string[], given: NodeLabels): LabelledNodes {
  const { byNode, names } = given ?? {};
  if (!(byNode instanceof Map) || !Array.isArray(names)) {
    throw new InputError(
      "labels: expected { byNode, names } with a Map of the labels of each node, such as those that loadLabels resolves to.",
    );
  }
  for (const [id, own] of byNode) {
    if (Array.isArray(own)) continue;
    throw new InputError(`labels: those of ${valueText(id)} are ${valueText(own)}; expected a list of strings.`);
  }
  const rowOf = new Map(ids.map((id, row) => [id, row]));
  const known: string[] = [];
  const unknown: string[] = [];
  for (const [id, own] of byNode) if (own.length > 0) (rowOf.has(id) ? known : unknown).push(id);
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
  const stranger = [...used].find((name) => !placeOf.has(name));
  if (stranger !== undefined) {
    throw new InputError(`labels: ${JSON.stringify(stranger)} is a node's, but not among the names of all labels.`);
  }
  const labels = known.map((id) => [...new Set(byNode.get(id))].map((name) => placeOf.get(name) ?? 0));
  return {
    ids: known,
    rows: Int32Array.from(known, (id) => rowOf.get(id) ?? 0),
    names: present,
    labels,
    multiLabel: labels.some((own) => own.length > 1),
    unknown,
    numUnlabelled: ids.length - known.length,
  };
}

/** How many of the nodes at `places` have each label. */
export function countLabels({ labels, names }: LabelledNodes, places: ArrayLike<number>): Int32Array {
  const counts = new Int32Array(names.length);
  for (let i = 0; i < places.length; i++) for (const label of labels[places[i]]) counts[label]++;
  return counts;
}

/** At most three names, quoted. */
export function quoteSome(names: readonly string[]): string {
  return quotedNames(names.slice(0, 3)) + (names.length > 3 ? ", …" : "");
}

/** Of labels that may mean something else: lists in one cell whose parts are labels elsewhere, and words for none. */
function readingNotes(names: readonly string[]): string[] {
  const lists = listCells(names);
  const none = names.filter((name) => MISSING_TOKENS.includes(name.trim().toLowerCase()));
  return [
    ...(lists.length === 0
      ? []
      : [`labels such as ${quoteSome(lists)} count as one each. If they are several, give a row for each of them.`]),
    ...(none.length === 0
      ? []
      : [`${quoteSome(none)} counts as a label. If it says that there is none, leave such rows out.`]),
  ];
}

/** What did not match or may be misread, in words. */
export function matchNotes(nodes: LabelledNodes): string[] {
  const { ids, unknown, numUnlabelled, names } = nodes;
  const notes = readingNotes(names);
  if (unknown.length > 0) {
    notes.push(
      `${unknown.length} of ${unknown.length + ids.length} labelled nodes are not in the embedding and are left out: ${quoteSome(unknown)}.`,
    );
  }
  if (numUnlabelled > 0) {
    notes.push(
      `${numUnlabelled} of ${numUnlabelled + ids.length} nodes of the embedding have no label and are left out.`,
    );
  }
  const counts = countLabels(
    nodes,
    ids.map((_, place) => place),
  );
  const single = names.filter((_, c) => counts[c] === 1);
  if (single.length > 0) {
    notes.push(
      `${single.length} ${single.length === 1 ? "class has" : "classes have"} one node only: ${quoteSome(single)}.`,
    );
  }
  return notes;
}

/** Fails where labels tell nothing: all nodes have the same, or each one of its own. */
export function requireSharedLabels({ ids, labels, names }: LabelledNodes): void {
  const counts = new Map<number, number>();
  for (const own of labels) for (const label of own) counts.set(label, (counts.get(label) ?? 0) + 1);
  const [first] = counts.keys();
  if (counts.size < 2) {
    throw new InputError(
      `labels: all ${ids.length} labelled nodes have the label ${JSON.stringify(names[first])}; expected two labels or more.`,
    );
  }
  if ([...counts.values()].every((count) => count === 1)) {
    throw new InputError(
      `labels: each of the ${ids.length} labelled nodes has a label of its own; expected labels that nodes share.`,
    );
  }
}

/** Some of the labelled nodes, in the order given; names stay as they are. */
export function selectNodes(nodes: LabelledNodes, places: Int32Array): LabelledNodes {
  const { ids, rows, labels } = nodes;
  return {
    ...nodes,
    ids: Array.from(places, (place) => ids[place]),
    rows: places.map((place) => rows[place]),
    labels: Array.from(places, (place) => labels[place]),
  };
}
