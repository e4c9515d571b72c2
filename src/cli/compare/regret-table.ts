/** The tables of `compare --regret`. */

import { percent } from "../../experiments/tables/percent.js";
import type { Measure, Table } from "../../report/table.js";
import type { MethodScore, RegretRow, RegretSummary } from "./regret-scores.js";

/** A method that has no score for some tasks of a graph, and why. */
export interface LeftOut {
  readonly graph: string;
  /** Undefined if the tasks were left out for all methods. */
  readonly method?: string;
  readonly tasks: readonly string[];
  readonly reason: string;
}

/** One row for each graph and measure. */
export function regretTable(rows: readonly RegretRow[], own: string): Table {
  return {
    header: ["graph", "measure", own, "best rival", "score", "regret"],
    rows: rows.map((row) => [
      row.graph,
      row.measure,
      percent(row.own),
      rivalName(row.rivals[0]),
      percent(row.rivals[0]),
      points(row.regret),
    ]),
  };
}

/** Mean and worst regret, and how often no rival was better. */
export function summaryTable(summaries: readonly RegretSummary[], own: string): Table {
  return {
    header: ["measure", "mean regret", "worst", "on", `${own} is best`],
    rows: summaries.map(({ measure, mean, worst, best, rows }) => [
      measure,
      points(mean),
      points(worst.regret),
      measure === "all" ? `${worst.graph}, ${worst.measure}` : worst.graph,
      `${best} of ${rows}`,
    ]),
  };
}

/** One line for each entry, such as `hdmi on acm, links: left out: training takes longer than 10 min`. */
export function leftOutLines(all: readonly LeftOut[]): string[] {
  return all.map(({ graph, method, tasks, reason }) => {
    const place = method === undefined ? graph : `${method} on ${graph}`;
    return `${place}, ${tasks.join(" and ")}: left out: ${reason}`;
  });
}

/** In points, with two digits: regrets are often smaller than a tenth of a point. */
function points(share: number): Measure {
  return { value: 100 * share, digits: 2 };
}

/** Semi-supervised rivals know more than the own model; the table shows it. */
function rivalName({ name, supervision }: MethodScore): string {
  return supervision === undefined ? name : `${name}, ${supervision}`;
}
