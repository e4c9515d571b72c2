/** The rows of a comparison, computed from its cells, and their table. */

import { InternalError } from "../../core/errors.js";
import type { TrainingFacts } from "../../experiments/cells/train-cell.js";
import { percent } from "../../experiments/tables/percent.js";
import { largestOf } from "../../numeric/extremes.js";
import { formatBytes, formatSeconds } from "../../report/format.js";
import type { Table, TableCell } from "../../report/table.js";
import { type MeanDeviation, meanDeviation } from "../../tasks/metrics/mean-deviation.js";

/** Scores of one seed, by metric. */
export type Scores = Readonly<Record<string, number>>;

export interface SeedResult {
  readonly seed: number;
  readonly scores: Scores;
  readonly training?: TrainingFacts;
}

/** Whether a model that can learn from labels was given some. */
export type Supervision = "semi-supervised" | "without labels";

export interface TaskResult {
  readonly task: string;
  /** Name of the model as the user wrote it, or of a baseline. */
  readonly name: string;
  readonly baseline: boolean;
  /** Subject and verb of a sentence about a baseline, such as "The features alone score"; default: its name. */
  readonly subject?: string;
  /** Only for models that can learn from labels. */
  readonly supervision?: Supervision;
  readonly results: readonly SeedResult[];
}

export interface CompareRow {
  readonly name: string;
  readonly baseline: boolean;
  /** By task; only for models that can learn from labels. */
  readonly supervision: Readonly<Record<string, Supervision>>;
  /** By task and metric. */
  readonly scores: Readonly<Record<string, Readonly<Record<string, MeanDeviation>>>>;
  /** Means of one training over seeds and tasks; null for baselines. */
  readonly training: {
    readonly seconds: MeanDeviation;
    readonly epochs: MeanDeviation;
    readonly engineBytes: number;
    readonly peakBytes: number;
    readonly effectiveRank: MeanDeviation;
  } | null;
}

/** Columns of the table, by task. */
const TASK_COLUMNS = {
  classify: {
    validatedMacroF1: "macro-F1",
    validatedMicroF1: "micro-F1",
    validatedTopKMacroF1: "macro-F1, top k",
    validatedTopKMicroF1: "micro-F1, top k",
  },
  links: {
    auc: "AUC",
    averagePrecision: "AP",
    cosineAuc: "AUC, cosine",
    decoderAuc: "AUC, decoder",
    pooledAuc: "pooled AUC",
    pooledDecoderAuc: "pooled AUC, decoder",
  },
} as const;

export type TaskName = keyof typeof TASK_COLUMNS;
export const TASK_NAMES = Object.keys(TASK_COLUMNS) as TaskName[];

/** The metric of classification with this title in the table. */
export function classifyMetric(title: string): string {
  const found = Object.entries(TASK_COLUMNS.classify).find(([, shown]) => shown === title);
  if (found === undefined) throw new InternalError(`the table has no column "${title}"`);
  return found[0];
}

/** One row for each model or baseline, models first. */
export function compareRows(all: readonly TaskResult[]): CompareRow[] {
  const names = [...new Set(all.map(({ name }) => name))];
  return names
    .map((name): CompareRow => {
      const ofMethod = all.filter((result) => result.name === name);
      const trainings = ofMethod.flatMap(({ results }) => results.flatMap(({ training }) => training ?? []));
      const scores = ofMethod.map(({ task, results }) => {
        const metrics = Object.keys(results[0].scores).map((metric) => {
          return [metric, meanDeviation(results.map((result) => result.scores[metric]))] as const;
        });
        return [task, Object.fromEntries(metrics)] as const;
      });
      return {
        name,
        baseline: ofMethod[0].baseline,
        supervision: Object.fromEntries(
          ofMethod.flatMap(({ task, supervision }) => (supervision === undefined ? [] : [[task, supervision]])),
        ),
        scores: Object.fromEntries(scores),
        training: trainings.length === 0 ? null : summarize(trainings),
      };
    })
    .sort((a, b) => Number(a.baseline) - Number(b.baseline));
}

function summarize(trainings: readonly TrainingFacts[]): CompareRow["training"] {
  return {
    seconds: meanDeviation(trainings.map(({ seconds }) => seconds)),
    epochs: meanDeviation(trainings.map(({ epochs }) => epochs)),
    engineBytes: largestOf(trainings.map(({ engineBytes }) => engineBytes)),
    peakBytes: largestOf(trainings.map(({ peakBytes }) => peakBytes)),
    effectiveRank: meanDeviation(trainings.map(({ effectiveRank }) => effectiveRank)),
  };
}

/** The name, with a remark if the model can learn from labels. */
function shownName({ name, supervision }: CompareRow, tasks: readonly TaskName[]): string {
  const found = tasks.flatMap((task) => supervision[task] ?? []);
  if (found.length === 0) return name;
  return `${name}, ${found.includes("semi-supervised") ? "semi-supervised" : "without labels"}`;
}

/** The table of these tasks with scores in per cent, without metrics that no row has. */
export function compareTable(rows: readonly CompareRow[], tasks: readonly TaskName[]): Table {
  const columns = tasks.flatMap((task) =>
    Object.entries(TASK_COLUMNS[task])
      .filter(([metric]) => rows.some(({ scores }) => scores[task]?.[metric] !== undefined))
      .map(([metric, title]) => ({ task, metric, title: tasks.length === 1 ? title : `${task} ${title}` })),
  );
  return {
    header: ["model", ...columns.map(({ title }) => title), "epochs", "time", "engine memory", "peak memory"],
    rows: rows
      .filter(({ scores }) => tasks.some((task) => scores[task] !== undefined))
      .map((row) => ({ ...row, shown: shownName(row, tasks) }))
      .map(({ shown, scores, training }) => [
        shown,
        ...columns.map(({ task, metric }): TableCell => {
          const score = scores[task]?.[metric];
          return score === undefined ? "" : percent(score);
        }),
        training === null ? "" : training.epochs.mean.toFixed(0),
        training === null ? "" : formatSeconds(training.seconds.mean),
        training === null ? "" : formatBytes(training.engineBytes),
        training === null ? "" : formatBytes(training.peakBytes),
      ]),
  };
}
