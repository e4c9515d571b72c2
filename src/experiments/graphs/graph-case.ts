/** A graph of an experiment. It is loaded only when a cell has to be computed. */

import { once } from "../../core/once.js";
import { contentHash, WordHash } from "../../graph/content-hash.js";
import type { Multiplex, NodeKinds } from "../../graph/multiplex.js";
import { generateSbm, type SbmOptions } from "../../graph/synthetic/sbm.js";
import { generateTown } from "../../graph/synthetic/town.js";
import type { NodeLabels } from "../../tasks/labels/labelled-nodes.js";
import type { CellKey } from "../cells/cell-store.js";

export interface CaseData {
  readonly graph: Multiplex;
  readonly labels?: NodeLabels;
  /** Part of each node (train, val or test), if the data set has a split. */
  readonly split?: ReadonlyMap<string, string>;
  /** True communities of the nodes of a synthetic graph, one list per relation. */
  readonly communities?: readonly Uint8Array[];
}

export interface GraphCase {
  readonly name: string;
  /** A short description. */
  readonly summary: string;
  /** Identifies the graph and its labels in the keys of cells. */
  readonly key: CellKey;
  load(): CaseData;
}

/** The paper's synthetic multiplex. */
export function sbmCase(options: SbmOptions): GraphCase {
  const { nodes, relations, pIn, pOut, seed, noise, weightRatio } = options;
  return {
    name: `SBM, ${relations} relations`,
    summary: `stochastic block model: ${nodes} nodes, ${relations} relations, p_in ${pIn}, p_out ${pOut}`,
    key: { sbm: { nodes, relations, pIn, pOut, seed, noise, weightRatio } },
    load: once(() => {
      const { graph, labels, communities } = generateSbm(options);
      return { graph, labels: labelsFrom(graph.ids, (i) => labels[i]), communities };
    }),
  };
}

/** The town of `hmge demo`, labelled by quarter. */
export function townCase(seed: number): GraphCase {
  return {
    name: "demo town",
    summary: "the invented town of hmge demo, six relations, labelled by quarter",
    key: { town: seed },
    load: once(() => {
      const { graph, people } = generateTown(seed);
      return { graph, labels: labelsFrom(graph.ids, (i) => people[i].quarter) };
    }),
  };
}

/** A graph that is already in memory. */
export function loadedCase(name: string, summary: string, data: CaseData): GraphCase {
  return {
    name,
    summary,
    key: {
      graph: contentHash(data.graph),
      labels: data.labels && labelsHash(data.labels),
      split: data.split && hashTexts([...data.split].flat()),
      // not part of the graph's hash, but they decide which pairs are drawn
      kinds: data.graph.kinds && kindsHash(data.graph.kinds),
    },
    load: () => data,
  };
}

export function labelsHash({ byNode }: NodeLabels): string {
  return hashTexts([...byNode].flatMap(([node, labels]) => [node, String(labels.length), ...labels]));
}

function kindsHash({ of, ends }: NodeKinds): string {
  const hash = new WordHash();
  hash.words(Uint32Array.from(of));
  hash.words(Uint32Array.from(ends.flat()));
  return hash.digest();
}

function hashTexts(texts: readonly string[]): string {
  const hash = new WordHash();
  for (const text of texts) hash.text(text);
  return hash.digest();
}

function labelsFrom(ids: readonly string[], labelOf: (node: number) => string): NodeLabels {
  const byNode = new Map(ids.map((id, i) => [id, [labelOf(i)]]));
  return { byNode, names: [...new Set([...byNode.values()].flat())].sort() };
}
