/** How far two runs of one graph agree: the nearest nodes that they have in common. */

import { Rng } from "../../index.js";
import { type CenteredVectors, nearestNodes } from "./nearest.js";

/** Nearest nodes of a node that are compared. */
export const COMPARED = 10;
/** Nodes whose neighbours are compared for a mean; its standard error is then below 1.6 %. */
export const MAX_SAMPLE = 1000;
/** The sample is the same at every visit. */
const SEED = 0;

export interface NodeAgreement {
  /** Nodes that are among the nearest in both runs, the nearest of the first run first. */
  readonly common: readonly number[];
  /** How many nearest nodes were compared: ten, or fewer in small graphs. */
  readonly compared: number;
  /** Share that two random lists of nodes would have in common on average. */
  readonly chance: number;
}

export interface MeanAgreement {
  /** Mean share of common nearest nodes, 0 to 1; NaN if no node has neighbours. */
  readonly mean: number;
  readonly chance: number;
  /** Nodes that were compared. */
  readonly numNodes: number;
  /** Whether these are a sample. */
  readonly sampled: boolean;
}

/** Compares the nearest nodes of one node. Undefined if it has none in one of the runs, because its vector is the mean of all. */
export async function nodeAgreement(
  first: CenteredVectors,
  second: CenteredVectors,
  node: number,
): Promise<NodeAgreement | undefined> {
  const others = first.lengths.length - 1;
  const ofFirst = await nearestNodes(first, node, COMPARED);
  const ofSecond = new Set((await nearestNodes(second, node, COMPARED)).map((near) => near.node));
  if (ofFirst.length === 0 || ofSecond.size === 0) return undefined;
  const compared = Math.max(ofFirst.length, ofSecond.size);
  const common = ofFirst.map((near) => near.node).filter((near) => ofSecond.has(near));
  return { common, compared, chance: compared / others };
}

/** The mean over these nodes, or over a sample of 1,000 if there are more. Undefined if `wanted` turned false meanwhile. */
export async function meanAgreement(
  first: CenteredVectors,
  second: CenteredVectors,
  nodes: readonly number[],
  { wanted = () => true, max = MAX_SAMPLE }: { readonly wanted?: () => boolean; readonly max?: number } = {},
): Promise<MeanAgreement | undefined> {
  let sum = 0;
  let numNodes = 0;
  let chance = Number.NaN;
  for (const node of sampleOf(nodes, max)) {
    const agreement = await nodeAgreement(first, second, node);
    if (!wanted()) return undefined;
    if (agreement === undefined) continue;
    sum += agreement.common.length / agreement.compared;
    chance = agreement.chance;
    numNodes++;
  }
  return { mean: sum / numNodes, chance, numNodes, sampled: nodes.length > max };
}

/** At most `max` of the nodes, drawn at random with a fixed seed. */
function sampleOf(nodes: readonly number[], max: number): readonly number[] {
  if (nodes.length <= max) return nodes;
  const rng = new Rng(SEED, "explorer/agreement of runs");
  const drawn = [...nodes];
  for (let i = 0; i < max; i++) {
    const other = i + rng.below(drawn.length - i);
    [drawn[i], drawn[other]] = [drawn[other], drawn[i]];
  }
  return drawn.slice(0, max);
}
