/**
 * Chooses the probe of one split by validation: raw or standardised vectors, how many leading columns, and C. The merit of
 * settings is their macro-F1 on validation nodes minus a small multiple of the cross-entropy. First the number of columns is
 * chosen: by the best merit with this number, averaged with those of the next smaller and the next larger one. Then scaling
 * and C have the best merit with this number of columns, but C is smaller if its merit is nearly as good. Validation nodes are those of the split or, if it has none, the training
 * nodes, each predicted by a probe that was fitted to the other folds. Test nodes are not used.
 */

import type { Rng } from "../../core/rng.js";
import { largestOf } from "../../numeric/extremes.js";
import { mean, narrowRows } from "../../numeric/rows.js";
import { type LabelledNodes, selectNodes } from "../labels/labelled-nodes.js";
import { drawFolds, type NodeSplit } from "../labels/node-split.js";
import { MIN_TO_HOLD_OUT } from "./choose-strength.js";
import { crossEntropy } from "./cross-entropy.js";
import { decisionsFor, ProbePath, scoreDecision, targetsOf } from "./probe.js";
import type { ProbeRows } from "./probe-rows.js";
import { ROW_KINDS, type RowKind, selectRows } from "./standardize.js";

/** Numbers of leading columns that are tried, in addition to all columns. */
export const PREFIXES: readonly number[] = [8, 16, 32];

/** Training sets are divided into folds several times while all divisions together have at most this many nodes; not tuned. */
const NODES_OF_DIVISIONS = 1500;

/** How settings are chosen; `node bench/run.mjs probe-choice` compares other values. */
export interface ChoiceRule {
  /**
   * Weight of the cross-entropy in the merit. Few validation nodes give many settings the same macro-F1; their cross-entropy still
   * differs.
   */
  readonly lossWeight: number;
  /** How often a small training set is divided into folds, each time at random. */
  readonly maxDivisions: number;
  /**
   * Folds of the training nodes if the split has no validation nodes. One held-out fifth chooses worse: macro-F1 96.1 instead of
   * 99.5 on leskovec, 70.7 (74.8) on dkpol, 67.4 (68.2) on dmgi_imdb, 70.1 (70.0) on heco_aminer, each with 20 splits of
   * 10 % and vectors of multiview 0.4.0.
   */
  readonly numFolds: number;
  /**
   * Whether the merit of a prefix is averaged with those of the next shorter and the next longer prefix, so that chance in one of
   * them matters less (notebook, "Choice of a probe").
   */
  readonly smoothPrefixes: boolean;
  /**
   * The smallest C is chosen whose merit is at most so many standard errors of macro-F1 below the best one: the cross-entropy alone
   * should not decide for a large C (notebook, "Choice of a probe").
   */
  readonly tolerance: number;
}

/** Mean test macro-F1 of 13 graphs: 90.8, and 90.5 with one division and without the cross-entropy (notebook, "Choice of a probe"). */
export const CHOICE_RULE: ChoiceRule = {
  lossWeight: 0.03,
  maxDivisions: 3,
  numFolds: 3,
  smoothPrefixes: true,
  tolerance: 0.1,
};
/** After this many values of C in a row that are not better, larger values are not tried. */
const MAX_WORSE = 2;

/** Relative size of the gradient at which a fit that only ranks settings ends; not tuned. */
const QUICK_TOLERANCE = 1e-3;

/** Settings of a probe. */
export interface ProbeSettings {
  readonly scaling: RowKind;
  /** Number of leading columns. */
  readonly columns: number;
  /** C of the logistic regression. */
  readonly strength: number;
}

/** The settings that validation chose for one split. */
export interface ProbeChoice extends ProbeSettings {
  /** Macro-F1 on validation nodes; null if there are too few training nodes to hold some out. */
  readonly validation: number | null;
}

/** The settings to choose from. */
export interface ProbeGrid {
  readonly scaling: RowKind | "validate";
  readonly prefix: number | "all" | "validate";
  readonly strengths: readonly number[];
  /** Default CHOICE_RULE. */
  readonly rule?: ChoiceRule;
}

/** Nodes for validation, and the training and validation nodes of each fold as indices into `places`. */
interface ValidationFolds {
  readonly places: Int32Array;
  /** The folds of each division of the nodes. */
  readonly divisions: readonly (readonly Fold[])[];
}

type Fold = Pick<NodeSplit, "train" | "validation">;

/** Undefined if there are too few training nodes. */
function validationFolds(
  nodes: LabelledNodes,
  { train, validation }: NodeSplit,
  { maxDivisions, numFolds }: ChoiceRule,
  rng: Rng,
): ValidationFolds | undefined {
  if (validation.length > 0) {
    const places = Int32Array.from([...train, ...validation]);
    const indices = places.map((_, at) => at);
    const fold = { train: indices.subarray(0, train.length), validation: indices.subarray(train.length) };
    return { places, divisions: [[fold]] };
  }
  if (train.length < MIN_TO_HOLD_OUT) return undefined;
  const trainNodes = selectNodes(nodes, train);
  const count = Math.max(1, Math.min(maxDivisions, Math.floor(NODES_OF_DIVISIONS / train.length)));
  const divisions = Array.from({ length: count }, () =>
    drawFolds(trainNodes, numFolds, rng).map((fold) => {
      const isHeldOut = new Uint8Array(train.length);
      for (const at of fold) isHeldOut[at] = 1;
      return { train: train.map((_, at) => at).filter((at) => isHeldOut[at] === 0), validation: fold };
    }),
  );
  return { places: train, divisions };
}

