/** Fits a probe to the training nodes of one split and scores it on the test and the validation nodes. */

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
  /** Scores on the test nodes, one entry per decision. */
  readonly scores: readonly F1Scores[];
  /** Macro-F1 on validation nodes of a probe that was not trained on them; null if there are too few nodes. */
  readonly validation: number | null;
  readonly strength: number;
  /** False if C should have been chosen by validation but there were too few nodes. */
  readonly validated: boolean;
  readonly converged: boolean;
}

export interface FitRequest {
  readonly protocol: Protocol;
  readonly strength: number | "validate";
  readonly seed: number;
  readonly repeat: number;
}

/** The random numbers that choose which training nodes are held out for validation. */
export function heldOutRng(seed: number, repeat: number): Rng {
  return new Rng(seed, "held out", repeat);
}

/** Fits a probe to the training nodes and scores it on the test nodes; `rows` are the vectors of the labelled nodes. */
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
