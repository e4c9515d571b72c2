/**
 * Node classification: how well a linear probe predicts the labels of nodes from their vectors.
 *
 * Protocols: `logistic` is L2-regularised logistic regression solved to convergence, so that only the split is random;
 * `paper` is the protocol of the HMGE paper (adam-probe.ts). Both are fitted to raw and to standardised vectors, because a
 * regularised probe depends on the scale of the columns: infomax vectors lie near one line and need standardising, while
 * the facets of `multiview` have meaningful scales that standardising removes. Validation chooses (choose-scaling.ts).
 */

import { type Embedding, requireEmbeddings, type VectorRows } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { Rng } from "../../core/rng.js";
import { requireNoPromise } from "../../core/validation.js";
import { frequentLabels, type LargestClass, largestClass } from "../labels/frequent-labels.js";
import {
  countLabels,
  type LabelledNodes,
  matchLabels,
  matchNotes,
  type NodeLabels,
  requireSharedLabels,
} from "../labels/labelled-nodes.js";
import { drawSplit, matchSplit, type NodeSplit } from "../labels/node-split.js";
import type { F1Scores } from "../metrics/classification-metrics.js";
import { type RepeatedScore, summarizeRepeats } from "../metrics/mean-deviation.js";
import type { ProbeGrid } from "./choose-probe.js";
import { type ChosenScaling, chooseScaling } from "./choose-scaling.js";
import { STRENGTHS, validationParts } from "./choose-strength.js";
import { ClassificationNotes, severalLabelsNotes } from "./classification-notes.js";
import {
  CLASSIFICATION_OPTIONS,
  type ClassificationOptions,
  countRepeats,
  DEFAULT_STRENGTH,
  isFixed,
  PAPER_VALIDATION,
  REPEATS,
  requireOptions,
} from "./classification-options.js";
import { fitAndScore, heldOutRng, type Protocol } from "./fit-and-score.js";
import { type Decision, decisionsFor } from "./probe.js";
import { ProbeRows } from "./probe-rows.js";
import { ROW_KINDS, type RowKind, rowsOfNodes } from "./standardize.js";
import { fitAllValidated, summarizeValidated, type ValidatedProbe } from "./validated-probe.js";

export type { ClassificationOptions, Protocol };
export { CLASSIFICATION_OPTIONS, DEFAULT_STRENGTH, REPEATS };

/** Scores for one kind of vectors and one decision rule. */
export interface ClassificationRow {
  readonly rows: RowKind;
  readonly decision: Decision;
  readonly macroF1: RepeatedScore;
  readonly microF1: RepeatedScore;
  readonly accuracy: RepeatedScore;
  /** C of each fit, `[embedding][repeat]`; null for the paper's probe, which has no penalty. */
  readonly strengths: readonly (readonly number[])[] | null;
}

/** Result of `classifyNodes`. */
export interface Classification {
  readonly protocol: Protocol;
  readonly multiLabel: boolean;
  /** Labelled nodes with a vector. */
  readonly nodes: number;
  readonly classes: readonly { readonly name: string; readonly nodes: number }[];
  /** Scores on all labelled nodes of always predicting the largest class; null if nodes have several labels. */
  readonly largestClass: LargestClass | null;
  /** Scores of predicting, for each node, as many of the most frequent labels as it has; null if nodes have one label. */
  readonly frequentLabels: F1Scores | null;
  /** Kind of the split and sizes of its parts in the first repeat. */
  readonly split: {
    readonly kind: "given" | "random" | "stratified";
    readonly train: number;
    readonly validation: number;
    readonly test: number;
  };
  readonly embeddings: number;
  readonly repeats: number;
  readonly seed: number;
  /** C as set in the options; null for the paper's probe. */
  readonly strength: number | "validate" | null;
  readonly results: readonly ClassificationRow[];
  /**
   * Raw or standardised vectors, chosen by validation without the test nodes. Null if there are too few training nodes to
   * hold some out for validation.
   */
  readonly chosen: ChosenScaling | null;
  /** Only if the options have `scaling` or `prefix`: the probe whose settings are chosen by validation, each split apart. */
  readonly byValidation?: ValidatedProbe;
  readonly notes: readonly string[];
}

