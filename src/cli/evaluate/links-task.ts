/** What `hmge evaluate links` trains on and what it asks: edges held out of the graph, or pairs given in a file. */

import { InputError } from "../../core/errors.js";
import { firstNames, quotedNames } from "../../core/text.js";
import { findNode, type Multiplex } from "../../graph/multiplex.js";
import { isBipartite, kindsWith, NO_KIND, type NodeKinds } from "../../graph/node-kinds.js";
import { type Links, loadLinks } from "../../io/graph/load-links.js";
import type { GivenColumns } from "../../io/tables/columns.js";
import { plural } from "../../report/format.js";
import { addNegatives, holdOutLinks, type Unmatched } from "../../tasks/links/held-out-links.js";
import { countLeaks, type LinkLeaks } from "../../tasks/links/link-leaks.js";
import type { NegativeKind } from "../../tasks/links/negatives.js";
import type { LabeledPairs } from "../../tasks/links/pair-scorers.js";

/** Of a graph with several kinds of nodes, where pairs are drawn. */
export function kindsNote(kinds: NodeKinds): string {
  if (isBipartite(kinds)) return "the graph is bipartite: pairs that are no edges join its two sides.";
  const count = new Set(kinds.of.filter((kind) => kind !== NO_KIND)).size;
  return `the graph has ${count} kinds of nodes, by the columns of its relations: pairs that are no edges are of the kinds that their relation joins.`;
}

/** Pairs that may be drawn where nodes are of these kinds. */
export function pairsInWords(kinds: NodeKinds | undefined): string {
  if (kinds === undefined) return "pairs";
  return isBipartite(kinds)
    ? "pairs across the two sides of the graph"
    : "pairs of the kinds that their relation joins";
}

export interface LinksTask {
  /** The only graph that models and baselines see. */
  readonly training: Multiplex;
  readonly tests: readonly LabeledPairs[];
  readonly leaks: LinkLeaks;
  /** Whether pairs that are no edges were drawn, and only such as join the kinds of nodes that their relation joins. */
  readonly byKind: boolean;
  /** What a person should know about the pairs. */
  readonly notes: readonly string[];
  /** One sentence: where the pairs are from. */
  readonly summary: string;
}

export interface HoldOutRequest {
  readonly share: number;
  readonly strict: boolean;
  readonly negatives: NegativeKind;
  readonly seed: number;
}

/** Holds out edges and sets as many other pairs against them. */
export function heldOutTask(graph: Multiplex, request: HoldOutRequest): LinksTask {
  const { share, strict, negatives } = request;
  const { training, tests, leaks, notSplit, unmatched } = holdOutLinks(graph, request);
  const { kinds } = graph;
  const notes: string[] = kinds === undefined ? [] : [kindsNote(kinds)];
  if (notSplit.length > 0) {
    const names = notSplit.map((r) => `"${graph.relations[r].name}" (${plural(graph.relations[r].numEdges, "edge")})`);
    notes.push(
      `${plural(notSplit.length, "relation")} too small to hold out ${100 * share} %, trained on but not scored: ${firstNames(names, 3)}.`,
    );
  }
  notes.push(...unmatchedNotes(graph, unmatched));
  if (leaks.otherRelation > 0) {
    notes.push(
      `${share100(leaks.otherRelation, leaks.positives)} of the held-out pairs are training edges of another relation; --strict removes them there too.`,
    );
  }
  const edges = plural(leaks.positives, "edge");
  const from = strict ? "their pairs removed from all relations" : "each removed from its own relation";
  const against = `as many ${pairsInWords(kinds)} that are none, ${negatives === "uniform" ? "drawn uniformly" : "of the same degrees"}`;
  const summary = `${edges} held out (${100 * share} %), ${from}; ${against}`;
  return { training, tests, leaks, byKind: kinds !== undefined, notes, summary };
}

function unmatchedNotes({ relations }: Multiplex, unmatched: readonly Unmatched[]): string[] {
  return unmatched.map(
    ({ relation, pairs }) =>
      `relation "${relations[relation].name}": for ${plural(pairs, "pair")} no other of the same degrees was found; drawn uniformly.`,
  );
}

export interface GivenRequest {
  readonly path: string;
  /** Those of the edges. */
  readonly columns?: GivenColumns;
  /** Which rows are scored, where the file has a column for it. */
  readonly split: string;
  readonly negatives: NegativeKind;
  readonly seed: number;
}

