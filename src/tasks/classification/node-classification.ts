/**
 * Node classification: how well a linear probe predicts the labels of nodes from their vectors.
 *
 * Protocols: `logistic`, L2-regularised logistic regression solved to convergence, so that only the split is random;
 * `paper`, that of the HMGE paper (adam-probe.ts). Both are fitted to raw and to standardised vectors, because a
 * regularised probe depends on the scale of the columns: infomax vectors lie near one line and need standardising, while
 * the views of `multiview` have meaningful scales that standardising removes. Validation chooses (choose-scaling.ts).
 */

import { type Embedding, requireEmbeddings } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { choice, flag, int, number } from "../../core/options.js";
import { Rng } from "../../core/rng.js";
import { type KeysOf, requireCount, requireKeys, requireNoPromise, requireWord } from "../../core/validation.js";
import { frequentLabels, type LargestClass, largestClass } from "../labels/frequent-labels.js";
import { countLabels, type LabelledNodes, matchLabels, matchNotes, type NodeLabels } from "../labels/labelled-nodes.js";
import { drawSplit, givenSplit, type NodeSplit, type ShareOptions } from "../labels/node-split.js";
import type { F1Scores } from "../metrics/classification-metrics.js";
import { type Spread, spread } from "../metrics/mean-deviation.js";
import { type ChosenScaling, chooseScaling } from "./choose-scaling.js";
import { validationParts } from "./choose-strength.js";
import { ClassificationNotes, severalNotes } from "./classification-notes.js";
import { fitAndScore, heldOutRng, type Protocol } from "./fit-and-score.js";
import { type Decision, decisionsFor } from "./probe.js";
import { ROW_KINDS, type RowKind, rowsOfKind, selectRows } from "./standardize.js";

export type { Protocol };

const PROTOCOLS: readonly Protocol[] = ["logistic", "paper"];

