/** A table in the paper's layout: one row per method, one group of columns per graph. */

import type { Table } from "../../report/table.js";
import type { MeanDeviation } from "../../tasks/metrics/mean-deviation.js";
import { percent } from "./percent.js";

interface MethodRow {
  readonly graph: string;
  readonly method: string;
}

/** `metrics` maps the name of each metric to the function that reads it from a row. */
export function tableByGraph<R extends MethodRow>(
  rows: readonly R[],
  metrics: Readonly<Record<string, (row: R) => MeanDeviation>>,
): Table {
  const graphs = [...new Set(rows.map(({ graph }) => graph))];
  const methods = [...new Set(rows.map(({ method }) => method))];
  const metricEntries = Object.entries(metrics);
  return {
    header: ["method", ...graphs.flatMap((graph) => metricEntries.map(([name]) => `${graph} ${name}`))],
    rows: methods.map((method) => [
      method,
      ...graphs.flatMap((graph) => {
        const row = rows.find((candidate) => candidate.graph === graph && candidate.method === method);
        return metricEntries.map(([, metric]) => (row === undefined ? null : percent(metric(row))));
      }),
    ]),
  };
}
