/** Diagnostics of a run in words. */

import type { Diagnostics, RunRecord, SpectralRecovery, VectorDiagnostics, WeightMovement } from "../core/record.js";
import { firstNames } from "../core/text.js";
import { formatCount, plural } from "./format.js";

// The thresholds of this file are not tuned.

/** Vectors whose effective rank is below this have collapsed, if they could have MIN_POSSIBLE_RANK or more. */
const COLLAPSED_RANK = 2;
const MIN_POSSIBLE_RANK = 8;
/** Mean cosine to the mean vector above which all vectors point in nearly the same direction. */
const ALIKE_COSINE = 0.9;
/** Relation weights that changed by less than this multiple of an equal share have not learnt anything. */
const MIN_MOVEMENT = 0.02;
/** R² below which the vectors have lost a relation. */
const LOST_R2 = 0.1;
/** Training has diverged if the loss of the kept epoch is more than this many times the loss of the first epoch. */
const DIVERGED_RATIO = 2;

/** Number of vectors and their width. */
export interface Size {
  readonly dim: number;
  readonly nodes: number;
}

/** Largest possible rank: few vectors have few directions, however wide they are. */
const possibleRank = ({ dim, nodes }: Size): number => Math.min(dim, nodes);

/** Whether the vectors lie almost on a line although they could use more directions. */
export function isCollapsed({ effectiveRank }: VectorDiagnostics, size: Size): boolean {
  return possibleRank(size) >= MIN_POSSIBLE_RANK && effectiveRank < COLLAPSED_RANK;
}

/** Whether all vectors point in nearly the same direction, so that the mean vector hides their differences. */
export function pointsOneWay({ meanCosineToMean }: VectorDiagnostics): boolean {
  return meanCosineToMean > ALIKE_COSINE;
}

/** A clause if the training diverged; undefined if it did not. */
export function divergenceInWords({ losses, bestEpoch }: Pick<RunRecord, "losses" | "bestEpoch">): string | undefined {
  const [first, kept] = [losses.at(0), losses.at(bestEpoch - 1)];
  if (first === undefined || kept === undefined || kept <= DIVERGED_RATIO * Math.abs(first)) return undefined;
  return `the loss rose from ${first.toPrecision(3)} to ${kept.toPrecision(3)}: the training has DIVERGED and its vectors are useless`;
}

/** The columns of each group: `edges 1–48, spectral 49–56`. */
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

/** The effective rank of the vectors, and warnings if they are collapsed, constant or alike. */
export function diagnosisInWords(diagnostics: VectorDiagnostics, size: Size): string {
  const { effectiveRank, deadUnits, meanCosineToMean } = diagnostics;
  const rank = `effective rank ${effectiveRank.toFixed(1)} of ${formatCount(possibleRank(size))}`;
  const dead =
    deadUnits > 0
      ? `; ${formatCount(deadUnits)} of ${plural(size.dim, "column")} ${deadUnits === 1 ? "is" : "are"} the same for every node`
      : "";
  if (isCollapsed(diagnostics, size)) {
    return `${rank}${dead}: the vectors have COLLAPSED almost to a line, so they hardly distinguish the nodes`;
  }
  const alike = pointsOneWay(diagnostics)
    ? `; all vectors point in nearly the same direction (mean cosine ${meanCosineToMean.toFixed(2)}), so subtract the mean vector before you compare them`
    : "";
  return `${rank}${dead}${alike}`;
}

/** How much the weights of the relations changed in training. */
export function movementInWords({ name, max, mean }: WeightMovement): string {
  const percent = (share: number) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
  if (max < MIN_MOVEMENT) {
    return `the ${name} weights hardly changed in training (by at most ${percent(max)} of an equal share), so they do not rank the relations`;
  }
  return `the ${name} weights changed by ${percent(mean)} of an equal share on average, by ${percent(max)} at most`;
}

/** How well the vectors predict the leading direction of each relation; undefined if no R² is known. */
export function recoveryInWords({ relations, note }: SpectralRecovery): string | undefined {
  if (note !== undefined) return `leading directions of the relations: ${note}`;
  const known = relations.flatMap(({ relation, r2 }) => (r2 === null ? [] : [{ relation, r2 }]));
  if (known.length === 0) return undefined;
  const mean = known.reduce((sum, { r2 }) => sum + r2, 0) / known.length;
  const lowest = known.reduce((a, b) => (b.r2 < a.r2 ? b : a));
  if (known.length === 1) {
    const direction =
      relations.length === 1 ? "the relation's leading direction" : `the leading direction of "${lowest.relation}"`;
    return `the vectors predict ${direction} with R² ${mean.toFixed(2)}`;
  }
  const lost = known.filter(({ r2 }) => r2 < LOST_R2);
  const predict = "the vectors predict the relations' leading directions with R²";
  if (mean.toFixed(2) === lowest.r2.toFixed(2) && lost.length === 0) return `${predict} ${mean.toFixed(2)} each`;
  const words = `${predict} ${mean.toFixed(2)} on average`;
  if (lost.length === 0) return `${words}; lowest for "${lowest.relation}" (${lowest.r2.toFixed(2)})`;
  if (lost.length === known.length) return `${words}: almost nothing of any relation is left in the vectors`;
  const names = lost.map(({ relation }) => `"${relation}"`);
  return `${words}; almost nothing is left of ${firstNames(names, 3)}`;
}

/** All diagnostics, one sentence each. */
export function allInWords(diagnostics: Diagnostics, size: Size): string[] {
  const recovery = recoveryInWords(diagnostics.spectralRecovery);
  return [
    `Vectors: ${diagnosisInWords(diagnostics, size)}.`,
    `Mean cosine between a vector and the mean vector: ${diagnostics.meanCosineToMean.toFixed(3)}.`,
    ...diagnostics.weightMovement.map((movement) => `${capitalized(movementInWords(movement))}.`),
    ...(recovery === undefined ? [] : [`${capitalized(recovery)}.`]),
  ];
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
