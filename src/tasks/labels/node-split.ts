/** Splits of the labelled nodes into training, validation and test nodes, drawn at random or read from the user's table. */

import { InputError } from "../../core/errors.js";
import type { Rng } from "../../core/rng.js";
import {
  countLabels,
  type LabelledNodes,
  matchLabels,
  matchNotes,
  type NodeLabels,
  quoteSome,
  selectNodes,
} from "./labelled-nodes.js";

/** Indices into the list of labelled nodes, ascending in each part; no node is in two parts. */
export interface NodeSplit {
  readonly train: Int32Array;
  readonly validation: Int32Array;
  readonly test: Int32Array;
}

export type SplitPart = keyof NodeSplit;

/** Shares of the training and validation nodes in a random split. */
export interface ShareOptions {
  /** Share of training nodes among the labelled nodes, between 0 and 1. */
  readonly train: number;
  /** Share of validation nodes among the labelled nodes; default 0. */
  readonly validation?: number;
  /** Whether each part has the same class shares; a class with two or more nodes then has a training node. Default false. */
  readonly stratify?: boolean;
}

/** A random split by shares; the remaining nodes are test nodes. Throws if a part that should have nodes has none. */
export function drawSplit(nodes: LabelledNodes, shares: ShareOptions, rng: Rng): NodeSplit {
  const split = trySplit(nodes, shares, rng);
  const { train, validation, test } = split;
  if (test.length === 0 || train.length === 0 || ((shares.validation ?? 0) > 0 && validation.length === 0)) {
    throw new InputError(
      `split: ${nodes.ids.length} labelled nodes give ${train.length} for training, ${validation.length} for validation and ${test.length} for testing; expected some of each. ` +
        "Give more labels or other shares.",
    );
  }
  return split;
}

/** Like `drawSplit`, but a part may be empty. */
export function trySplit(
  nodes: LabelledNodes,
  { train, validation = 0, stratify = false }: ShareOptions,
  rng: Rng,
): NodeSplit {
  const n = nodes.ids.length;
  const shares = [train, validation, 1 - train - validation];
  if (!(train > 0 && validation >= 0 && shares[2] > 0)) {
    throw new InputError(
      `split: ${train} of the nodes for training${validation > 0 ? ` and ${validation} for validation` : ""} leaves none for testing; expected a sum between 0 and 1.`,
    );
  }
  const order = new Uint32Array(n);
  rng.permutation(order);
  let parts: Uint8Array;
  if (stratify) parts = stratified(nodes, shares, order, ensureOneTrains);
  else {
    parts = new Uint8Array(n).fill(2);
    const numTrain = Math.max(1, Math.round(train * n));
    const numValidation = validation > 0 ? Math.max(1, Math.round(validation * n)) : 0;
    order.forEach((place, i) => {
      parts[place] = i < numTrain ? 0 : i < numTrain + numValidation ? 1 : 2;
    });
  }
  return { train: placesOf(parts, 0), validation: placesOf(parts, 1), test: placesOf(parts, 2) };
}

/**
 * Splits the labelled nodes into `count` stratified folds of about equal size. Each node is in one fold; of every label with
 * two or more nodes, the complement of each fold has at least one.
 */
export function drawFolds(nodes: LabelledNodes, count: number, rng: Rng): Int32Array[] {
  const order = new Uint32Array(nodes.ids.length);
  rng.permutation(order);
  const parts = stratified(nodes, new Array<number>(count).fill(1 / count), order);
  return Array.from({ length: count }, (_, fold) => placesOf(parts, fold)).filter(({ length }) => length > 0);
}

/** Changes the target counts [train, validation, test] of a label with two or more nodes so that training gets one. */
function ensureOneTrains(targets: number[], count: number): void {
  if (count < 2 || targets[0] >= 1) return;
  targets[2] -= 1 - targets[0];
  targets[0] = 1;
}

function placesOf(parts: Uint8Array, part: number): Int32Array {
  const places: number[] = [];
  parts.forEach((partOfNode, place) => {
    if (partOfNode === part) places.push(place);
  });
  return Int32Array.from(places);
}

/**
 * Iterative stratification (Sechidis, Tsoumakas, Vlahavas, ECML 2011): takes the label with the fewest unassigned nodes and
 * assigns each of them to the part that is furthest below its target for this label; ties go to the part that is furthest
 * below its total size. With one label per node, every class keeps its share. Returns the part of each node.
 */
