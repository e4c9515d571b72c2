/** Chooses raw or standardised vectors by the macro-F1 of probes on validation nodes; test nodes are not used. */

import { mean } from "../../numeric/rows.js";
import type { F1Scores } from "../metrics/classification-metrics.js";
import { type RepeatedScore, summarizeRepeats } from "../metrics/mean-deviation.js";
import type { Fit } from "./fit-and-score.js";
import { type Decision, decisionsFor } from "./probe.js";
import { ROW_KINDS, type RowKind } from "./standardize.js";

/** Test scores if each split uses the kind of vectors with the better score on its validation nodes. */
export interface ChosenScalingRow {
  readonly decision: Decision;
  readonly macroF1: RepeatedScore;
  readonly microF1: RepeatedScore;
  readonly accuracy: RepeatedScore;
}

/** The kind of vectors with the better validation score. */
export interface ChosenScaling {
  /** The kind with the higher mean validation score; raw if they are equal. */
  readonly rows: RowKind;
  /** Mean macro-F1 on the validation nodes. */
  readonly validation: Readonly<Record<RowKind, number>>;
  /** Number of splits in which each kind has the better validation score. */
  readonly splits: Readonly<Record<RowKind, number>>;
  readonly results: readonly ChosenScalingRow[];
}

/** Chooses by `fits[embedding][kind][repeat]`, kinds in the order of ROW_KINDS; null if a fit has no validation score. */
export function chooseScaling(
  multiLabel: boolean,
  fits: readonly (readonly (readonly Fit[])[])[],
): ChosenScaling | null {
  const scores = ROW_KINDS.map((_, k) => fits.flatMap((kinds) => kinds[k].map(({ validation }) => validation)));
  if (scores.some((values) => values.some((value) => value === null))) return null;
  const [standardised, raw] = scores.map((values) => mean(values.map(Number)));
  const chosen = fits.map(([first, second]) =>
    first.map((fit, repeat) => (Number(fit.validation) > Number(second[repeat].validation) ? fit : second[repeat])),
  );
  const numStandardised = fits.reduce(
    (sum, [first], e) => sum + first.filter((fit, repeat) => chosen[e][repeat] === fit).length,
    0,
  );
  return {
    rows: standardised > raw ? "standardised" : "raw",
    validation: { standardised, raw },
    splits: { standardised: numStandardised, raw: chosen.flat().length - numStandardised },
    results: decisionsFor(multiLabel).map((decision, d) => {
      const over = (metric: keyof F1Scores) =>
        summarizeRepeats(chosen.map((repeats) => repeats.map(({ scores: found }) => found[d][metric])));
      return { decision, macroF1: over("macroF1"), microF1: over("microF1"), accuracy: over("accuracy") };
    }),
  };
}
