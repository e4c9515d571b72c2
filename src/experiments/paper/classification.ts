/** Node classification (the paper's table) on similar public graphs. */

import { learnsFromLabels } from "../../nn/learns-from-labels.js";
import { groupedBars } from "../../report/charts/index.js";
import type { TableCell } from "../../report/table.js";
import { SPECTRAL_DIM } from "../../tasks/links/spectral-embedding.js";
import { type MeanDeviation, meanDeviation } from "../../tasks/metrics/mean-deviation.js";
import { type ProbeScores, probeModel, probeRow, probeVectors } from "../cells/probe-cell.js";
import type { ModelVariant } from "../cells/train-cell.js";
import { featureVectors, hasSmallFeatures, unionEigenvectors } from "../graphs/untrained-vectors.js";
import { percent, publishedPercent } from "../tables/percent.js";
import { scoreBar } from "../tables/score-bar.js";
import { tableByGraph } from "../tables/table-by-graph.js";
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
        `Vectors are trained without labels. Logistic regression (C = 1 on the synthetic graph, otherwise chosen by validation) on standardised vectors then learns from ${100 * MAIN_SHARE} % of the labels (mean of ${context.scale.repeats} random splits), or from the split of the data set if it has one. Mean ± standard deviation over seeds. If nodes have several labels, all labels with a probability above one half are predicted. Graphs: ${describeGraphs(graphs)}.`,
        `Baselines: the ${SPECTRAL_DIM} leading eigenvectors of the union of the relations, and the features alone.`,
      ],
      tables: [
        {
          caption: "Macro- and micro-F1 in %, laid out as in the paper",
          table: tableByGraph(rows, { "macro-F1": ({ macroF1 }) => macroF1, "micro-F1": ({ microF1 }) => microF1 }),
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
        caption: "Macro-F1. Lines: one standard deviation over the seeds.",
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
  rows.push(row(spectral, true, [await probeVectors(runner, graphCase, spectral, protocol, unionEigenvectors)]));
  if (hasFeatures(runs)) {
    rows.push(
      row("features only", true, [await probeVectors(runner, graphCase, "features only", protocol, featureVectors)]),
    );
  }
  return rows;
}

/** Our rows by graph, each graph followed by the published rows of similar data sets; the other published rows at the end. */
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
          ? `${ours} The graph and the split are the same; the model differs, and our probe is trained to convergence instead of stopped by validation.`
          : `${ours} The graphs differ: the paper's file is no longer public, and our graph has other nodes, relations and labels, so the difference says little about the method.`;
      }),
  );
  return [
    ...sentences,
    "The four data sets of the paper (BIOGRID, DBLP-Authors, IMDB, STRING-DB) are no longer available. Their numbers are shown for the order of magnitude, below the rows of the most similar graph if there is one.",
    `The paper trains its probe on about ${100 * PUBLISHED_LABEL_SHARE} % of the labels, chooses the best epoch by validation, and reports the mean of 50 restarts on one embedding. Its deviations therefore do not include the variation between trainings.`,
  ];
}