function stratified(
  nodes: LabelledNodes,
  shares: readonly number[],
  order: Uint32Array,
  adjust: (targets: number[], count: number) => void = () => {},
): Uint8Array {
  const { labels, names } = nodes;
  const n = order.length;
  const left = countLabels(nodes, order);
  const targets = Array.from(left, (count) => {
    const perPart = shares.map((share) => share * count);
    adjust(perPart, count);
    return perPart;
  });
  const sizes = shares.map((share) => share * n);
  const members = names.map((): number[] => []);
  for (const place of order) for (const label of labels[place]) members[label].push(place);
  const parts = new Uint8Array(n).fill(UNASSIGNED);
  for (let round = 0; round < names.length; round++) {
    let rarest = -1;
    for (let c = 0; c < names.length; c++) if (left[c] > 0 && (rarest < 0 || left[c] < left[rarest])) rarest = c;
    if (rarest < 0) break;
    for (const place of members[rarest]) {
      if (parts[place] !== UNASSIGNED) continue;
      let best = -1;
      for (let part = 0; part < shares.length; part++) {
        if (shares[part] <= 0) continue;
        const more = best < 0 ? 1 : targets[rarest][part] - targets[rarest][best];
        if (more > 0 || (more === 0 && sizes[part] > sizes[best])) best = part;
      }
      parts[place] = best;
      sizes[best]--;
      for (const label of labels[place]) {
        targets[label][best]--;
        left[label]--;
      }
    }
  }
  return parts;
}

/** Mark of a node that has no part yet. */
const UNASSIGNED = 255;

/** Accepted names of the parts in a user's split, in lower case. */
const PART_NAMES: ReadonlyMap<string, SplitPart> = new Map([
  ["train", "train"],
  ["training", "train"],
  ["val", "validation"],
  ["valid", "validation"],
  ["validation", "validation"],
  ["dev", "validation"],
  ["test", "test"],
  ["testing", "test"],
]);

/** A user's split, matched to the labelled nodes. */
export interface MatchedSplit {
  readonly split: NodeSplit;
  /** Sentences about nodes that are not used. */
  readonly notes: readonly string[];
}

/** Matches the part of each node in a user's split to the labelled nodes; nodes that only one of them has are not used. */
export function matchSplit(
  nodes: LabelledNodes,
  partOf: ReadonlyMap<string, string>,
  required: readonly SplitPart[] = ["train", "test"],
): MatchedSplit {
  const parts: Record<SplitPart, number[]> = { train: [], validation: [], test: [] };
  const withoutPart: string[] = [];
  nodes.ids.forEach((id, place) => {
    const name = partOf.get(id);
    if (name === undefined) withoutPart.push(id);
    else parts[partName(name, id)].push(place);
  });
  const labelled = new Set(nodes.ids);
  const unlabelled = [...partOf.keys()].filter((id) => !labelled.has(id));
  const notes: string[] = [];
  if (withoutPart.length > 0) {
    notes.push(
      `${withoutPart.length} labelled nodes are in no part of the split and are not used: ${quoteSome(withoutPart)}.`,
    );
  }
  if (unlabelled.length > 0) {
    notes.push(
      `${unlabelled.length} nodes of the split have no label or no vector and are not used: ${quoteSome(unlabelled)}.`,
    );
  }
  const split = {
    train: Int32Array.from(parts.train),
    validation: Int32Array.from(parts.validation),
    test: Int32Array.from(parts.test),
  };
  for (const part of required) {
    if (split[part].length === 0) {
      throw new InputError(`split: no labelled node of the embedding is in the part ${part}; expected some.`);
    }
  }
  return { split, notes };
}

function partName(name: string, id: string): SplitPart {
  const part = PART_NAMES.get(name.trim().toLowerCase());
  if (part !== undefined) return part;
  throw new InputError(
    `split: node ${JSON.stringify(id)} is in the part ${JSON.stringify(name)}; expected train, val or test.`,
  );
}

/** The labelled nodes of an embedding, with a split only its test nodes; and notes about nodes that are not used. */
export function evaluatedNodes(
  ids: readonly string[],
  labels: NodeLabels,
  partOf: ReadonlyMap<string, string> | undefined,
): { readonly nodes: LabelledNodes; readonly notes: readonly string[] } {
  const nodes = matchLabels(ids, labels);
  const notes = matchNotes(nodes);
  if (partOf === undefined) return { nodes, notes };
  const found = matchSplit(nodes, partOf, ["test"]);
  return { nodes: selectNodes(nodes, found.split.test), notes: [...notes, ...found.notes] };
}
