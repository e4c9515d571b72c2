/** The link prediction task: edges held out of a graph, and as many negatives (pairs that are not edges). */

import { InternalError } from "../../core/errors.js";
import { Rng } from "../../core/rng.js";
import { type KeysOf, requireKeys, requireWord } from "../../core/validation.js";
import type { EdgeEnds } from "../../graph/edge-ends.js";
import type { Multiplex, NodeKinds } from "../../graph/multiplex.js";
import { type HoldOutOptions, holdOutEdges } from "../../graph/split.js";
import { countLeaks, type LinkLeaks } from "./link-leaks.js";
import { drawNegatives, NEGATIVE_KINDS, type NegativeKind } from "./negatives.js";
import type { LabeledPairs } from "./pair-scorers.js";

/** Options of `holdOutLinks`. */
export interface HeldOutLinksOptions extends HoldOutOptions {
  /** How negatives are drawn; default uniform. */
  readonly negatives?: NegativeKind;
}

/** A graph to train on, and labelled pairs to score. */
export interface HeldOutLinks {
  /** The only graph that models and baselines may see. */
  readonly training: Multiplex;
  /** Held-out edges and negatives of every relation that was split. */
  readonly tests: readonly LabeledPairs[];
  readonly leaks: LinkLeaks;
  /** Indices of relations with too few edges to hold one out: they are trained on but not scored. */
  readonly notSplit: readonly number[];
  /** Relations in which some degree-matched negatives could not be found and were drawn uniformly. */
  readonly unmatched: readonly Unmatched[];
}

/** Number of negatives of one relation that could not be matched by degree. */
export interface Unmatched {
  /** Index of the relation. */
  readonly relation: number;
  readonly pairs: number;
}

const OPTIONS: KeysOf<HeldOutLinksOptions> = { share: true, seed: true, strict: true, negatives: true };

/** Holds out edges and draws as many negatives, which join the same kinds of nodes as their relation. */
export function holdOutLinks(graph: Multiplex, options: HeldOutLinksOptions = {}): HeldOutLinks {
  requireKeys(options, OPTIONS, "links");
  const { negatives = "uniform", ...holdOut } = options;
  const { seed = 1, strict = false } = holdOut;
  requireWord(negatives, NEGATIVE_KINDS, "links: negatives");
  const { training, heldOut, notSplit } = holdOutEdges(graph, holdOut);
  const drawn = heldOut
    .filter(({ source }) => source.length > 0)
    .map((positives) => addNegatives(graph, positives, { negatives, kinds: graph.kinds, seed }));
  const tests = drawn.map(({ pairs }) => pairs);
  const leaks = countLeaks(training, tests);
  if (leaks.sameRelation > 0 || leaks.falseNegatives > 0 || (strict && leaks.otherRelation > 0)) {
    throw new InternalError(`the split leaks: ${JSON.stringify(leaks)}`);
  }
  return { training, tests, leaks, notSplit, unmatched: drawn.flatMap(({ unmatched }) => unmatched) };
}

export interface NegativesAdded {
  readonly negatives: NegativeKind;
  readonly kinds: NodeKinds | undefined;
  readonly seed: number;
  /** Further pairs that must not be drawn. */
  readonly avoid?: EdgeEnds;
}

/** Labelled pairs of a relation: the edges, then as many negatives. */
export function addNegatives(
  graph: Multiplex,
  { relation, source, target }: EdgeEnds & { readonly relation: number },
  { negatives, kinds, seed, avoid }: NegativesAdded,
): { readonly pairs: LabeledPairs; readonly unmatched: readonly Unmatched[] } {
  const drawn = drawNegatives({
    relation: graph.relations[relation],
    directed: graph.directed,
    positives: { source, target },
    avoid,
    kind: negatives,
    kinds: kinds && { of: kinds.of, ends: kinds.ends[relation] },
    rng: new Rng(seed, "negatives", relation),
  });
  return {
    pairs: {
      relation,
      ids: graph.ids,
      source: join(source, drawn.source),
      target: join(target, drawn.target),
      labels: Uint8Array.from({ length: 2 * source.length }, (_, i) => (i < source.length ? 1 : 0)),
    },
    unmatched: drawn.unmatched > 0 ? [{ relation, pairs: drawn.unmatched }] : [],
  };
}

function join(a: Uint32Array, b: Uint32Array): Uint32Array {
  const joined = new Uint32Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
