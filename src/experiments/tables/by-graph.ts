/** A table in the paper's layout: one row per method, the graphs side by side. */

import type { Table } from "../../report/table.js";
import type { MeanDeviation } from "../../tasks/metrics/mean-deviation.js";
import { percent } from "./percent.js";

interface MethodRow {
  readonly graph: string;
  readonly method: string;
}

export function byGraph<R extends MethodRow>(
  rows: readonly R[],
  metrics: Readonly<Record<string, (row: R) => MeanDeviation>>,
): Table {
  const graphs = [...new Set(rows.map(({ graph }) => graph))];
  const methods = [...new Set(rows.map(({ method }) => method))];
  const named = Object.entries(metrics);
  return {
    header: ["method", ...graphs.flatMap((graph) => named.map(([name]) => `${graph} ${name}`))],
    rows: methods.map((method) => [
      method,
      ...graphs.flatMap((graph) => {
        const row = rows.find((candidate) => candidate.graph === graph && candidate.method === method);
        return named.map(([, of]) => (row === undefined ? null : percent(of(row))));
      }),
    ]),
  };
}
