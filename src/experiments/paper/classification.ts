/** Node classification (the paper's table) on the nearest public graphs. */

import { learnsFromLabels } from "../../nn/learns-from-labels.js";
import { groupedBars } from "../../report/charts/index.js";
import type { TableCell } from "../../report/table.js";
import { SPECTRAL_DIM } from "../../tasks/links/spectral-embedding.js";
import { type MeanDeviation, meanDeviation } from "../../tasks/metrics/mean-deviation.js";
import { type ProbeScores, probeModel, probeRow, probeVectors } from "../cells/probe-cell.js";
import type { ModelVariant } from "../cells/train-cell.js";
import { featureVectors, hasSmallFeatures, unionSpectral } from "../graphs/untrained-vectors.js";
import { byGraph } from "../tables/by-graph.js";
import { percent, publishedPercent } from "../tables/percent.js";
import { scoreBar } from "../tables/score-bar.js";
import { type Experiment, type ExperimentContext, inPercent, pointsApart } from "./experiment.js";
import { describeGraphs, type GraphRuns, graphRuns, MAIN_SHARE, probeProtocol, shareText } from "./graph-runs.js";
import { PUBLISHED, PUBLISHED_LABEL_SHARE, type PublishedScores } from "./published.js";

interface Row {
  readonly graph: string;
  readonly method: string;
  readonly baseline: boolean;
  readonly split: "given" | number;
  readonly macroF1: MeanDeviation;
  readonly microF1: MeanDeviation;
  readonly rawMacroF1: MeanDeviation;
}

export const classification: Experiment = {
  name: "classification",
  title: "Node classification",
  doc: "macro- and micro-F1 of a linear probe",
  async run(context) {
    const labelled = graphRuns(context).filter(({ runs }) => runs[0].graphCase.load().labels !== undefined);
    const graphs = labelled.length > 0 ? labelled : graphRuns({ ...context, data: [] });
    const rows: Row[] = [];
    context.runner.announce(
      graphs.reduce(
        (sum, { runs }) => sum + runs.length * context.scale.models.length + 1 + Number(hasFeatures(runs)),
        0,
      ),
    );
    for (const graph of graphs) rows.push(...(await measure(context, graph)));
    const published = PUBLISHED.filter(({ macroF1 }) => macroF1 !== undefined);
    const { table, quoted } = layOut(graphs, rows, published);
    return {
      method: [
        `Vectors without labels, then logistic regression (C = 1 on the synthetic graph, else by validation) on standardised vectors with ${100 * MAIN_SHARE} % of the labels (mean of ${context.scale.repeats} random choices), or with the split of the data set where it has one. Mean ± deviation over seeds. Of several labels a node those of probability above one half are predicted. Graphs: ${describeGraphs(graphs)}.`,
        `Baselines: the ${SPECTRAL_DIM} leading eigenvectors of the union of the relations, and the features alone.`,
      ],
      tables: [
        {
          caption: "Macro- and micro-F1 in %, laid out as in the paper",
          table: byGraph(rows, { "macro-F1": ({ macroF1 }) => macroF1, "micro-F1": ({ microF1 }) => microF1 }),
        },
        {
          caption: "Macro- and micro-F1 in %; raw: macro-F1 without standardisation. In italics: published",
          table: {
            header: ["graph", "method", "labels", "macro-F1", "micro-F1", "raw macro-F1"],
            rows: table,
            quoted,
          },
        },
      ],
      figure: {
        svg: await groupedBars(
          rows.map(({ graph, method, macroF1 }) => scoreBar(graph, method, macroF1)),
          { title: "Macro-F1 by graph and method", yLabel: "macro-F1", maximum: 1 },
        ),
        caption: "Macro-F1. Lines: one deviation over the seeds.",
      },
      differences: explain(rows, published),
      warnings: context.dataNote === undefined ? [] : [context.dataNote],
      numbers: { published, rows },
    };
  },
};

function nameWithSupervision({ label, model }: ModelVariant): string {
  return learnsFromLabels(model) ? `${label}, semi-supervised` : label;
}

