/** Mean and deviation over repeats and over embeddings, kept apart: they answer different questions. */

export interface Spread {
  /** Over all values. */
  readonly mean: number;
  /** Sample deviation over the repeats of one embedding, averaged over the embeddings; null with one repeat. */
  readonly overRepeats: number | null;
  /** Sample deviation over the embeddings, of their means; null with one embedding. */
  readonly overEmbeddings: number | null;
  /** One row an embedding, one number a repeat. */
  readonly values: readonly (readonly number[])[];
}

/** Summary of `values[embedding][repeat]`. */
export function spread(values: readonly (readonly number[])[]): Spread {
  const means = values.map(mean);
  const within = values.filter((row) => row.length > 1).map(deviation);
  return {
    mean: mean(values.flat()),
    overRepeats: within.length === 0 ? null : mean(within),
    overEmbeddings: means.length > 1 ? deviation(means) : null,
    values,
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** With n − 1. */
function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1));
}
