/** Regret: the score of the best rival minus the score of the own model, for each graph and measure. */

import { InternalError } from "../../core/errors.js";
import { mean } from "../../numeric/rows.js";
import type { MeanDeviation } from "../../tasks/metrics/mean-deviation.js";
import {
  type CompareRow,
  classifyMetric,
  compareRows,
  type Supervision,
  type TaskName,
  type TaskResult,
} from "./compare-table.js";

interface MeasureSpec {
  readonly name: string;
  readonly task: TaskName;
  /** Groups of metrics. The score of the own model is its best metric of the first group that it has. */
  readonly own: readonly (readonly string[])[];
  /** The same for rivals. */
  readonly rival: readonly (readonly string[])[];
}

/** The scores that `compare` shows; if nodes have several labels, a node with k true labels gets the k most probable labels. */
const MACRO_F1 = [[classifyMetric("macro-F1, top k")], [classifyMetric("macro-F1")]];

/** Links: the own model must be used as it is recommended, with its decoder; every rival gets the best of its scores. */
const MEASURES: readonly MeasureSpec[] = [
  { name: "macro-F1", task: "classify", own: MACRO_F1, rival: MACRO_F1 },
  {
    name: "pooled AUC",
    task: "links",
    own: [["pooledDecoderAuc"], ["pooledAuc", "pooledCosineAuc"]],
    rival: [["pooledDecoderAuc", "pooledAuc", "pooledCosineAuc"]],
  },
  {
    name: "mean AUC",
    task: "links",
    own: [["decoderAuc"], ["auc", "cosineAuc"]],
    rival: [["decoderAuc", "auc", "cosineAuc"]],
  },
];

export interface MethodScore extends MeanDeviation {
  readonly name: string;
  readonly baseline: boolean;
  /** Only for models that can learn from labels. */
  readonly supervision?: Supervision;
  /** The metric that gave the score, such as `macroF1` or `cosineAuc`. */
  readonly metric: string;
  /** Mean seconds of one training; null for baselines. */
  readonly seconds: number | null;
}

export interface RegretRow {
  readonly graph: string;
  readonly measure: string;
  readonly own: MethodScore;
  /** The best one first. */
  readonly rivals: readonly MethodScore[];
  /** Mean of the best rival minus mean of the own model; negative if the own model is the best. */
  readonly regret: number;
}

/** The rows of one graph; none for a task without a score of the own model. */
export function regretRows(graph: string, own: string, results: readonly TaskResult[]): RegretRow[] {
  const methods = compareRows(results);
  return MEASURES.flatMap(({ name: measure, task, own: ownMetrics, rival: rivalMetrics }) => {
    const ownMethod = methods.find(({ name, baseline }) => name === own && !baseline);
    const ownScore = ownMethod && scoreOf(ownMethod, task, ownMetrics);
    if (ownScore === undefined) return [];
    const rivals = methods
      .filter((method) => method !== ownMethod)
      .flatMap((method) => scoreOf(method, task, rivalMetrics) ?? [])
      .sort((a, b) => b.mean - a.mean);
    if (rivals.length === 0) throw new InternalError(`${graph}: no baseline has a score for ${task}`);
    return [{ graph, measure, own: ownScore, rivals, regret: rivals[0].mean - ownScore.mean }];
  });
}

function scoreOf(method: CompareRow, task: TaskName, groups: MeasureSpec["own"]): MethodScore | undefined {
  const { name, baseline, scores, supervision, training } = method;
  for (const group of groups) {
    const found = group.flatMap((metric) => {
      const score = scores[task]?.[metric];
      return score === undefined ? [] : [{ metric, ...score }];
    });
    if (found.length === 0) continue;
    const best = found.reduce((a, b) => (b.mean > a.mean ? b : a));
    return { name, baseline, supervision: supervision[task], ...best, seconds: training?.seconds.mean ?? null };
  }
  return undefined;
}

/** The largest regret first. */
export function sortByRegret(rows: readonly RegretRow[]): RegretRow[] {
  return [...rows].sort((a, b) => b.regret - a.regret);
}

export interface RegretSummary {
  /** `all` for all rows together. */
  readonly measure: string;
  readonly rows: number;
  readonly mean: number;
  readonly worst: Pick<RegretRow, "graph" | "measure" | "regret">;
  /** Number of rows without a better rival. */
  readonly best: number;
}

/** One summary for each measure, and one of all rows. Expects at least one row. */
export function summarizeRegret(rows: readonly RegretRow[]): RegretSummary[] {
  const measures = MEASURES.map(({ name }) => ({
    measure: name,
    rows: rows.filter(({ measure }) => measure === name),
  }));
  return [...measures, { measure: "all", rows }].filter((group) => group.rows.length > 0).map(summarize);
}

function summarize({
  measure,
  rows,
}: {
  readonly measure: string;
  readonly rows: readonly RegretRow[];
}): RegretSummary {
  const [worst] = sortByRegret(rows);
  return {
    measure,
    rows: rows.length,
    mean: mean(rows.map(({ regret }) => regret)),
    worst: { graph: worst.graph, measure: worst.measure, regret: worst.regret },
    best: rows.filter(({ regret }) => regret <= 0).length,
  };
}