/** Reads the pairs of a file; the whole graph is for training. */
export async function givenTask(graph: Multiplex, request: GivenRequest): Promise<LinksTask> {
  const { path, columns, split, negatives, seed } = request;
  const links = await loadLinks(path, columns);
  const notes: string[] = [];
  const { scored, others } = sortPairs(graph, links, path, split, notes);
  const negativesGiven = links.labels.some((label) => label === 0);
  const kinds = kindsWith(graph, [...scored, ...others.map((ends, relation) => ({ ...ends, relation }))]);
  const tests = scored.map((given) => {
    if (negativesGiven) return given;
    const { pairs, unmatched } = addNegatives(graph, given, { negatives, kinds, seed, avoid: others[given.relation] });
    notes.push(...unmatchedNotes(graph, unmatched));
    return pairs;
  });
  const byKind = !negativesGiven && kinds !== undefined;
  if (byKind) notes.push(kindsNote(kinds));
  if (!negativesGiven)
    notes.push(`${path}: no pairs with label 0; as many as there are edges were drawn (${negatives}).`);
  const leaks = countLeaks(graph, tests);
  if (leaks.falseNegatives > 0) {
    notes.push(`${plural(leaks.falseNegatives, "pair")} with label 0 are training edges of the same relation.`);
  }
  if (leaks.sameRelation > leaks.positives / 2) {
    notes.push(
      `${share100(leaks.sameRelation, leaks.positives)} of the edges to predict are training edges: what is scored is memory. Take them out of the source to see what is predicted.`,
    );
  }
  const total = tests.reduce((sum, { labels }) => sum + labels.length, 0);
  const chosen = links.split === undefined ? "" : ` of split "${split}"`;
  const summary = `${plural(total, "pair")}${chosen} from ${path}, ${plural(leaks.positives, "edge")} among them`;
  return { training: { ...graph, kinds }, tests, leaks, byKind, notes, summary };
}

/** Pairs by relation, as node indices; the edges of other splits apart. What cannot be used is counted and noted. */
function sortPairs(graph: Multiplex, links: Links, path: string, split: string, notes: string[]) {
  requireColumns(graph, links, path, split);
  const relationOf = new Map(graph.relations.map(({ name }, r) => [name, r]));
  const scored = graph.relations.map(() => ({
    source: [] as number[],
    target: [] as number[],
    labels: [] as number[],
  }));
  const others = graph.relations.map(() => ({ source: [] as number[], target: [] as number[] }));
  const left: LeftOut = { unknownNodes: new Set(), unknownRelations: new Map(), skipped: 0, loops: 0 };
  links.source.forEach((id, i) => {
    const inSplit = links.split === undefined || links.split[i] === split;
    const ends = [id, links.target[i]];
    const [a, b] = ends.map((end) => findNode(graph, end));
    const relation = links.relation === undefined ? 0 : relationOf.get(links.relation[i]);
    if (!inSplit) {
      if (a >= 0 && b >= 0 && relation !== undefined && links.labels[i] === 1) {
        others[relation].source.push(a);
        others[relation].target.push(b);
      }
      return;
    }
    if (a === b && a >= 0) left.loops++;
    else if (a < 0 || b < 0) {
      left.skipped++;
      for (const end of ends.filter((_, e) => [a, b][e] < 0)) left.unknownNodes.add(end);
    } else if (relation === undefined) {
      const name = links.relation?.[i] ?? "";
      left.unknownRelations.set(name, (left.unknownRelations.get(name) ?? 0) + 1);
    } else {
      scored[relation].source.push(a);
      scored[relation].target.push(b);
      scored[relation].labels.push(links.labels[i]);
    }
  });
  notes.push(...leftOutNotes(path, left));
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
    const why = notes.length === 0 ? "" : ` ${notes.at(-1)?.replace(`${path}: `, "")}`;
    throw new InputError(`${path}: no pair with label 1 can be scored; expected edges of this graph's nodes.${why}`);
  }
  return {
    scored: pairs,
    others: others.map(({ source, target }) => ({
      source: Uint32Array.from(source),
      target: Uint32Array.from(target),
    })),
  };
}

/** Fails where a file does not say which of its rows are scored, or of which relation they are. */
function requireColumns(graph: Multiplex, links: Links, path: string, split: string): void {
  const splits = links.split === undefined ? [] : [...new Set(links.split)].sort();
  if (links.split !== undefined && !splits.includes(split)) {
    throw new InputError(
      `${path}: no rows of split "${split}"; expected one of ${splits.join(", ")}. Choose with --split.`,
    );
  }
  if (links.relation === undefined && graph.relations.length > 1) {
    throw new InputError(
      `${path}: no relation column, but the graph has ${graph.relations.length} relations; expected one that names them.`,
    );
  }
}

/** Of the pairs of a file those that cannot be scored. */
interface LeftOut {
  readonly unknownNodes: Set<string>;
  /** With the pairs of each. */
  readonly unknownRelations: Map<string, number>;
  /** Pairs of unknown nodes. */
  skipped: number;
  loops: number;
}

function leftOutNotes(path: string, { unknownNodes, unknownRelations, skipped, loops }: LeftOut): string[] {
  const notes: string[] = [];
  if (skipped > 0) {
    notes.push(
      `${path}: ${plural(skipped, "pair")} left out, naming ${plural(unknownNodes.size, "node")} the graph does not have: ${quotedNames([...unknownNodes], 3)}.`,
    );
  }
  if (unknownRelations.size > 0) {
    const names = [...unknownRelations].map(([name, count]) => `"${name}" (${plural(count, "pair")})`);
    notes.push(
      `${path}: ${plural(unknownRelations.size, "relation")} the graph does not have, left out: ${firstNames(names, 3)}.`,
    );
  }
  if (loops > 0) notes.push(`${path}: ${plural(loops, "pair")} of a node with itself left out.`);
  return notes;
}

function share100(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}
