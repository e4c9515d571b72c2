/** Which labelled nodes train, validate and test a probe. */

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

/** Places in the list of labelled nodes, each part ascending; no node is in two. */
export interface NodeSplit {
  readonly train: Int32Array;
  readonly validation: Int32Array;
  readonly test: Int32Array;
}

export type SplitPart = keyof NodeSplit;

/** Shares of the nodes to train on and to validate with. */
export interface ShareOptions {
  /** Share of the labelled nodes that train, between 0 and 1. */
  readonly train: number;
  /** Share of the labelled nodes that validate; default 0. */
  readonly validation?: number;
  /** Every class in its share, and in training if it has two nodes. */
  readonly stratify?: boolean;
}

/** A random split by shares; the rest tests. At least one node trains and tests, and one validates if any shall. */
export function drawSplit(nodes: LabelledNodes, shares: ShareOptions, rng: Rng): NodeSplit {
  const split = trySplit(nodes, shares, rng);
  const { train, validation, test } = split;
  if (test.length === 0 || train.length === 0 || ((shares.validation ?? 0) > 0 && validation.length === 0)) {
    throw new InputError(
      `split: ${nodes.ids.length} labelled nodes give ${train.length} for training, ${validation.length} for validation and ${test.length} to test; expected some of each. ` +
        "Give more labels or other shares.",
    );
  }
  return split;
}

/** As drawSplit, where a part may come out empty. */
export function trySplit(
  nodes: LabelledNodes,
  { train, validation = 0, stratify = false }: ShareOptions,
  rng: Rng,
): NodeSplit {
  const n = nodes.ids.length;
  const shares = [train, validation, 1 - train - validation];
  if (!(train > 0 && validation >= 0 && shares[2] > 0)) {
    throw new InputError(
      `split: ${train} of the nodes for training${validation > 0 ? ` and ${validation} for validation` : ""} leaves none to test; expected less than 1 in all.`,
    );
  }
  const order = new Uint32Array(n);
  rng.permutation(order);
  let parts: Uint8Array;
  if (stratify) parts = stratified(nodes, shares, order, atLeastOneTrains);
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
 * Labelled nodes in `count` folds of equal size, every label spread evenly over them. Each node is in one fold; a label
 * with two nodes or more is in the complement of every fold.
 */
export function drawFolds(nodes: LabelledNodes, count: number, rng: Rng): Int32Array[] {
  const order = new Uint32Array(nodes.ids.length);
  rng.permutation(order);
  const parts = stratified(nodes, new Array<number>(count).fill(1 / count), order);
  return Array.from({ length: count }, (_, fold) => placesOf(parts, fold)).filter(({ length }) => length > 0);
}

/** Changes the wanted numbers of a label so that training has a node of it if there are two. */
function atLeastOneTrains(wanted: number[], count: number): void {
  if (count < 2 || wanted[0] >= 1) return;
  wanted[2] -= 1 - wanted[0];
  wanted[0] = 1;
}

function placesOf(parts: Uint8Array, part: number): Int32Array {
  const places: number[] = [];
  parts.forEach((own, place) => {
    if (own === part) places.push(place);
  });
  return Int32Array.from(places);
}

/**
 * Iterative stratification (Sechidis, Tsoumakas, Vlahavas, ECML 2011): the label with the fewest nodes left comes first,
 * each of its nodes goes to the part that wants most of that label, then most of all. With one label a node every class
 * keeps its share.
 */
function stratified(
  nodes: LabelledNodes,
  shares: readonly number[],
  order: Uint32Array,
  adjust: (wanted: number[], count: number) => void = () => {},
): Uint8Array {
  const { labels, names } = nodes;
  const n = order.length;
  const left = countLabels(nodes, order);
  const wanted = Array.from(left, (count) => {
    const own = shares.map((share) => share * count);
    adjust(own, count);
    return own;
  });
  const total = shares.map((share) => share * n);
  const members = names.map((): number[] => []);
  for (const place of order) for (const label of labels[place]) members[label].push(place);
  const parts = new Uint8Array(n).fill(255);
  for (let round = 0; round < names.length; round++) {
    let rarest = -1;
    for (let c = 0; c < names.length; c++) if (left[c] > 0 && (rarest < 0 || left[c] < left[rarest])) rarest = c;
    if (rarest < 0) break;
    for (const place of members[rarest]) {
      if (parts[place] !== 255) continue;
      let best = -1;
      for (let part = 0; part < shares.length; part++) {
        if (shares[part] <= 0) continue;
        const more = best < 0 ? 1 : wanted[rarest][part] - wanted[rarest][best];
        if (more > 0 || (more === 0 && total[part] > total[best])) best = part;
      }
      parts[place] = best;
      total[best]--;
      for (const label of labels[place]) {
        wanted[label][best]--;
        left[label]--;
      }
    }
  }
  return parts;
}

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

/** A split made of one that was given by node. */
export interface GivenSplit {
  readonly split: NodeSplit;
  /** What of it could not be used, in words. */
  readonly notes: readonly string[];
}

/** A split that was given by node. Labelled nodes it does not name are left out, and so are its nodes without label. */
export function givenSplit(
  nodes: LabelledNodes,
  partOf: ReadonlyMap<string, string>,
  required: readonly SplitPart[] = ["train", "test"],
): GivenSplit {
  const parts: Record<SplitPart, number[]> = { train: [], validation: [], test: [] };
  const without: string[] = [];
  nodes.ids.forEach((id, place) => {
    const name = partOf.get(id);
    if (name === undefined) without.push(id);
    else parts[partName(name, id)].push(place);
  });
  const known = new Set(nodes.ids);
  const unlabelled = [...partOf.keys()].filter((id) => !known.has(id));
  const notes: string[] = [];
  if (without.length > 0) {
    notes.push(`${without.length} labelled nodes are in no part of the split and are left out: ${quoteSome(without)}.`);
  }
  if (unlabelled.length > 0) {
    notes.push(
      `${unlabelled.length} nodes of the split have no label or no vector and are left out: ${quoteSome(unlabelled)}.`,
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

/** The labelled nodes of an embedding, or with a split those of its test part; and what is to be said about them. */
export function evaluatedNodes(
  ids: readonly string[],
  labels: NodeLabels,
  partOf: ReadonlyMap<string, string> | undefined,
): { readonly nodes: LabelledNodes; readonly notes: readonly string[] } {
  const nodes = matchLabels(ids, labels);
  const notes = matchNotes(nodes);
  if (partOf === undefined) return { nodes, notes };
  const found = givenSplit(nodes, partOf, ["test"]);
  return { nodes: selectNodes(nodes, found.split.test), notes: [...notes, ...found.notes] };
}
