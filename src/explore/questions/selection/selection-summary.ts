/** What the nodes of a selection have in common, compared with the other nodes. */

import type { Attribute } from "../../scene/scene.js";
import type { RelationRows } from "../relation-rows.js";
import { drawnTail, edgesInside, tailOfCount } from "./chance.js";

/** A category and its share among the nodes inside and outside the selection, 0 to 1; NaN outside if all nodes are selected. */
export interface CategoryShare {
  readonly attribute: string;
  readonly category: string;
  readonly count: number;
  readonly inside: number;
  readonly outside: number;
  /** Probability that a random selection of as many nodes has at least `count` nodes of the category; NaN if all nodes are selected. */
  readonly chance: number;
}

/** Means of the known values of an attribute; NaN where no value is known. */
export interface MeanValue {
  readonly attribute: string;
  readonly inside: number;
  readonly outside: number;
}

/** Edges per pair of nodes: of pairs inside the selection, and of all other pairs. NaN where there is no pair. */
export interface RelationDensity {
  readonly relation: number;
  readonly name: string;
  /** Edges with both ends in the selection. */
  readonly edges: number;
  readonly inside: number;
  readonly outside: number;
  /** `inside / outside`; NaN if there is no edge at all or no pair. */
  readonly ratio: number;
  /** Probability that a random selection of as many nodes has at least as many edges inside; NaN if all nodes are selected. */
  readonly chance: number;
}

/**
 * Probability that chance alone lists a category or relation, at most. Many are tested at once, so the probability of each is multiplied
 * by their number (Bonferroni).
 */
export const MAX_CHANCE = 0.05;

/** Whether a probability is small enough if `numTested` categories and relations are tested. */
export function isSignificant(chance: number, numTested: number): boolean {
  return chance * numTested <= MAX_CHANCE;
}

/** Without the attributes that were computed from the vectors: a selection on a map of the vectors has them in common by construction. */
export function testedAttributes(attributes: readonly Attribute[]): Attribute[] {
  return attributes.filter(({ fromVectors }) => fromVectors !== true);
}

/** Categories that are tested: those of two nodes or more. A category of one node, such as a name, is nothing in common. */
export function countTested(attributes: readonly Attribute[]): number {
  let tested = 0;
  for (const attribute of testedAttributes(attributes)) {
    if (attribute.kind !== "category") continue;
    const counts = new Uint32Array(attribute.categories.length);
    for (const code of attribute.codes) if (code >= 0) counts[code]++;
    for (const count of counts) if (count > 1) tested++;
  }
  return tested;
}

/** 1 for each node in the list. */
export function nodeMask(numNodes: number, nodes: Iterable<number>): Uint8Array {
  const mask = new Uint8Array(numNodes);
  for (const node of nodes) mask[node] = 1;
  return mask;
}

/** Categories found in the selection, the largest surplus over the other nodes first. */
export function categoryShares(attributes: readonly Attribute[], selected: Uint8Array): CategoryShare[] {
  const numInside = countOnes(selected);
  const numOutside = selected.length - numInside;
  const shares: CategoryShare[] = [];
  for (const attribute of attributes) {
    if (attribute.kind !== "category") continue;
    const inside = new Uint32Array(attribute.categories.length);
    const outside = new Uint32Array(attribute.categories.length);
    for (let i = 0; i < selected.length; i++) {
      const code = attribute.codes[i];
      if (code >= 0) (selected[i] === 1 ? inside : outside)[code]++;
    }
    attribute.categories.forEach((category, code) => {
      if (inside[code] === 0) return;
      const shareInside = inside[code] / numInside;
      const shareOutside = outside[code] / numOutside;
      shares.push({
        attribute: attribute.name,
        category,
        count: inside[code],
        inside: shareInside,
        outside: shareOutside,
        chance:
          numOutside === 0
            ? Number.NaN
            : drawnTail(selected.length, inside[code] + outside[code], numInside, inside[code]),
      });
    });
  }
  const surplus = ({ inside, outside }: CategoryShare) => inside - (Number.isNaN(outside) ? 0 : outside);
  return shares.sort((a, b) => surplus(b) - surplus(a) || b.count - a.count);
}

/** Means of the number attributes. */
export function meanValues(attributes: readonly Attribute[], selected: Uint8Array): MeanValue[] {
  return attributes.flatMap((attribute) => {
    if (attribute.kind !== "number") return [];
    const sums = [0, 0];
    const counts = [0, 0];
    for (let i = 0; i < selected.length; i++) {
      const value = attribute.values[i];
      if (Number.isNaN(value)) continue;
      sums[selected[i]] += value;
      counts[selected[i]]++;
    }
    return [{ attribute: attribute.name, inside: sums[1] / counts[1], outside: sums[0] / counts[0] }];
  });
}

/** Densities of the relations inside the selection and elsewhere, the largest ratio first. Loops are not counted. */
export function relationDensities(relations: readonly RelationRows[], selected: Uint8Array): RelationDensity[] {
  const numInside = countOnes(selected);
  const pairsInside = (numInside * (numInside - 1)) / 2;
  const otherPairs = (selected.length * (selected.length - 1)) / 2 - pairsInside;
  const densities = relations.map(({ relation, name, adjacency: { rowStart, columns } }) => {
    let twiceInside = 0;
    let twiceAll = 0;
    let adjacentPairs = 0;
    for (let i = 0; i < selected.length; i++) {
      const before = twiceAll;
      for (let at = rowStart[i]; at < rowStart[i + 1]; at++) {
        if (columns[at] === i) continue;
        twiceAll++;
        twiceInside += selected[i] & selected[columns[at]];
      }
      adjacentPairs += ((twiceAll - before) * (twiceAll - before - 1)) / 2;
    }
    const inside = twiceInside / 2 / pairsInside;
    const outside = (twiceAll - twiceInside) / 2 / otherPairs;
    const edges = twiceInside / 2;
    const expected = edgesInside(selected.length, numInside, { count: twiceAll / 2, adjacentPairs });
    const chance = otherPairs === 0 || pairsInside === 0 ? Number.NaN : tailOfCount(expected, edges);
    return { relation, name, edges, inside, outside, ratio: inside / outside, chance };
  });
  const rank = ({ ratio }: RelationDensity) => (Number.isNaN(ratio) ? -1 : ratio);
  // Infinity − Infinity is NaN: equal ranks are kept apart
  return densities.sort((a, b) => (rank(a) === rank(b) ? b.edges - a.edges : rank(b) - rank(a)));
}

function countOnes(mask: Uint8Array): number {
  let ones = 0;
  for (const value of mask) ones += value;
  return ones;
}
