/** Mean and deviation: over seeds, or over repeats and embeddings, kept apart as they answer different questions. */

import { mean } from "../../numeric/rows.js";

/** Mean and standard deviation. */
export interface MeanDeviation {
  readonly mean: number;
  /** With n − 1; null of one value. */
  readonly deviation: number | null;
  readonly values: readonly number[];
}

export function meanDeviation(values: readonly number[]): MeanDeviation {
  const middle = mean(values);
  if (values.length < 2) return { mean: middle, deviation: null, values };
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  return { mean: middle, deviation: Math.sqrt(squares / (values.length - 1)), values };
}

/** A score over repeats and embeddings, and how much it varies. */
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
  const rows = values.map(meanDeviation);
  const within = rows.flatMap(({ deviation }) => deviation ?? []);
  return {
    mean: mean(values.flat()),
    overRepeats: within.length === 0 ? null : mean(within),
    overEmbeddings: meanDeviation(rows.map((row) => row.mean)).deviation,
    values,
  };
}