/** Classifies the labelled nodes of one embedding, or of several embeddings of the same graph from different seeds. */
export function classifyNodes(
  embeddings: readonly (Embedding | VectorRows)[],
  labels: NodeLabels,
  options: ClassificationOptions,
): Classification {
  requireEmbeddings(embeddings, "classify");
  requireOptions(options);
  const protocol = options.protocol ?? CLASSIFICATION_OPTIONS.protocol.default;
  const seed = options.seed ?? CLASSIFICATION_OPTIONS.seed.default;
  const repeats = countRepeats(options, protocol);
  const grid = gridOf(options);
  const total = embeddings.length * (ROW_KINDS.length + (grid === undefined ? 0 : 1)) * repeats;
  let done = 0;
  const notes = new ClassificationNotes();
  const parts = embeddings.map((embedding) => {
    const nodes = matchLabels(embedding.ids, labels);
    notes.add(...matchNotes(nodes), ...severalLabelsNotes(nodes));
    requireSharedLabels(nodes);
    const splits = makeSplits(nodes, options, protocol, repeats, seed, notes);
    for (const split of splits) notes.countMissingClasses(nodes, split);
    const fits = ROW_KINDS.map((kind) => {
      const rows = rowsOfNodes(embedding, kind, nodes.rows);
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
    const validated =
      grid === undefined
        ? []
        : fitAllValidated(nodes, new ProbeRows(embedding, nodes.rows), splits, grid, seed, (fit) => {
            notes.countFit(fit);
            requireNoPromise(options.onProgress?.(++done, total), "classify: onProgress");
          });
    return { nodes, split: splits[0], fits, validated };
  });

  const { nodes, split } = parts[0];
  if (parts.some((part) => part.nodes.ids.some((id, place) => id !== nodes.ids[place]))) {
    notes.add("the embeddings have different labelled nodes, so their splits differ too.");
  }
  const counts = countLabels(nodes);
  const results = ROW_KINDS.flatMap((kind, k) =>
    decisionsFor(nodes.multiLabel).map((decision, d): ClassificationRow => {
      const over = (metric: keyof F1Scores) =>
        summarizeRepeats(parts.map(({ fits }) => fits[k].map(({ scores }) => scores[d][metric])));
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
      kind: isFixed(options.split) ? "given" : options.split.stratify === true ? "stratified" : "random",
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
    ...(grid === undefined
      ? {}
      : {
          byValidation: summarizeValidated(
            nodes.multiLabel,
            grid,
            parts.map(({ validated }) => validated),
          ),
        }),
    notes: notes.texts(embeddings.length * repeats),
  };
}

/**
 * Only `byValidation` of `classifyNodes`, for one embedding: the same splits and scores without the probes of fixed settings,
 * which take long on wide vectors.
 */
export function classifyByValidation(
  embedding: Embedding,
  labels: NodeLabels,
  options: ClassificationOptions,
): ValidatedProbe {
  requireEmbeddings([embedding], "classify");
  requireOptions(options);
  const grid = fullGrid(options);
  const seed = options.seed ?? CLASSIFICATION_OPTIONS.seed.default;
  const nodes = matchLabels(embedding.ids, labels);
  const repeats = countRepeats(options, "logistic");
  const splits = makeSplits(nodes, options, "logistic", repeats, seed, new ClassificationNotes());
  const rows = new ProbeRows(embedding, nodes.rows);
  return summarizeValidated(nodes.multiLabel, grid, [fitAllValidated(nodes, rows, splits, grid, seed, () => {})]);
}

/** The settings that validation chooses from; undefined if it chooses none. */
function gridOf(options: ClassificationOptions): ProbeGrid | undefined {
  return options.scaling === undefined && options.prefix === undefined ? undefined : fullGrid(options);
}

function fullGrid({ scaling, prefix, strength }: ClassificationOptions): ProbeGrid {
  return {
    scaling: scaling ?? CLASSIFICATION_OPTIONS.scaling.default,
    prefix: prefix ?? CLASSIFICATION_OPTIONS.prefix.default,
    strengths: typeof strength === "number" ? [strength] : STRENGTHS,
  };
}

/**
 * The labelled nodes among `ids` and the split of each repeat, for models that learn from labels. The splits are those of
 * `classifyNodes` under the same options, except that the training nodes held out to choose C or other settings become validation nodes. The
 * model must not be trained on these: for nodes whose labels the model has learnt, every C predicts well, so they cannot
 * choose C. The probe must not be trained on them either, because vectors of nodes with learnt labels differ too much from
 * the others for one probe.
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
  const { strength, scaling, prefix } = options;
  const validated = protocol === "logistic" && [strength, scaling, prefix].includes("validate");
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
  if (isFixed(split)) {
    const found = matchSplit(nodes, "given" in split ? split.given : split);
    if (protocol === "paper" && found.split.validation.length === 0) {
      throw new InputError(
        "split: no validation nodes; the paper's protocol needs them to choose its weights. Add nodes with the part val.",
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
