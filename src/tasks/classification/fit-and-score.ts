/** One fit of a probe: on the training nodes of a split, scored on its test nodes and on nodes that validate. */

import { Rng } from "../../core/rng.js";
import type { Rows } from "../../numeric/rows.js";
import type { LabelledNodes } from "../labels/labelled-nodes.js";
import type { NodeSplit } from "../labels/node-split.js";
import type { F1Scores } from "../metrics/classification-metrics.js";
import { fitAdamProbe } from "./adam-probe.js";
import { chooseStrength, STRENGTHS } from "./choose-strength.js";
import { decisionsFor, fitLogisticProbe, scoreDecision, targetsOf } from "./probe.js";
import { selectRows } from "./standardize.js";

/** Which classifier is fitted. */
export type Protocol = "logistic" | "paper";

export interface Fit {
  /** On the test nodes, one per decision. */
  readonly scores: readonly F1Scores[];
  /** Macro-F1 on nodes that validate, by a probe that did not learn from them; null if there are too few nodes. */
  readonly validation: number | null;
  readonly strength: number;
  /** False if C should have been validated and could not. */
  readonly validated: boolean;
  readonly converged: boolean;
}

export interface FitRequest {
  readonly protocol: Protocol;
  readonly strength: number | "validate";
  readonly seed: number;
  readonly repeat: number;
}

/** Draws the training nodes that are spared for validation. */
export function heldOutRng(seed: number, repeat: number): Rng {
  return new Rng(seed, "held out", repeat);
}

/** Fits on the training nodes, scores on the test nodes. `rows` are those of the labelled nodes. */
export function fitAndScore(nodes: LabelledNodes, rows: Rows, split: NodeSplit, request: FitRequest): Fit {
  return request.protocol === "logistic"
    ? fitLogistic(nodes, rows, split, request)
    : fitPaper(nodes, rows, split, request);
}

function fitLogistic(nodes: LabelledNodes, rows: Rows, split: NodeSplit, request: FitRequest): Fit {
  const { seed, repeat } = request;
  const strengths = request.strength === "validate" ? STRENGTHS : [request.strength];
  const { strength, validation } = chooseStrength(nodes, rows, split, heldOutRng(seed, repeat), strengths);
  const probe = fitLogisticProbe(selectRows(rows, split.train), targetsOf(nodes, split.train), strength);
  return {
    scores: testScores(nodes, probe.score(selectRows(rows, split.test)), split),
    validation,
    strength,
    validated: request.strength !== "validate" || validation !== null,
    converged: probe.converged,
  };
}

function fitPaper(nodes: LabelledNodes, rows: Rows, split: NodeSplit, { seed, repeat }: FitRequest): Fit {
  const validation = selectRows(rows, split.validation);
  const validationTargets = targetsOf(nodes, split.validation);
  const probe = fitAdamProbe(selectRows(rows, split.train), targetsOf(nodes, split.train), {
    validation,
    validationTargets,
    rng: new Rng(seed, "probe", repeat),
  });
  const [decision] = decisionsFor(nodes.multiLabel);
  return {
    scores: testScores(nodes, probe.score(selectRows(rows, split.test)), split),
    validation: scoreDecision(probe.score(validation), validationTargets, decision).macroF1,
    strength: 1,
    validated: true,
    converged: probe.converged,
  };
}

function testScores(nodes: LabelledNodes, logits: Float64Array, { test }: NodeSplit): F1Scores[] {
  const truth = targetsOf(nodes, test);
  return decisionsFor(nodes.multiLabel).map((decision) => scoreDecision(logits, truth, decision));
}
