/** One sentence if a baseline has a higher score than a trained model. */

export interface ScoredModel {
  readonly name: string;
  readonly score: number;
  /** How the score was computed, if models have several scores, such as "decoder". */
  readonly by?: string;
}

export interface ScoredBaseline extends ScoredModel {
  /** Subject and verb of the sentence, such as "The features alone score". Default: The baseline "NAME" scores. */
  readonly subject?: string;
}

/**
 * The best baseline and all models below it, such as "The features alone score higher: macro-F1 90.1 (multiview 74.8)."
 * Undefined if no model is below it when both are rounded by `format`.
 */
export function baselineLine(
  models: readonly ScoredModel[],
  baselines: readonly ScoredBaseline[],
  metric: string,
  format: (score: number) => string,
): string | undefined {
  const [best] = [...baselines].sort((a, b) => b.score - a.score);
  if (best === undefined) return undefined;
  const beaten = models.filter(({ score }) => Number(format(score)) < Number(format(best.score)));
  if (beaten.length === 0) return undefined;
  const scores = beaten
    .map(({ name, score, by }) => `${name} ${format(score)}${by === undefined ? "" : ` by ${by}`}`)
    .join(", ");
  return `${best.subject ?? `The baseline "${best.name}" scores`} higher: ${metric} ${format(best.score)} (${scores}).`;
}