/** The settings for each decision, in the order of `decisionsFor`. */
export function chooseProbe(
  nodes: LabelledNodes,
  rows: ProbeRows,
  split: NodeSplit,
  grid: ProbeGrid,
  rng: Rng,
): ProbeChoice[] {
  const decisions = decisionsFor(nodes.multiLabel);
  const rule = grid.rule ?? CHOICE_RULE;
  const folds = validationFolds(nodes, split, rule, rng);
  const widths = prefixesOf(rows.width, grid.prefix);
  const scalings = grid.scaling === "validate" ? ROW_KINDS : [grid.scaling];
  const triedByPrefix =
    folds === undefined
      ? []
      : widths.map((columns) =>
          scalings.flatMap((scaling) =>
            scoreStrengths(nodes, rows, folds, { scaling, columns }, grid.strengths, rule.lossWeight),
          ),
        );
  return decisions.map((_, d) => {
    const best = bestSettings(triedByPrefix, d, rule);
    // if no node is predicted correctly, for example because every class has one node, the scores say nothing
    if (best !== undefined && best.scores[d].macroF1 > 0) {
      const { scores, ...settings } = best;
      return { ...settings, validation: scores[d].macroF1 };
    }
    const { strengths } = grid;
    return {
      scaling: scalings[0],
      columns: widths[widths.length - 1],
      strength: strengths.length === 1 ? strengths[0] : 1,
      validation: null,
    };
  });
}

/** The settings for decision `d`; `tried` has those of each prefix, the shortest first. Undefined if there are none. */
function bestSettings(
  tried: readonly ScoredSettings[][],
  d: number,
  { smoothPrefixes, tolerance }: ChoiceRule,
): ScoredSettings | undefined {
  const bestOf = tried.map(
    (settings) => settings.toSorted((a, b) => b.scores[d].merit - a.scores[d].merit || simplerFirst(a, b))[0],
  );
  const merits = bestOf.map(({ scores }) => scores[d].merit);
  const compared = smoothPrefixes ? smoothed(merits) : merits;
  const chosen = compared.indexOf(largestOf(compared));
  const best = bestOf[chosen];
  if (best === undefined) return undefined;
  const { merit, standardError } = best.scores[d];
  return tried[chosen].find(
    ({ scaling, scores }) => scaling === best.scaling && scores[d].merit >= merit - tolerance * standardError,
  );
}

/** Each value averaged with the ones before and after it; the first and the last value are counted twice in their own mean. */
export function smoothed(values: readonly number[]): number[] {
  const last = values.length - 1;
  return values.map((value, at) => mean([values[Math.max(0, at - 1)], value, values[Math.min(last, at + 1)]]));
}

/** Order of settings with the same prefix and equal scores: smaller C first, then raw vectors. */
function simplerFirst(a: ProbeSettings, b: ProbeSettings): number {
  return a.strength - b.strength || Number(b.scaling === "raw") - Number(a.scaling === "raw");
}

function prefixesOf(width: number, prefix: ProbeGrid["prefix"]): number[] {
  if (prefix === "all") return [width];
  if (prefix === "validate") return [...PREFIXES.filter((columns) => columns < width), width];
  return [Math.min(prefix, width)];
}

interface ScoredSettings extends ProbeSettings {
  /** Scores on the validation nodes, mean of all divisions, by decision. */
  readonly scores: readonly ValidationScore[];
}

interface ValidationScore {
  readonly macroF1: number;
  /** What the choice maximises. */
  readonly merit: number;
  /** That of macro-F1, as if it were the share of correct nodes. */
  readonly standardError: number;
}

/** Validation scores with increasing C, until they fall for every decision. */
function scoreStrengths(
  nodes: LabelledNodes,
  rows: ProbeRows,
  { places, divisions }: ValidationFolds,
  settings: Pick<ProbeSettings, "scaling" | "columns">,
  strengths: readonly number[],
  lossWeight: number,
): ScoredSettings[] {
  const decisions = decisionsFor(nodes.multiLabel);
  // fewer columns with the same inner products, if there are more columns than nodes
  const narrow = narrowRows(rows.select(places, settings));
  const targetsAt = (indices: Int32Array) =>
    targetsOf(
      nodes,
      indices.map((at) => places[at]),
    );
  const prepared = divisions.map((folds) => ({
    folds: folds.map(({ train, validation }) => ({
      path: new ProbePath(selectRows(narrow, train), targetsAt(train)),
      validation: selectRows(narrow, validation),
    })),
    truth: targetsAt(Int32Array.from(folds.flatMap(({ validation }) => [...validation]))),
  }));
  const numPredicted = divisions[0].reduce((sum, { validation }) => sum + validation.length, 0);
  const tried: ScoredSettings[] = [];
  const best = decisions.map(() => ({ merit: -Infinity, at: 0 }));
  for (const [at, strength] of strengths.entries()) {
    const byDivision = prepared.map(({ folds, truth }) => {
      const logits = joined(folds.map(({ path, validation }) => path.fit(strength, QUICK_TOLERANCE).score(validation)));
      const loss = lossWeight * crossEntropy(logits, truth);
      return decisions.map((decision) => ({ macroF1: scoreDecision(logits, truth, decision).macroF1, loss }));
    });
    const scores = decisions.map((_, d): ValidationScore => {
      const macroF1 = mean(byDivision.map((division) => division[d].macroF1));
      const merit = macroF1 - mean(byDivision.map((division) => division[d].loss));
      return { macroF1, merit, standardError: Math.sqrt((macroF1 * (1 - macroF1)) / numPredicted) };
    });
    tried.push({ ...settings, strength, scores });
    scores.forEach(({ merit }, d) => {
      if (merit > best[d].merit) best[d] = { merit, at };
    });
    if (best.every((found) => at - found.at >= MAX_WORSE)) break;
  }
  return tried;
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
