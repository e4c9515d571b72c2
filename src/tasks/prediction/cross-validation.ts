/**
 * Repeated stratified k-fold cross-validation: each labelled node is scored by a probe that was not trained on it. The probe
 * is the one of `classifyNodes`.
 */

import { Rng } from "../../core/rng.js";
import type { Rows } from "../../numeric/rows.js";
import { STRENGTHS } from "../classification/choose-strength.js";
import { fitLogisticProbe, targetsOf } from "../classification/probe.js";
import { ROW_KINDS, type RowKind, selectRows } from "../classification/standardize.js";
import type { LabelledNodes } from "../labels/labelled-nodes.js";
import { drawFolds } from "../labels/node-split.js";
import { rankCandidates } from "./expected-score.js";

/** Labelled nodes and their folds. */
export interface FoldedNodes {
  readonly nodes: LabelledNodes;
  /** `[repeat][fold]`: indices into the list of labelled nodes. */
  readonly folds: readonly (readonly Int32Array[])[];
}

/** A predictor that cross-validation may choose, and its logits for nodes that it was not trained on. */
export interface Candidate {
  /** Undefined for predictors that use no vectors. */
  readonly rows?: RowKind;
  /** C of the logistic regression; undefined for other predictors. */
  readonly strength?: number;
  /** One array per repeat, labelled nodes × labels. */
  readonly logits: readonly Float64Array[];
  readonly converged: boolean;
}

/** Computes logits of test nodes from the labels of training nodes; both are indices into the list of labelled nodes. */
export type FoldPredictor = (train: Int32Array, test: Int32Array) => { logits: Float64Array; converged: boolean };

export function foldNodes(nodes: LabelledNodes, numFolds: number, repeats: number, seed: number): FoldedNodes {
  const count = Math.min(numFolds, nodes.ids.length);
  const folds = Array.from({ length: repeats }, (_, repeat) => drawFolds(nodes, count, new Rng(seed, "folds", repeat)));
  return { nodes, folds };
}

/** Logits of every labelled node by a predictor trained on the other folds. */
export function crossValidate({ nodes, folds }: FoldedNodes, predict: FoldPredictor): Candidate {
  const numLabels = nodes.names.length;
  const n = nodes.ids.length;
  let converged = true;
  const logits = folds.map((parts) => {
    const all = new Float64Array(n * numLabels);
    for (const test of parts) {
      const isTest = new Uint8Array(n);
      for (const place of test) isTest[place] = 1;
      const train = Int32Array.from({ length: n }, (_, place) => place).filter((place) => isTest[place] === 0);
      const found = predict(train, test);
      converged &&= found.converged;
      test.forEach((place, i) => {
        all.set(found.logits.subarray(i * numLabels, (i + 1) * numLabels), place * numLabels);
      });
    }
    return all;
  });
  return { logits, converged };
}

/** After this many values of C in a row that do not improve on the best score, larger values are not tried. */
const MAX_WORSE = 2;
/** The same for baselines; smaller, because their rows may be wide and their fits slow. */
export const MAX_WORSE_OF_BASELINES = 1;

/** Rows of the labelled nodes, of one kind or of both. */
export type RowsByKind = Readonly<Partial<Record<RowKind, Rows>>>;

/** Cross-validates the logistic probe on raw and on standardised rows, with increasing C until the score falls. */
export function probeCandidates(
  folded: FoldedNodes,
  rows: RowsByKind,
  onFit: () => void = () => {},
  maxWorse = MAX_WORSE,
): Candidate[] {
  const { nodes } = folded;
  return ROW_KINDS.flatMap((kind) => {
    const kindRows = rows[kind];
    if (kindRows === undefined) return [];
    const tried: Candidate[] = [];
    let best = { score: -1, at: 0 };
    for (const [at, strength] of STRENGTHS.entries()) {
      const candidate = crossValidate(folded, (train, test) => {
        const probe = fitLogisticProbe(selectRows(kindRows, train), targetsOf(nodes, train), strength);
        onFit();
        return { logits: probe.score(selectRows(kindRows, test)), converged: probe.converged };
      });
      tried.push({ ...candidate, rows: kind, strength });
      const { score } = rankCandidates(nodes, [tried[at]]);
      if (score > best.score) best = { score, at };
      else if (at - best.at >= maxWorse) break;
    }
    return tried;
  });
}

/** Maximum number of calls of `onFit` in one call of `probeCandidates`. */
export function maxFits({ folds }: FoldedNodes): number {
  return ROW_KINDS.length * STRENGTHS.length * folds.reduce((sum, parts) => sum + parts.length, 0);
}
