/** Contribution of the parts of HMGE: the paper's two ablations, and the mean against attention. */

import { groupedBars } from "../../report/charts/index.js";
import { type MeanDeviation, meanDeviation } from "../../tasks/metrics/mean-deviation.js";
import { type ProbeCell, probeModel, probeRow } from "../cells/probe-cell.js";
import { percent } from "../tables/percent.js";
import { scoreBar } from "../tables/score-bar.js";
import { type Experiment, inPercent, pointsApart } from "./experiment.js";
import { dataRuns, describeGraphs, MAIN_SHARE, probeProtocol, syntheticRuns } from "./graph-runs.js";

const VARIANTS = [
  { name: "hmge", settings: {} },
  { name: "without the hierarchy", settings: { sizes: "none" } },
  { name: "combination fixed at 1/D", settings: { combinationWeights: "uniform" } },
  { name: "attention instead of the mean", settings: { aggregation: "attention" } },
] as const;

function settingText({ name, settings }: (typeof VARIANTS)[number]): string {
  const pairs = Object.entries(settings).map(([option, value]) => `${option}=${value}`);
  return `${name}: --set ${pairs.join(" ")}`;
}

interface Row {
  readonly graph: string;
  readonly variant: string;
  readonly accuracy: MeanDeviation;
  readonly macroF1: MeanDeviation;
  readonly effectiveRank: MeanDeviation;
}

export const ablation: Experiment = {
  name: "ablation",
  title: "Ablation",
  doc: "without hierarchy, with fixed combination, with attention",
  async run(context) {
    const { runner, scale, variant } = context;
    const labelled = dataRuns(context).filter(({ runs }) => runs[0].graphCase.load().labels !== undefined);
    const graphs = [syntheticRuns(context), ...labelled];
    runner.announce(VARIANTS.length * graphs.reduce((sum, { runs }) => sum + runs.length, 0));
    const rows: Row[] = [];
    for (const { name: graph, runs } of graphs) {
      const { protocol, share } = probeProtocol(scale, runs[0].graphCase);
      for (const { name, settings } of VARIANTS) {
        const cells: ProbeCell[] = [];
        for (const { graphCase, seed } of runs) {
          const changed = { ...variant("hmge", settings), label: name };
          cells.push(await probeModel(runner, graphCase, changed, seed, protocol));
        }
        rows.push({
          graph,
          variant: name,
          accuracy: meanDeviation(cells.map((cell) => probeRow(cell, share).accuracy)),
          macroF1: meanDeviation(cells.map((cell) => probeRow(cell, share).macroF1)),
          effectiveRank: meanDeviation(cells.map(({ training }) => training.effectiveRank)),
        });
      }
    }
    return {
      method: [
        `The same probe as in classification (${100 * MAIN_SHARE} % of the labels, or the split of the data set) on vectors of hmge with one part removed or replaced (${VARIANTS.slice(1).map(settingText).join("; ")}). Mean ± standard deviation over seeds. Graphs: ${describeGraphs(graphs)}.`,
      ],
      tables: [
        {
          caption: "Accuracy and macro-F1 in %, and effective rank of the vectors",
          table: {
            header: ["graph", "variant", "accuracy", "macro-F1", "effective rank"],
            rows: [
              ...rows.map((row) => [
                row.graph,
                row.variant,
                percent(row.accuracy),
                percent(row.macroF1),
                { value: row.effectiveRank.mean, digits: 1 },
              ]),
              ["the paper's four graphs", "HMGE paper: values not available", null, null, null],
            ],
            quoted: [rows.length],
          },
        },
      ],
      figure: {
        svg: await groupedBars(
          rows.map(({ graph, variant: name, accuracy }) => scoreBar(graph, name, accuracy)),
          { title: "Accuracy of HMGE with parts removed or replaced", yLabel: "accuracy", maximum: 1 },
        ),
        caption: "Accuracy of the probe. Lines: one standard deviation over the seeds.",
      },
      differences: explain(rows),
      warnings: context.dataNote === undefined ? [] : [context.dataNote],
      numbers: { rows },
    };
  },
};

function explain(rows: readonly Row[]): string[] {
  const graphs = [...new Set(rows.map(({ graph }) => graph))];
  const effects = graphs.map((graph) => {
    const [whole, ...others] = rows.filter((row) => row.graph === graph);
    const parts = others.map(
      ({ variant, accuracy }) =>
        `${variant}: ${inPercent(accuracy.mean)} %, ${pointsApart(accuracy.mean, whole.accuracy.mean)}${accuracy.mean === whole.accuracy.mean ? "" : " it"}`,
    );
    return `${graph}: hmge ${inPercent(whole.accuracy.mean)} %; ${parts.join("; ")}.`;
  });
  return [
    ...effects,
    "The paper has two ablations: without the hierarchy, and with a fixed combination. Their code was not published, the graphs are no longer available, and neither are the values of the figure, so ours cannot be compared with them.",
    "Three of the four models published with the code average the relations instead of using attention.",
    ...attentionText(rows),
    "A learnt combination can help only if some relations are more useful than others. On the synthetic graphs all relations are equally useful, so fixed and learnt weights should score the same.",
  ];
}

function attentionText(rows: readonly Row[]): string[] {
  const [whole, , , attention] = rows;
  const lower =
    attention.accuracy.mean < whole.accuracy.mean && attention.effectiveRank.mean < whole.effectiveRank.mean;
  return lower
    ? [
        `On ${whole.graph} attention lowers the effective rank of the vectors from ${whole.effectiveRank.mean.toFixed(1)} to ${attention.effectiveRank.mean.toFixed(1)}, and the accuracy with it. A likely reason: attention prefers the relations that are easiest to distinguish from a shuffled graph.`,
      ]
    : [];
}
