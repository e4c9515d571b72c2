/** Diagnostics of a run in words. */

import { firstNames } from "../core/first-names.js";
import type { Diagnostics, RunRecord, SpectralRecovery, VectorDiagnostics, WeightMovement } from "../core/record.js";
import { plural } from "./format.js";

/** Fewer directions than this where there is room for so many are a collapse. */
const COLLAPSED_RANK = 2;
const COLLAPSED_ROOM = 8;
/** Mean cosine to the mean vector above which all point much the same way. */
const ALIKE = 0.9;
/** Changes below this multiple of an equal share are no learning to speak of. */
const UNMOVED = 0.02;
/** R² below which a relation is all but lost. */
const LOST = 0.1;

/** How many vectors there are, and how wide they are. */
export interface Size {
  readonly dim: number;
  readonly nodes: number;
}

/** Few vectors have few directions, however wide they are. */
const room = ({ dim, nodes }: Size): number => Math.min(dim, nodes);

/** Whether the vectors lie on little more than a line, although there is room for more. */
export function isCollapsed({ effectiveRank }: VectorDiagnostics, size: Size): boolean {
  return room(size) >= COLLAPSED_ROOM && effectiveRank < COLLAPSED_RANK;
}

/** Whether what they share hides what tells them apart. */
export function pointsOneWay({ meanCosineToMean }: VectorDiagnostics): boolean {
  return meanCosineToMean > ALIKE;
}

/** A loss of the vectors that is so many times that of the first epoch was not learnt. */
const DIVERGED = 2;

/** How the training went astray, or undefined. */
export function divergenceInWords({ losses, bestEpoch }: Pick<RunRecord, "losses" | "bestEpoch">): string | undefined {
  const [first, kept] = [losses.at(0), losses.at(bestEpoch - 1)];
  if (first === undefined || kept === undefined || kept <= DIVERGED * Math.abs(first)) return undefined;
  return `the loss rose from ${first.toPrecision(3)} to ${kept.toPrecision(3)}: the training has DIVERGED`;
}

/** What the columns hold: `edges 1–48, spectral 49–56`. */
export function viewsInWords(views: RunRecord["views"]): string {
  let at = 0;
  return views
    .map(({ name, width }) => {
      const first = at + 1;
      at += width;
      return `${name} ${width === 1 ? first : `${first}–${at}`}`;
    })
    .join(", ");
}

/** The room the vectors use, and what to mind. */
export function diagnosisInWords(diagnostics: VectorDiagnostics, size: Size): string {
  const { effectiveRank, deadUnits, meanCosineToMean } = diagnostics;
  const rank = `they use ${effectiveRank.toFixed(1)} of ${plural(room(size), "direction")}`;
  const dead = deadUnits > 0 ? `, ${plural(deadUnits, "number")} of ${size.dim} the same for every node` : "";
  if (isCollapsed(diagnostics, size)) {
    return `${rank}${dead}: the vectors have COLLAPSED to little more than a line`;
  }
  const alike = pointsOneWay(diagnostics)
    ? `; all point much the same way (mean cosine ${meanCosineToMean.toFixed(2)}), so centre them before comparing`
    : "";
  return `${rank}${dead}${alike}`;
}

/** How far weights of the relations moved. */
export function movementInWords({ name, max, mean }: WeightMovement): string {
  const percent = (share: number) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
  if (max < UNMOVED) {
    return `the ${name} weights are where they began (moved by at most ${percent(max)} of an equal share)`;
  }
  return `the ${name} weights moved by ${percent(mean)} of an equal share on average, ${percent(max)} at most`;
}

/** What is left of the relations in the vectors, called `subject`; undefined when nothing is known. */
export function recoveryInWords({ relations, note }: SpectralRecovery, subject = "they"): string | undefined {
  if (note !== undefined) return `leading directions of the relations: ${note}`;
  const known = relations.flatMap(({ relation, r2 }) => (r2 === null ? [] : [{ relation, r2 }]));
  if (known.length === 0) return undefined;
  const mean = known.reduce((sum, { r2 }) => sum + r2, 0) / known.length;
  const least = known.reduce((a, b) => (b.r2 < a.r2 ? b : a));
  if (known.length === 1) return `${subject} hold R² ${mean.toFixed(2)} of the relation's leading direction`;
  const lost = known.filter(({ r2 }) => r2 < LOST);
  const words = `${subject} hold R² ${mean.toFixed(2)} of the relations' leading directions on average`;
  if (lost.length === 0) return `${words}, least of "${least.relation}" (${least.r2.toFixed(2)})`;
  if (lost.length === known.length) return `${words}: next to nothing of any relation`;
  const names = lost.map(({ relation }) => `"${relation}"`);
  return `${words}, next to nothing of ${firstNames(names, 3)}`;
}

/** Every diagnostic, a sentence each. */
export function allInWords(diagnostics: Diagnostics, size: Size): string[] {
  const recovery = recoveryInWords(diagnostics.spectralRecovery, "the vectors");
  return [
    `The vectors: ${diagnosisInWords(diagnostics, size)}.`,
    `Mean cosine between a vector and the mean vector: ${diagnostics.meanCosineToMean.toFixed(3)}.`,
    ...diagnostics.weightMovement.map((movement) => `${capitalized(movementInWords(movement))}.`),
    ...(recovery === undefined ? [] : [`${capitalized(recovery)}.`]),
  ];
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
