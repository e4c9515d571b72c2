/** What parts of HMGE contribute: the paper's two ablations, and mean against attention. */

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
  { name: "attention, not the mean", settings: { aggregation: "attention" } },
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
        `The same probe as in classification (${100 * MAIN_SHARE} % of the labels, or the split of the data set) on vectors of hmge with one part taken away or exchanged (${VARIANTS.slice(1).map(settingText).join("; ")}). Mean ± deviation over seeds. Graphs: ${describeGraphs(graphs)}.`,
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
              ["the paper's four graphs", "HMGE paper: values not at hand", null, null, null],
            ],
            quoted: [rows.length],
          },
        },
      ],
      figure: {
        svg: await groupedBars(
          rows.map(({ graph, variant: name, accuracy }) => scoreBar(graph, name, accuracy)),
          { title: "Accuracy with parts of HMGE taken away", yLabel: "accuracy", maximum: 1 },
        ),
        caption: "Accuracy of the probe. Lines: one deviation over the seeds.",
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
    "The paper has two ablations, without the hierarchy and with a fixed combination. It published no code for them, its graphs can no longer be had, and its values are not at hand here: there is nothing to subtract.",
    "Three of the four models published with the code average the relations and do not attend to them.",
    ...attentionText(rows),
    "A learnt combination can gain only where relations differ in worth. On the synthetic graphs all are alike, so that fixed and learnt weights should score the same.",
  ];
}

function attentionText(rows: readonly Row[]): string[] {
  const [whole, , , attention] = rows;
  const lower =
    attention.accuracy.mean < whole.accuracy.mean && attention.effectiveRank.mean < whole.effectiveRank.mean;
  return lower
    ? [
        `On ${whole.graph} attention lowers the effective rank of the vectors from ${whole.effectiveRank.mean.toFixed(1)} to ${attention.effectiveRank.mean.toFixed(1)}, and the accuracy with it. We think it lets the relations that are easiest to tell from a shuffle take over.`,
      ]
    : [];
}