/** How classifiers are fitted, and on which nodes. */
export interface ClassificationOptions {
  /** Shares to draw anew for every repeat, or the part of each node. */
  readonly split: ShareOptions | { readonly given: ReadonlyMap<string, string> };
  /** Default logistic. */
  readonly protocol?: Protocol;
  /** C of the logistic regression, or found on validation nodes; default 1. */
  readonly strength?: number | "validate";
  /** Default 10, of the paper's protocol 50; a given split leaves the logistic protocol nothing to repeat. */
  readonly repeats?: number;
  /** Default 1. */
  readonly seed?: number;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Default number of repeats, by protocol. */
export const REPEATS = { logistic: 10, paper: 50 } as const;
/** Share of the nodes that validates the paper's probe if the split is drawn and no share is given. */
const PAPER_VALIDATION = 0.1;

/** The options as a schema, with the share of labelled nodes that trains; for commands. */
export const CLASSIFICATION_OPTIONS = {
  train: number(0.1, { above: 0, below: 1, value: "SHARE", doc: "share of the labelled nodes that trains the probe" }),
  validation: number(undefined, {
    above: 0,
    below: 1,
    value: "SHARE",
    doc: "share of the labelled nodes that validates",
    defaultText: `0; ${PAPER_VALIDATION} with the paper's protocol`,
  }),
  stratify: flag(false, { doc: "draw every class in its share, and one node of it for training if it has two" }),
  protocol: choice("logistic", PROTOCOLS, {
    value: "NAME",
    doc: "logistic: L2-regularised logistic regression to convergence; paper: linear layer, Adam, 100 epochs, best on validation",
  }),
  repeats: int(undefined, {
    min: 1,
    doc: "random splits, or starts of the paper's probe on a given split",
    defaultText: `${REPEATS.logistic}; ${REPEATS.paper} with the paper's protocol`,
  }),
  seed: int(1, { min: 0, doc: "seed of splits and starts" }),
};

/** C of the logistic regression unless another is given. */
export const DEFAULT_STRENGTH = 1;

/** Scores of one kind of rows and of decision. */
export interface ClassificationRow {
  readonly rows: RowKind;
  readonly decision: Decision;
  readonly macroF1: Spread;
  readonly microF1: Spread;
  readonly accuracy: Spread;
  /** C of each fit, `[embedding][repeat]`; null for the paper's probe, which has none. */
  readonly strengths: readonly (readonly number[])[] | null;
}

/** How well a linear probe predicts the labels of nodes from their vectors. */
export interface Classification {
  readonly protocol: Protocol;
  readonly multiLabel: boolean;
  /** Labelled nodes with a vector. */
  readonly nodes: number;
  readonly classes: readonly { readonly name: string; readonly nodes: number }[];
  /** What naming the largest class every time would score on all labelled nodes; null where nodes have several labels. */
  readonly largestClass: LargestClass | null;
  /** The same where nodes have several labels: as many of the most frequent ones as each node has; null else. */
  readonly frequentLabels: F1Scores | null;
  /** Of the first repeat. */
  readonly split: {
    readonly kind: "given" | "random" | "stratified";
    readonly train: number;
    readonly validation: number;
    readonly test: number;
  };
  readonly embeddings: number;
  readonly repeats: number;
  readonly seed: number;
  /** C as it was asked for; null for the paper's probe. */
  readonly strength: number | "validate" | null;
  readonly results: readonly ClassificationRow[];
  /**
   * Raw or standardised vectors, chosen by validation on training nodes; the test nodes have no part in it. Null if too
   * few nodes train to spare some for validation.
   */
  readonly chosen: ChosenScaling | null;
  readonly notes: readonly string[];
}

/** Classifies the labelled nodes of one embedding, or of several of the same graph from different seeds. */
export function classifyNodes(
  embeddings: readonly Embedding[],
  labels: NodeLabels,
  options: ClassificationOptions,
): Classification {
  requireEmbeddings(embeddings, "classify");
  requireOptions(options);
  const protocol = options.protocol ?? CLASSIFICATION_OPTIONS.protocol.default;
  const seed = options.seed ?? CLASSIFICATION_OPTIONS.seed.default;
  const repeats = countRepeats(options, protocol);
  const total = embeddings.length * ROW_KINDS.length * repeats;
  let done = 0;
  const notes = new ClassificationNotes();
  const parts = embeddings.map((embedding) => {
    const nodes = matchLabels(embedding.ids, labels);
    notes.add(...matchNotes(nodes), ...severalNotes(nodes));
    if (nodes.names.length < 2) {
      throw new InputError(
        `labels: all nodes have the label ${JSON.stringify(nodes.names[0])}; expected two labels or more.`,
      );
    }
    const splits = makeSplits(nodes, options, protocol, repeats, seed, notes);
    for (const split of splits) notes.countLacking(nodes, split);
    const fits = ROW_KINDS.map((kind) => {
      const rows = selectRows(rowsOfKind(embedding, kind), nodes.rows);
      return splits.map((split, repeat) => {
        const fit = fitAndScore(nodes, rows, split, {
          protocol,
          strength: options.strength ?? DEFAULT_STRENGTH,
          seed,
          repeat,
        });
        notes.countFit(fit);
        requireNoPromise(options.onProgress?.(++done, total), "classify: onProgress");
        return fit;
      });
    });
    return { nodes, split: splits[0], fits };
  });

  const { nodes, split } = parts[0];
  if (parts.some((part) => part.nodes.ids.some((id, place) => id !== nodes.ids[place]))) {
    notes.add("the embeddings hold different labelled nodes, so that their splits differ too.");
  }
  const counts = countLabels(
    nodes,
    nodes.ids.map((_, place) => place),
  );
  const results = ROW_KINDS.flatMap((kind, k) =>
    decisionsFor(nodes.multiLabel).map((decision, d): ClassificationRow => {
      const over = (metric: keyof F1Scores) =>
        spread(parts.map(({ fits }) => fits[k].map(({ scores }) => scores[d][metric])));
      return {
        rows: kind,
        decision,
        macroF1: over("macroF1"),
        microF1: over("microF1"),
        accuracy: over("accuracy"),
        strengths: protocol === "paper" ? null : parts.map(({ fits }) => fits[k].map(({ strength }) => strength)),
      };
    }),
  );
  return {
    protocol,
    multiLabel: nodes.multiLabel,
    nodes: nodes.ids.length,
    classes: nodes.names.map((name, c) => ({ name, nodes: counts[c] })),
    largestClass: nodes.multiLabel ? null : largestClass(nodes.names, counts),
    frequentLabels: nodes.multiLabel ? frequentLabels(nodes, counts) : null,
    split: {
      kind: "given" in options.split ? "given" : options.split.stratify === true ? "stratified" : "random",
      train: split.train.length,
      validation: split.validation.length,
      test: split.test.length,
    },
    embeddings: embeddings.length,
    repeats,
    seed,
    strength: protocol === "paper" ? null : (options.strength ?? DEFAULT_STRENGTH),
    results,
    chosen: chooseScaling(
      nodes.multiLabel,
      parts.map(({ fits }) => fits),
    ),
    notes: notes.inWords(embeddings.length * repeats),
  };
}

const OPTIONS: KeysOf<ClassificationOptions> = {
  split: true,
  protocol: true,
  strength: true,
  repeats: true,
  seed: true,
  onProgress: true,
};
const SHARES: KeysOf<ShareOptions> = { train: true, validation: true, stratify: true };

/** Of callers without types. */
function requireOptions(options: Partial<ClassificationOptions> = {}): void {
  const { split, protocol = "logistic", strength = 1, repeats = 1 } = options;
  if (typeof split !== "object" || split === null) {
    throw new InputError(
      "classify: no split given; expected shares, such as { train: 0.1 }, or the part of each node.",
    );
  }
  if (strength !== "validate" && !(Number.isFinite(strength) && strength > 0)) {
    throw new InputError(`classify: strength is ${strength}; expected a number above 0, or "validate".`);
  }
  requireKeys(options, OPTIONS, "classify");
  if (!("given" in split)) requireKeys(split, SHARES, "classify: split");
  requireWord(protocol, PROTOCOLS, "classify: protocol");
  requireCount(repeats, "classify: repeats");
}

function countRepeats({ split, repeats }: ClassificationOptions, protocol: Protocol): number {
  return "given" in split && protocol === "logistic" ? 1 : (repeats ?? REPEATS[protocol]);
}

/**
 * The labelled nodes among `ids`, and the split of each repeat, for models that learn from labels: those that `classifyNodes`
 * would draw under the same options, but nodes spared from training to choose C by are named as validation. They must be
 * kept from the model, and from the probe too: every C tells apart nodes whose labels the model has learnt, and nodes it
 * has learnt from and others are too unlike for one probe.
 */
export function classificationSplits(
  ids: readonly string[],
  labels: NodeLabels,
  options: ClassificationOptions,
): { readonly nodes: LabelledNodes; readonly splits: readonly NodeSplit[] } {
  const protocol = options.protocol ?? CLASSIFICATION_OPTIONS.protocol.default;
  const seed = options.seed ?? CLASSIFICATION_OPTIONS.seed.default;
  const nodes = matchLabels(ids, labels);
  const splits = makeSplits(nodes, options, protocol, countRepeats(options, protocol), seed, new ClassificationNotes());
  const validated = protocol === "logistic" && options.strength === "validate";
  return {
    nodes,
    splits: splits.map((split, repeat) => ({
      ...split,
      ...(validated ? validationParts(nodes, split, heldOutRng(seed, repeat)) : {}),
    })),
  };
}

function makeSplits(
  nodes: LabelledNodes,
  { split }: ClassificationOptions,
  protocol: Protocol,
  repeats: number,
  seed: number,
  notes: ClassificationNotes,
): NodeSplit[] {
  if ("given" in split) {
    const found = givenSplit(nodes, split.given);
    if (protocol === "paper" && found.split.validation.length === 0) {
      throw new InputError(
        "split: no node is for validation, by which the paper's protocol chooses its weights; expected a part named val.",
      );
    }
    notes.add(...found.notes);
    return Array.from({ length: repeats }, () => found.split);
  }
  const validation = split.validation ?? (protocol === "paper" ? PAPER_VALIDATION : 0);
  return Array.from({ length: repeats }, (_, repeat) =>
    drawSplit(nodes, { ...split, validation }, new Rng(seed, "node split", repeat)),
  );
}
