/** What the nodes of a selection have in common, compared with the other nodes. */

import type { Attribute } from "../scene/scene.js";
import type { RelationRows } from "./relation-rows.js";

/** A category and its share among the nodes inside and outside the selection, 0 to 1; NaN outside if all nodes are selected. */
export interface CategoryShare {
  readonly attribute: string;
  readonly category: string;
  readonly count: number;
  readonly inside: number;
  readonly outside: number;
  /** Standard errors by which the share inside exceeds the share outside (two-proportion z-test); NaN if all nodes are selected. */
  readonly zScore: number;
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
      const pooled = (inside[code] + outside[code]) / selected.length;
      const error = Math.sqrt(pooled * (1 - pooled) * (1 / numInside + 1 / numOutside));
      shares.push({
        attribute: attribute.name,
        category,
        count: inside[code],
        inside: shareInside,
        outside: shareOutside,
        // a category of all nodes has no error and no surplus
        zScore: error === 0 ? 0 : (shareInside - shareOutside) / error,
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
    for (let i = 0; i < selected.length; i++) {
      for (let at = rowStart[i]; at < rowStart[i + 1]; at++) {
        if (columns[at] === i) continue;
        twiceAll++;
        twiceInside += selected[i] & selected[columns[at]];
      }
    }
    const inside = twiceInside / 2 / pairsInside;
    const outside = (twiceAll - twiceInside) / 2 / otherPairs;
    return { relation, name, edges: twiceInside / 2, inside, outside, ratio: inside / outside };
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
