/** The learnt combination weights of the relations and their initial values (the paper's figure of the weights). */

import { largestOf, smallestOf } from "../../numeric/extremes.js";
import { relationWeightsChart } from "../../report/charts/index.js";
import type { TableCell } from "../../report/table.js";
import { probeModel } from "../cells/probe-cell.js";
import type { Experiment } from "./experiment.js";
import { dataRuns, type GraphRuns, probeProtocol, syntheticRuns, townRuns } from "./graph-runs.js";
import { PUBLISHED_WEIGHTS } from "./published.js";

const MODELS = ["hmge", "hmge:reference"];
/** Graphs with more relations than this appear in the summary table only. */
const MAX_LISTED = 50;

interface Row {
  readonly graph: string;
  readonly model: string;
  readonly relations: readonly string[];
  readonly initial: readonly number[];
  readonly final: readonly number[];
  readonly epochs: number;
}

export const weights: Experiment = {
  name: "weights",
  title: "Weights of the relations",
  doc: "combination weights per relation, with their initial values",
  async run(context) {
    const { runner, scale, variant } = context;
    const labelled = dataRuns(context).filter(({ runs }) => runs[0].graphCase.load().labels !== undefined);
    const graphs: GraphRuns[] = [townRuns(context), syntheticRuns(context), ...labelled];
    runner.announce(graphs.length * MODELS.length);
    const rows: Row[] = [];
    for (const { name: graph, runs } of graphs) {
      for (const model of MODELS) {
        const [{ graphCase, seed }] = runs;
        const { protocol } = probeProtocol(scale, graphCase);
        const { training } = await probeModel(runner, graphCase, variant(model), seed, protocol);
        const [combination] = training.weights;
        if (combination === undefined) continue;
        const relations = graphCase.load().graph.relations.map(({ name }) => name);
        const { initial, final } = combination;
        rows.push({ graph, model, relations, initial, final, epochs: training.epochs });
      }
    }
    const listed = rows.filter(({ relations }) => relations.length <= MAX_LISTED);
    const first = rows[0];
    return {
      method: [
        "The final convolution of HMGE uses a combination of the relations with learnt weights: a softmax of scores α. hmge starts with all scores zero, so all weights are equal; hmge:reference starts at random, like the published code. Weights are shown as multiples of 1/D, where D is the number of relations; 1 means no preference.",
      ],
      tables: [
        {
          caption:
            "Smallest and largest weight × D, and correlation of the scores α with their initial values. In italics: the models published with the code",
          table: {
            header: ["graph", "model", "relations", "smallest", "largest", "correlation with the initial values"],
            rows: [...rows.map(summary), ...PUBLISHED_WEIGHTS.map(publishedRow)],
            quoted: PUBLISHED_WEIGHTS.map((_, i) => rows.length + i),
            digits: 2,
          },
        },
        {
          caption: "Each weight × D",
          table: {
            header: ["graph", "model", "relation", "start", "end"],
            rows: listed.flatMap(({ graph, model, relations, initial, final }) =>
              relations.map((relation, r) => {
                const times = (weight: number) => ({ value: weight * relations.length, digits: 2 });
                return [graph, model, relation, times(initial[r]), times(final[r])];
              }),
            ),
          },
        },
      ],
      figure: {
        svg: await relationWeightsChart(first, { title: `Weights of the relations: ${first.graph}, ${first.model}` }),
        caption: `${first.graph}, ${first.model}, after ${first.epochs} epochs.`,
      },
      differences: explain(rows),
      warnings: context.dataNote === undefined ? [] : [context.dataNote],
      numbers: { rows, published: PUBLISHED_WEIGHTS },
    };
  },
};

function summary({ graph, model, relations, initial, final }: Row): TableCell[] {
  const times = final.map((weight) => weight * relations.length);
  return [
    graph,
    model,
    relations.length,
    { value: smallestOf(times), digits: 2 },
    { value: largestOf(times), digits: 2 },
    correlation(initial, final),
  ];
}

function publishedRow({ dataset, relations, smallest, largest, correlation: r }: (typeof PUBLISHED_WEIGHTS)[number]) {
  const digits = 2;
  return [
    dataset,
    "published",
    relations,
    { value: smallest, digits },
    { value: largest, digits },
    { value: r, digits },
  ];
}

/** Pearson's correlation of the scores α, the logarithms of the weights up to a constant. Null if all initial scores are equal. */
function correlation(initial: readonly number[], final: readonly number[]): TableCell {
  const [x, y] = [initial, final].map((weights) => {
    const scores = weights.map(Math.log);
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    return scores.map((score) => score - mean);
  });
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, i) => sum + value * b[i], 0);
  const norm = Math.sqrt(dot(x, x) * dot(y, y));
  return norm < 1e-9 ? null : { value: dot(x, y) / norm, digits: 2 };
}

function explain(rows: readonly Row[]): string[] {
  const moved = rows
    .filter(({ model }) => model === "hmge")
    .map(({ graph, relations, final }) => {
      const order = relations.map((name, r) => ({ name, weight: final[r] * relations.length }));
      order.sort((a, b) => b.weight - a.weight);
      const [largest, smallest] = [order[0], order[order.length - 1]];
      return `${graph}: largest for ${largest.name} (${largest.weight.toFixed(2)}), smallest for ${smallest.name} (${smallest.weight.toFixed(2)})`;
    });
  return [
    `hmge starts with equal weights, so their differences are learnt. ${moved.join("; ")}.`,
    "The published models started at random and stayed close to that start: the correlation of their scores with the initial scores, which can be computed again from seed 0, is 0.63 to 0.98. So the small weights in the paper's figure mostly come from the random start. A weight is meaningful only if training moves it far from its initial value.",
  ];
}
