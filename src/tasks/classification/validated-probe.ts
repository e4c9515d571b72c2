/** Scores of probes whose settings validation chooses for each split (choose-probe.ts). */

import { Rng } from "../../core/rng.js";
import type { LabelledNodes } from "../labels/labelled-nodes.js";
import type { NodeSplit } from "../labels/node-split.js";
import type { F1Scores } from "../metrics/classification-metrics.js";
import { type RepeatedScore, summarizeRepeats } from "../metrics/mean-deviation.js";
import { chooseProbe, type ProbeChoice, type ProbeGrid } from "./choose-probe.js";
import { type Decision, decisionsFor, ProbePath, scoreDecision, targetsOf } from "./probe.js";
import type { ProbeRows } from "./probe-rows.js";

/** Relative size of the gradient at which the final fit ends. */
const TOLERANCE = 1e-5;

/** Test scores for one decision rule. */
export interface ValidatedRow {
  readonly decision: Decision;
  readonly macroF1: RepeatedScore;
  readonly microF1: RepeatedScore;
  readonly accuracy: RepeatedScore;
  /** The chosen settings, `[embedding][repeat]`. */
  readonly choices: readonly (readonly ProbeChoice[])[];
}

/** Test scores of probes whose settings validation chose among these. */
export interface ValidatedProbe {
  readonly scaling: ProbeGrid["scaling"];
  readonly prefix: ProbeGrid["prefix"];
  readonly results: readonly ValidatedRow[];
}

/** One split: for each decision the chosen settings and the test scores of the probe refitted to all training nodes. */
export interface ValidatedFit {
  readonly choices: readonly ProbeChoice[];
  readonly scores: readonly F1Scores[];
  readonly converged: boolean;
  readonly validated: boolean;
}

/** Fits of all splits. */
export function fitAllValidated(
  nodes: LabelledNodes,
  rows: ProbeRows,
  splits: readonly NodeSplit[],
  grid: ProbeGrid,
  seed: number,
  onFit: (fit: ValidatedFit) => void,
): ValidatedFit[] {
  return splits.map((split, repeat) => {
    const fit = fitValidated(nodes, rows, split, grid, new Rng(seed, "validation folds", repeat));
    onFit(fit);
    return fit;
  });
}

function fitValidated(
  nodes: LabelledNodes,
  rows: ProbeRows,
  split: NodeSplit,
  grid: ProbeGrid,
  rng: Rng,
): ValidatedFit {
  const choices = chooseProbe(nodes, rows, split, grid, rng);
  const truth = targetsOf(nodes, split.test);
  const fits = choices.map((choice) => {
    const path = new ProbePath(rows.select(split.train, choice), targetsOf(nodes, split.train));
    const probe = path.fit(choice.strength, TOLERANCE);
    return { logits: probe.score(rows.select(split.test, choice)), converged: probe.converged };
  });
  return {
    choices,
    scores: decisionsFor(nodes.multiLabel).map((decision, d) => scoreDecision(fits[d].logits, truth, decision)),
    converged: fits.every(({ converged }) => converged),
    validated: choices.every(({ validation }) => validation !== null),
  };
}

/** Mean test scores of `fits[embedding][repeat]`. */
export function summarizeValidated(
  multiLabel: boolean,
  { scaling, prefix }: ProbeGrid,
  fits: readonly (readonly ValidatedFit[])[],
): ValidatedProbe {
  return {
    scaling,
    prefix,
    results: decisionsFor(multiLabel).map((decision, d) => {
      const over = (metric: keyof F1Scores) =>
        summarizeRepeats(fits.map((repeats) => repeats.map(({ scores }) => scores[d][metric])));
      return {
        decision,
        macroF1: over("macroF1"),
        microF1: over("microF1"),
        accuracy: over("accuracy"),
        choices: fits.map((repeats) => repeats.map(({ choices }) => choices[d])),
      };
    }),
  };
}
