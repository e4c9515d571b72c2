/** Why two nodes are near, in words: edges between them, neighbours in common, the same category. */

import { type Adjacency, type Attribute, INCOMING, OUTGOING, type Scene } from "../scene/scene.js";
import { countText, shownText } from "./node-facts.js";
import { nodeName } from "./node-names.js";
import {
  degree,
  directionAt,
  type EdgeDirection,
  neighborsInRelation,
  placeOf,
  type RelationRows,
} from "./relation-rows.js";

/** Common neighbours named in one reason. */
const MAX_NAMES = 3;

/** How two nodes are linked, seen from the first. */
const LINKED = {
  plain: "linked",
  to: "an edge leads to it",
  from: "an edge leads from it",
  both: "edges lead both ways",
} as const;

/** Nodes in both ascending lists, without the two given nodes. */
export function commonNodes(a: Uint32Array, b: Uint32Array, without: readonly number[] = []): number[] {
  const common: number[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] < b[j]) i++;
    else if (a[i] > b[j]) j++;
    else {
      if (!without.includes(a[i])) common.push(a[i]);
      i++;
      j++;
    }
  }
  return common;
}

/** Reasons in these relations, strongest kind first; empty if there are none. */
export function reasons(scene: Scene, relations: readonly RelationRows[], a: number, b: number): string[] {
  const found: string[] = [];
  const linking = new Map<EdgeDirection | undefined, string[]>();
  for (const { name, adjacency } of relations) {
    const place = placeOf(adjacency, a, b);
    if (place < 0) continue;
    const direction = directionAt(adjacency, place);
    linking.set(direction, [...(linking.get(direction) ?? []), shownText(name)]);
  }
  for (const [direction, names] of linking) found.push(`${LINKED[direction ?? "plain"]} in ${inWords(names)}`);
  for (const { name, adjacency } of relations) {
    for (const { noun, meaning = "", nodes } of commonNeighbors(adjacency, a, b)) {
      // neighbours of few say more than hubs, which nearly every pair has in common
      const named = nodes.sort((p, q) => degree(adjacency, p) - degree(adjacency, q) || p - q).slice(0, MAX_NAMES);
      const names = named.map((node) => shownText(nodeName(scene, node))).join(", ");
      const more = nodes.length > MAX_NAMES ? ` and ${nodes.length - MAX_NAMES} more` : "";
      found.push(`${countText(nodes.length, noun)} in ${shownText(name)}${meaning}: ${names}${more}`);
    }
  }
  const same = scene.attributes.filter(
    (attribute) =>
      attribute.kind === "category" &&
      // near vectors are in the same cluster because they are near
      attribute.fromVectors !== true &&
      attribute.codes[a] >= 0 &&
      attribute.codes[a] === attribute.codes[b],
  );
  if (same.length > 0) found.push(`same ${inWords(same.map((attribute) => categoryText(attribute, a)))}`);
  return found;
}

interface CommonNeighbors {
  readonly noun: string;
  readonly meaning?: string;
  readonly nodes: number[];
}

/**
 * The common neighbours of two nodes. Directed edges make them targets of both, sources of both, or intermediate nodes:
 * an edge leads to them from one of the two, and another edge from them to the other.
 */
function commonNeighbors(adjacency: Adjacency, a: number, b: number): CommonNeighbors[] {
  const nodes = commonNodes(neighborsInRelation(adjacency, a), neighborsInRelation(adjacency, b), [a, b]);
  const { directions } = adjacency;
  if (directions === undefined) return nodes.length === 0 ? [] : [{ noun: "common neighbour", nodes }];
  const inCommon = (node: number) =>
    directions[placeOf(adjacency, a, node)] & directions[placeOf(adjacency, b, node)] & (OUTGOING | INCOMING);
  return [
    { noun: "common target", nodes: nodes.filter((node) => inCommon(node) & OUTGOING) },
    { noun: "common source", nodes: nodes.filter((node) => inCommon(node) & INCOMING) },
    {
      noun: "intermediate node",
      meaning: " (target of one, source of the other)",
      nodes: nodes.filter((node) => inCommon(node) === 0),
    },
  ].filter((group) => group.nodes.length > 0);
}

/** Such as "label red". */
function categoryText(attribute: Attribute, node: number): string {
  if (attribute.kind !== "category") return shownText(attribute.name);
  return `${shownText(attribute.name)} ${shownText(attribute.categories[attribute.codes[node]])}`;
}

/** "a", "a and b", "a, b and c". */
export function inWords(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}
