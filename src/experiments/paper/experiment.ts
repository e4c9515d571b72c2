/** The interface of an experiment of `hmge reproduce`. */

import type { Table } from "../../report/table.js";
import type { CellRunner } from "../cells/cell-runner.js";
import type { ModelVariant } from "../cells/train-cell.js";
import type { GraphCase } from "../graphs/graph-case.js";
import type { Scale } from "./scale.js";

export interface ExperimentContext {
  readonly runner: CellRunner;
  readonly scale: Scale;
  /** The model of that label (`hmge`, or `hmge:reference` with a preset) with the settings of the scale. */
  readonly variant: (label: string, settings?: Readonly<Record<string, string>>) => ModelVariant;
  /** The graphs of `--data` that are not too large for the scale. */
  readonly data: readonly GraphCase[];
  /** A note for the reader: `--data` is missing, or some of its graphs are too large. */
  readonly dataNote: string | undefined;
}

export interface Experiment {
  readonly name: string;
  readonly title: string;
  /** One line for the help. */
  readonly doc: string;
  readonly run: (context: ExperimentContext) => Promise<ExperimentResult>;
}

export interface ExperimentResult {
  /** The most important numbers, for the top of a page. */
  readonly headline?: readonly { readonly value: string; readonly name: string }[];
  /** How it was measured, in paragraphs. */
  readonly method: readonly string[];
  readonly tables: readonly { readonly caption: string; readonly table: Table }[];
  readonly figure: { readonly svg: string; readonly caption: string };
  /** Differences from the published numbers, with the likely reasons. */
  readonly differences: readonly string[];
  readonly warnings?: readonly string[];
  /** All measured numbers, for the record. */
  readonly numbers: unknown;
}

/** `3.2 points above`. */
export function pointsApart(ours: number, published: number): string {
  const points = 100 * (ours - published);
  const size = Math.abs(points).toFixed(1);
  return size === "0.0" ? "the same" : `${size} points ${points > 0 ? "above" : "below"}`;
}

/** In per cent with one digit. */
export function inPercent(value: number): string {
  return (100 * value).toFixed(1);
}
