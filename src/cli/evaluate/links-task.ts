/** Prepares `hmge evaluate links`: the training graph and the pairs to score, which are held-out edges or the pairs of a file. */

import { InputError } from "../../core/errors.js";
import { firstNames, quotedNames } from "../../core/text.js";
import { findNode, type Multiplex, type NodeKinds } from "../../graph/multiplex.js";
import { isBipartite, kindsWith, NO_KIND } from "../../graph/node-kinds.js";
import { type Links, loadLinks } from "../../io/graph/load-links.js";
import { plural } from "../../report/format.js";
import type { UserColumns } from "../../sniff/choose-columns.js";
import { addNegatives, holdOutLinks, type Unmatched } from "../../tasks/links/held-out-links.js";
import { countLeaks, type LinkLeaks } from "../../tasks/links/link-leaks.js";
import type { NegativeKind } from "../../tasks/links/negatives.js";
import type { LabeledPairs } from "../../tasks/links/pair-scorers.js";

/** A note that explains which negative pairs are drawn in a graph with several kinds of nodes. */
export function kindsNote(kinds: NodeKinds): string {
  if (isBipartite(kinds)) return "the graph is bipartite: every negative pair joins its two sides.";
  const count = new Set(kinds.of.filter((kind) => kind !== NO_KIND)).size;
  return `the graph has ${count} kinds of nodes, detected from the columns of its relations: every negative pair joins the same kinds of nodes as the edges of its relation.`;
}

/** Describes the pairs from which negatives are drawn. */
export function describePairs(kinds: NodeKinds | undefined): string {
  if (kinds === undefined) return "pairs";
  return isBipartite(kinds)
    ? "pairs that join the two sides of the graph"
    : "pairs that join the same kinds of nodes as the relation";
}

export interface LinksTask {
  /** The only graph that models and baselines see. */
  readonly training: Multiplex;
  readonly tests: readonly LabeledPairs[];
  readonly leaks: LinkLeaks;
  /** Whether negative pairs join the same kinds of nodes as the edges of their relation. */
  readonly byKind: boolean;
  /** Notes about the pairs. */
  readonly notes: readonly string[];
  /** One sentence about the origin of the pairs. */
  readonly summary: string;
}

export interface HoldOutRequest {
  readonly share: number;
  readonly strict: boolean;
  readonly negatives: NegativeKind;
  readonly seed: number;
}

/** Holds out edges and draws as many negative pairs. */
export function heldOutTask(graph: Multiplex, request: HoldOutRequest): LinksTask {
  const { share, strict, negatives } = request;
  const { training, tests, leaks, notSplit, unmatched } = holdOutLinks(graph, request);
  const { kinds } = graph;
  const notes: string[] = kinds === undefined ? [] : [kindsNote(kinds)];
  if (notSplit.length > 0) {
    const names = notSplit.map((r) => `"${graph.relations[r].name}" (${plural(graph.relations[r].numEdges, "edge")})`);
    notes.push(
      `${plural(notSplit.length, "relation")} used for training but not scored, because too small to hold out ${100 * share} %: ${firstNames(names, 3)}.`,
    );
  }
  notes.push(...unmatchedNotes(graph, unmatched));
  if (leaks.otherRelation > 0) {
    notes.push(
      `${formatPercent(leaks.otherRelation, leaks.positives)} of the held-out pairs are training edges of another relation; --strict removes them there too.`,
    );
  }
  const edges = plural(leaks.positives, "edge");
  const removal = strict ? "each pair removed from all relations" : "each removed from its relation";
  const negativePairs = `as many negative ${describePairs(kinds)}, ${negatives === "uniform" ? "drawn uniformly" : "with the same degrees"}`;
  const summary = `${edges} held out (${100 * share} %), ${removal}; ${negativePairs}`;
  return { training, tests, leaks, byKind: kinds !== undefined, notes, summary };
}

function unmatchedNotes({ relations }: Multiplex, unmatched: readonly Unmatched[]): string[] {
  return unmatched.map(
    ({ relation, pairs }) =>
      `relation "${relations[relation].name}": ${plural(pairs, "negative pair")} drawn uniformly, because no pairs with the same degrees were left.`,
  );
}

export interface FileRequest {
  readonly path: string;
  /** Columns that the user named for the edges; they apply to the file of pairs if it has them. */
  readonly columns?: UserColumns;
  /** If the file has a split column, only rows with this value are scored. */
  readonly split: string;
  readonly negatives: NegativeKind;
  readonly seed: number;
}

/** Reads the pairs to score from a file; models are trained on the whole graph. */
export async function fileTask(graph: Multiplex, request: FileRequest): Promise<LinksTask> {
  const { path, columns, split, negatives, seed } = request;
  const links = await loadLinks(path, columns);
  const notes: string[] = [];
  const { scored, otherSplits } = sortPairs(graph, links, path, split, notes);
  const hasNegatives = links.labels.some((label) => label === 0);
  const kinds = kindsWith(graph, [...scored, ...otherSplits.map((ends, relation) => ({ ...ends, relation }))]);
  const tests = scored.map((edges) => {
    if (hasNegatives) return edges;
    const { pairs, unmatched } = addNegatives(graph, edges, {
      negatives,
      kinds,
      seed,
      avoid: otherSplits[edges.relation],
    });
    notes.push(...unmatchedNotes(graph, unmatched));
    return pairs;
  });
  const byKind = !hasNegatives && kinds !== undefined;
  if (byKind) notes.push(kindsNote(kinds));
  if (!hasNegatives)
    notes.push(
      `${path}: the file has no pairs with label 0, so as many negative pairs as edges were drawn (${negatives}).`,
    );
  const leaks = countLeaks(graph, tests);
  if (leaks.falseNegatives > 0) {
    notes.push(`${plural(leaks.falseNegatives, "pair")} with label 0 are training edges of the same relation.`);
  }
  if (leaks.sameRelation > leaks.positives / 2) {
    notes.push(
      `${formatPercent(leaks.sameRelation, leaks.positives)} of the edges to predict are training edges, so the scores measure memorisation, not prediction. Remove these edges from the source.`,
    );
  }
  const total = tests.reduce((sum, { labels }) => sum + labels.length, 0);
  const chosen = links.split === undefined ? "" : ` of split "${split}"`;
  const summary = `${plural(total, "pair")}${chosen} from ${path}, ${plural(leaks.positives, "edge")} among them`;
  return { training: { ...graph, kinds }, tests, leaks, byKind, notes, summary };
}

