/** C of a logistic probe by validation: the value with the best macro-F1; the smallest of equal ones. */

import type { Rng } from "../../core/rng.js";
import type { Rows } from "../../numeric/rows.js";
import { type LabelledNodes, selectNodes } from "../labels/labelled-nodes.js";
import { type NodeSplit, trySplit } from "../labels/node-split.js";
import { decisionsFor, fitLogisticProbe, scoreDecision, targetsOf } from "./probe.js";
import { selectRows } from "./standardize.js";

/** Values that are tried. */
export const STRENGTHS: readonly number[] = [0.001, 0.01, 0.1, 1, 10, 100, 1000];

/** Used where validation is impossible. */
const FALLBACK = 1;
/** Share of the training nodes that validate where the split has no validation part. */
const HELD_OUT = 0.2;
/** With fewer training nodes none is spared. */
const MIN_TO_HOLD_OUT = 10;

/**
 * The nodes that C is chosen by: a probe learns from `train` and is scored on `validation`, which the split names or which
 * are spared from its training nodes. Undefined where these are too few.
 */
export function validationParts(
  nodes: LabelledNodes,
  split: NodeSplit,
  rng: Rng,
): Pick<NodeSplit, "train" | "validation"> | undefined {
  const { train, validation } = split;
  if (validation.length > 0) return split;
  if (train.length < MIN_TO_HOLD_OUT) return undefined;
  const held = trySplit(selectNodes(nodes, train), { train: 1 - HELD_OUT, stratify: true }, rng);
  // of classes with one or two training nodes each, none is spared
  if (held.test.length === 0) return undefined;
  return { train: held.train.map((place) => train[place]), validation: held.test.map((place) => train[place]) };
}

/** The chosen C, and how it scored. */
export interface ChosenStrength {
  readonly strength: number;
  /** Macro-F1 on the validation nodes; null if there are too few training nodes to spare some. */
  readonly validation: number | null;
}

/** Chooses among `strengths` by validation; `rows` are those of the labelled nodes. */
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
