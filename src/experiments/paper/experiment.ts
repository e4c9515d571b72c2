/** What an experiment of `hmge reproduce` is, and what it gives. */

import type { Table } from "../../report/table.js";
import type { CellRunner } from "../cells/cell-runner.js";
import type { ModelVariant } from "../cells/train-cell.js";
import type { GraphCase } from "../graphs/graph-case.js";
import type { Scale } from "./scale.js";

export interface ExperimentContext {
  readonly runner: CellRunner;
  readonly scale: Scale;
  /** `hmge`, or with a preset, and with the settings of the scale. */
  readonly variant: (label: string, settings?: Readonly<Record<string, string>>) => ModelVariant;
  /** The graphs of `--data` that are not too large for the scale. */
  readonly data: readonly GraphCase[];
  /** What to say about `--data`: that it was not given, or which graphs were left out. */
  readonly dataNote: string | undefined;
}

export interface Experiment {
  readonly name: string;
  readonly title: string;
  /** For the help. */
  readonly doc: string;
  readonly run: (context: ExperimentContext) => Promise<ExperimentResult>;
}

export interface ExperimentResult {
  /** The numbers to remember, for the top of a page. */
  readonly headline?: readonly { readonly value: string; readonly name: string }[];
  /** What was done, in paragraphs. */
  readonly method: readonly string[];
  readonly tables: readonly { readonly caption: string; readonly table: Table }[];
  readonly figure: { readonly svg: string; readonly caption: string };
  /** Where our numbers differ from the published ones, by how much, and why we think so. */
  readonly differences: readonly string[];
  readonly warnings?: readonly string[];
  /** Everything measured, for the record. */
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