function hasFeatures(runs: GraphRuns["runs"]): boolean {
  return hasSmallFeatures(runs[0].graphCase.load());
}

async function measure({ runner, variant, scale }: ExperimentContext, { name, runs }: GraphRuns): Promise<Row[]> {
  const { protocol, share: split } = probeProtocol(scale, runs[0].graphCase);
  const row = (method: string, baseline: boolean, cells: readonly ProbeScores[]): Row => {
    const over = (metric: "macroF1" | "microF1", kind?: "raw") =>
      meanDeviation(cells.map((cell) => probeRow(cell, split, kind)[metric]));
    return {
      graph: name,
      method,
      baseline,
      split,
      macroF1: over("macroF1"),
      microF1: over("microF1"),
      rawMacroF1: over("macroF1", "raw"),
    };
  };
  const rows: Row[] = [];
  for (const model of scale.models) {
    const cells: ProbeScores[] = [];
    for (const { graphCase, seed } of runs) {
      cells.push(await probeModel(runner, graphCase, variant(model), seed, protocol));
    }
    rows.push(row(nameWithSupervision(variant(model)), false, cells));
  }
  const [{ graphCase }] = runs;
  const spectral = `spectral-${SPECTRAL_DIM}, union`;
  rows.push(row(spectral, true, [await probeVectors(runner, graphCase, spectral, protocol, unionSpectral)]));
  if (hasFeatures(runs)) {
    rows.push(
      row("features only", true, [await probeVectors(runner, graphCase, "features only", protocol, featureVectors)]),
    );
  }
  return rows;
}

/** Our rows graph by graph, below each the published ones of the data set that comes nearest; the others at the end. */
function layOut(graphs: readonly GraphRuns[], rows: readonly Row[], published: readonly PublishedScores[]) {
  const table: TableCell[][] = [];
  const quoted: number[] = [];
  const quote = ({ source, dataset, same, macroF1, microF1 }: PublishedScores) => {
    quoted.push(table.length);
    const share = `${100 * PUBLISHED_LABEL_SHARE} %`;
    table.push([dataset, source, same ? "given" : share, publishedPercent(macroF1), publishedPercent(microF1), null]);
  };
  for (const { name } of graphs) {
    for (const row of rows.filter(({ graph }) => graph === name)) {
      const labels = shareText(row.split);
      table.push([name, row.method, labels, percent(row.macroF1), percent(row.microF1), percent(row.rawMacroF1)]);
    }
    for (const scores of published.filter(({ near }) => near.includes(name))) quote(scores);
  }
  const names = new Set(graphs.map(({ name }) => name));
  for (const scores of published.filter(({ near }) => !near.some((name) => names.has(name)))) quote(scores);
  return { table, quoted };
}

function explain(rows: readonly Row[], published: readonly PublishedScores[]): string[] {
  const sentences = published.flatMap(({ source, dataset, near, same, macroF1 = 0 }) =>
    rows
      .filter(({ graph, method }) => near.includes(graph) && method === "hmge")
      .map(({ graph, macroF1: { mean } }) => {
        const ours = `${graph}: hmge has a macro-F1 of ${inPercent(mean)} %, ${pointsApart(mean, macroF1)} the ${inPercent(macroF1)} % of ${source} on ${dataset}.`;
        return same
          ? `${ours} Same graph, same split; another model, and a probe solved to convergence instead of one chosen by validation.`
          : `${ours} The graphs are different ones: the paper's file is no longer public, and nodes, relations and labels of ours are other ones, so the difference says little about the method.`;
      }),
  );
  return [
    ...sentences,
    "The four data sets of the paper (BIOGRID, DBLP-Authors, IMDB, STRING-DB) can no longer be had. Their numbers stand here to show the order of magnitude; where a graph of ours is near one of them, its row is below ours.",
    `The paper trains its probe on about ${100 * PUBLISHED_LABEL_SHARE} % of the labels and takes the best epoch by validation, mean of 50 restarts on one embedding: its deviations leave out that of the embedding.`,
  ];
}