/** Groups the pairs of the requested split by relation, and the edges of the other splits; adds notes about pairs that cannot be scored. */
function sortPairs(graph: Multiplex, links: Links, path: string, split: string, notes: string[]) {
  requireColumns(graph, links, path, split);
  const relationOf = new Map(graph.relations.map(({ name }, r) => [name, r]));
  const scored = graph.relations.map(() => ({
    source: [] as number[],
    target: [] as number[],
    labels: [] as number[],
  }));
  const otherSplits = graph.relations.map(() => ({ source: [] as number[], target: [] as number[] }));
  const unusable: UnusablePairs = {
    unknownNodes: new Set(),
    unknownRelations: new Map(),
    withUnknownNode: 0,
    loops: 0,
  };
  links.source.forEach((id, i) => {
    const inSplit = links.split === undefined || links.split[i] === split;
    const ends = [id, links.target[i]];
    const [a, b] = ends.map((end) => findNode(graph, end));
    const relation = links.relation === undefined ? 0 : relationOf.get(links.relation[i]);
    if (!inSplit) {
      if (a >= 0 && b >= 0 && relation !== undefined && links.labels[i] === 1) {
        otherSplits[relation].source.push(a);
        otherSplits[relation].target.push(b);
      }
      return;
    }
    if (a === b && a >= 0) unusable.loops++;
    else if (a < 0 || b < 0) {
      unusable.withUnknownNode++;
      for (const end of ends.filter((_, e) => [a, b][e] < 0)) unusable.unknownNodes.add(end);
    } else if (relation === undefined) {
      const name = links.relation?.[i] ?? "";
      unusable.unknownRelations.set(name, (unusable.unknownRelations.get(name) ?? 0) + 1);
    } else {
      scored[relation].source.push(a);
      scored[relation].target.push(b);
      scored[relation].labels.push(links.labels[i]);
    }
  });
  notes.push(...unusableNotes(path, unusable));
  const pairs = scored
    .map(({ source, target, labels }, relation) => {
      return {
        relation,
        source: Uint32Array.from(source),
        target: Uint32Array.from(target),
        labels: Uint8Array.from(labels),
      };
    })
    .filter(({ labels }) => labels.length > 0);
  if (!pairs.some(({ labels }) => labels.includes(1))) {
    const reason = notes.length === 0 ? "" : ` ${notes.at(-1)?.replace(`${path}: `, "")}`;
    throw new InputError(`${path}: no pair with label 1 can be scored; expected edges of this graph's nodes.${reason}`);
  }
  return {
    scored: pairs,
    otherSplits: otherSplits.map(({ source, target }) => ({
      source: Uint32Array.from(source),
      target: Uint32Array.from(target),
    })),
  };
}

/** Throws if the file has no rows of the split, or if it needs a relation column and has none. */
function requireColumns(graph: Multiplex, links: Links, path: string, split: string): void {
  const splits = links.split === undefined ? [] : [...new Set(links.split)].sort();
  if (links.split !== undefined && !splits.includes(split)) {
    throw new InputError(
      `${path}: no rows of split "${split}"; expected one of ${splits.join(", ")}. Choose with --split.`,
    );
  }
  if (links.relation === undefined && graph.relations.length > 1) {
    throw new InputError(
      `${path}: no relation column, but the graph has ${graph.relations.length} relations; expected a column with the relation of each pair.`,
    );
  }
}

/** Counts of the pairs of a file that cannot be scored. */
interface UnusablePairs {
  readonly unknownNodes: Set<string>;
  /** Number of pairs by relation. */
  readonly unknownRelations: Map<string, number>;
  /** Number of pairs with an unknown node. */
  withUnknownNode: number;
  /** Number of pairs of a node with itself. */
  loops: number;
}

function unusableNotes(
  path: string,
  { unknownNodes, unknownRelations, withUnknownNode, loops }: UnusablePairs,
): string[] {
  const notes: string[] = [];
  if (withUnknownNode > 0) {
    notes.push(
      `${path}: ignored ${plural(withUnknownNode, "pair")} with ${plural(unknownNodes.size, "node")} missing from the graph: ${quotedNames([...unknownNodes], 3)}.`,
    );
  }
  if (unknownRelations.size > 0) {
    const names = [...unknownRelations].map(([name, count]) => `"${name}" (${plural(count, "pair")})`);
    notes.push(
      `${path}: ignored the pairs of ${plural(unknownRelations.size, "relation")} missing from the graph: ${firstNames(names, 3)}.`,
    );
  }
  if (loops > 0) notes.push(`${path}: ignored ${plural(loops, "pair")} of a node with itself.`);
  return notes;
}

function formatPercent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}
