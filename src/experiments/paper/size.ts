/** Accuracy by width of the vectors (the paper's figure of the embedding size). */

import { lineChart } from "../../report/charts/index.js";
import { type MeanDeviation, meanDeviation } from "../../tasks/metrics/mean-deviation.js";
import { type ProbeCell, probeModel, probeRow } from "../cells/probe-cell.js";
import { percent } from "../tables/percent.js";
import { type Experiment, inPercent } from "./experiment.js";
import { dataRuns, describeGraphs, MAIN_SHARE, probeProtocol, syntheticRuns } from "./graph-runs.js";

interface Line {
  readonly graph: string;
  readonly points: readonly {
    readonly dim: number;
    readonly macroF1: MeanDeviation;
    readonly accuracy: MeanDeviation;
    readonly effectiveRank: MeanDeviation;
    readonly seconds: MeanDeviation;
  }[];
}

export const size: Experiment = {
  name: "size",
  title: "Width of the vectors",
  doc: "accuracy by width of the vectors",
  async run(context) {
    const { runner, scale, variant } = context;
    const labelled = dataRuns(context).filter(({ runs }) => runs[0].graphCase.load().labels !== undefined);
    const graphs = [syntheticRuns(context), ...labelled];
    runner.announce(scale.dims.length * graphs.reduce((sum, { runs }) => sum + runs.length, 0));
    const lines: Line[] = [];
    for (const { name: graph, runs } of graphs) {
      const { protocol, share } = probeProtocol(scale, runs[0].graphCase);
      const points: Line["points"][number][] = [];
      for (const dim of scale.dims) {
        const cells: ProbeCell[] = [];
        for (const { graphCase, seed } of runs) {
          const sized = { ...variant("hmge", { dim: String(dim) }), label: `hmge, width ${dim}` };
          cells.push(await probeModel(runner, graphCase, sized, seed, protocol));
        }
        const over = (value: (cell: ProbeCell) => number) => meanDeviation(cells.map(value));
        points.push({
          dim,
          macroF1: over((cell) => probeRow(cell, share).macroF1),
          accuracy: over((cell) => probeRow(cell, share).accuracy),
          effectiveRank: over(({ training }) => training.effectiveRank),
          seconds: over(({ training }) => training.seconds),
        });
      }
      lines.push({ graph, points });
    }
    const header = ["graph", "", ...scale.dims.map(String)];
    return {
      method: [
        `The probe of classification (${100 * MAIN_SHARE} % of the labels, or the split of the data set) on vectors of hmge with increasing width; all other settings are the same. Mean ± standard deviation over seeds. Graphs: ${describeGraphs(graphs)}.`,
      ],
      tables: [
        {
          caption: "By width of the vectors: scores in %",
          table: {
            header,
            rows: [
              ...lines.flatMap(({ graph, points }) => [
                [graph, "accuracy", ...points.map(({ accuracy }) => percent(accuracy))],
                [graph, "macro-F1", ...points.map(({ macroF1 }) => percent(macroF1))],
                [graph, "effective rank", ...points.map((point) => ({ value: point.effectiveRank.mean, digits: 1 }))],
              ]),
              ["the paper's four graphs", "HMGE paper: values not available", ...scale.dims.map(() => null)],
            ],
            quoted: [3 * lines.length],
          },
        },
      ],
      figure: {
        svg: await lineChart(
          lines.map(({ graph, points }) => ({
            name: graph,
            points: points.map(({ dim, accuracy: { mean, deviation } }) => {
              return { x: dim, y: mean, ...(deviation === null ? {} : { deviation }) };
            }),
          })),
          { title: "Accuracy by width of the vectors", xLabel: "width", yLabel: "accuracy", logX: true },
        ),
        caption: "Accuracy of the probe. Bands: one standard deviation over the seeds.",
      },
      differences: explain(lines),
      warnings: context.dataNote === undefined ? [] : [context.dataNote],
      numbers: { lines },
    };
  },
};

function explain(lines: readonly Line[]): string[] {
  const bests = lines.map(({ graph, points }) => {
    const best = points.reduce((a, b) => (b.accuracy.mean > a.accuracy.mean ? b : a));
    const first = points[0];
    return `${graph}: ${inPercent(first.accuracy.mean)} % at ${first.dim}, best ${inPercent(best.accuracy.mean)} % at ${best.dim}`;
  });
  return [
    `${bests.join("; ")}. The paper uses a width of 64, and 32 for BIOGRID; the values of its figure are not available.`,
    ...lines.map(({ graph, points }) => {
      const widest = points[points.length - 1];
      return `${graph}: vectors of width ${widest.dim} use ${widest.effectiveRank.mean.toFixed(1)} directions; the other columns are redundant.`;
    }),
  ];
}
