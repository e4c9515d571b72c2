/** Chooses C of a logistic probe by validation: the value with the best macro-F1, of equal ones the smallest. */

import type { Rng } from "../../core/rng.js";
import type { Rows } from "../../numeric/rows.js";
import { type LabelledNodes, selectNodes } from "../labels/labelled-nodes.js";
import { type NodeSplit, trySplit } from "../labels/node-split.js";
import { decisionsFor, fitLogisticProbe, scoreDecision, targetsOf } from "./probe.js";
import { selectRows } from "./standardize.js";

/** Values of C that are tried. */
export const STRENGTHS: readonly number[] = [0.001, 0.01, 0.1, 1, 10, 100, 1000];

/** C if validation is impossible. */
const FALLBACK = 1;
/** Share of the training nodes that are held out for validation if the split has no validation part. */
const HELD_OUT = 0.2;
/** With fewer training nodes none is held out. */
export const MIN_TO_HOLD_OUT = 10;

/**
 * The nodes that choose C: a probe is trained on `train` and scored on `validation`. The validation nodes are those of the
 * split or, if it has none, are held out from its training nodes; undefined if there are too few of them.
 */
export function validationParts(
  nodes: LabelledNodes,
  split: NodeSplit,
  rng: Rng,
): Pick<NodeSplit, "train" | "validation"> | undefined {
  const { train, validation } = split;
  if (validation.length > 0) return split;
  if (train.length < MIN_TO_HOLD_OUT) return undefined;
  const inner = trySplit(selectNodes(nodes, train), { train: 1 - HELD_OUT, stratify: true }, rng);
  // if every class has one or two training nodes, none is held out
  if (inner.test.length === 0) return undefined;
  return { train: inner.train.map((place) => train[place]), validation: inner.test.map((place) => train[place]) };
}

/** The chosen C and its validation score. */
export interface ChosenStrength {
  readonly strength: number;
  /** Macro-F1 on the validation nodes; null if there are too few training nodes to hold some out. */
  readonly validation: number | null;
}

/** Chooses one of `strengths` by validation; `rows` are the vectors of the labelled nodes. */
export function chooseStrength(
  nodes: LabelledNodes,
  rows: Rows,
  split: NodeSplit,
  rng: Rng,
  strengths: readonly number[] = STRENGTHS,
): ChosenStrength {
  const parts = validationParts(nodes, split, rng);
  if (parts === undefined) return { strength: strengths.length === 1 ? strengths[0] : FALLBACK, validation: null };
  const { train, validation } = parts;
  const trainRows = selectRows(rows, train);
  const validationRows = selectRows(rows, validation);
  const trainTargets = targetsOf(nodes, train);
  const truth = targetsOf(nodes, validation);
  const [decision] = decisionsFor(nodes.multiLabel);
  let best = { strength: FALLBACK, validation: -1 };
  for (const strength of strengths) {
    const logits = fitLogisticProbe(trainRows, trainTargets, strength).score(validationRows);
    const { macroF1 } = scoreDecision(logits, truth, decision);
    if (macroF1 > best.validation) best = { strength, validation: macroF1 };
  }
  return best;
}
