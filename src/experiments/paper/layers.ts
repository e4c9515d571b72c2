/** t-SNE maps of the vectors after each layer of the encoder, coloured by class (the paper's figure). */

import type { Embedding } from "../../core/embedding.js";
import { Rng } from "../../core/rng.js";
import { type ScatterGroup, smallMultiples } from "../../report/charts/index.js";
import { classifyNodes } from "../../tasks/classification/node-classification.js";
import { diagnose } from "../../tasks/diagnostics/diagnostics.js";
import type { NodeLabels } from "../../tasks/labels/labelled-nodes.js";
import { tsne } from "../../tasks/projection/index.js";
import { trainCell, variantKey } from "../cells/train-cell.js";
import type { GraphCase } from "../graphs/graph-case.js";
import { type Experiment, type ExperimentContext, inPercent } from "./experiment.js";
import { dataRuns, MAIN_SHARE, syntheticRuns } from "./graph-runs.js";

/** Maximum number of points on a map, because more hide each other; larger graphs are sampled. Not tuned. */
const MAX_POINTS = 1500;

interface LayerMap {
  readonly name: string;
  readonly dim: number;
  readonly effectiveRank: number;
  readonly accuracy: number;
  /** Position on the map and class of the sampled nodes. */
  readonly points: readonly { readonly x: number; readonly y: number; readonly label: string }[];
}

export const layers: Experiment = {
  name: "layers",
  title: "Vectors after each layer",
  doc: "t-SNE of the vectors after each layer, coloured by class",
  async run(context) {
    const cases = [syntheticRuns(context), ...dataRuns(context)]
      .map(({ runs }) => runs[0])
      .filter(({ graphCase }) => hasSingleLabels(graphCase.load().labels))
      .slice(0, 2);
    context.runner.announce(cases.length);
    const found: { graph: string; layers: readonly LayerMap[] }[] = [];
    for (const { graphCase, seed } of cases) {
      found.push({ graph: graphCase.name, layers: await measure(context, graphCase, seed) });
    }
    const groups = found.flatMap(({ graph, layers: maps }) =>
      maps.map(({ name, points }): ScatterGroup => {
        return { heading: found.length === 1 ? name : `${graph}: ${name}`, points };
      }),
    );
    return {
      method: [
        `hmge is trained once, and the vectors are read after each layer: the input table, the aggregated level of the hierarchy, and the final convolution over the learnt combination. t-SNE (Barnes–Hut, perplexity 30, ${context.scale.tsneIterations} iterations) maps each to the plane. Graphs: ${cases.map(({ graphCase }) => `${graphCase.name} (${graphCase.summary})`).join("; ")}.`,
      ],
      tables: [
        {
          caption: `Width, effective rank, and accuracy in % of the probe on ${100 * MAIN_SHARE} % of the labels`,
          table: {
            header: ["graph", "layer", "width", "effective rank", "accuracy"],
            rows: [
              ...found.flatMap(({ graph, layers: maps }) =>
                maps.map(({ name, dim, effectiveRank, accuracy }) => [
                  graph,
                  name,
                  dim,
                  { value: effectiveRank, digits: 1 },
                  { value: 100 * accuracy, digits: 1 },
                ]),
              ),
              ["the paper's figure", "HMGE paper: a picture without numbers", null, null, null],
            ],
            quoted: [found.reduce((sum, { layers: maps }) => sum + maps.length, 0)],
          },
        },
      ],
      figure: {
        svg: await smallMultiples(groups, {
          title: "t-SNE of the vectors after each layer",
          colorLabel: "class",
          columns: 3,
        }),
        caption: "Only distances between points on a map are meaningful, not their positions.",
      },
      differences: [
        ...found.map(({ graph, layers: maps }) => {
          const steps = maps.map(({ name, accuracy }) => `${name} ${inPercent(accuracy)} %`);
          return `${graph}, accuracy of the probe after each layer: ${steps.join(", ")}.`;
        }),
        "The paper's figure shows graphs that are no longer available, and has no numbers. On the synthetic graphs the classes may overlap on a map even if a probe distinguishes them: the label is the majority of many independent bits, so its two classes do not form two clusters.",
      ],
      warnings: context.dataNote === undefined ? [] : [context.dataNote],
      numbers: found,
    };
  },
};

function hasSingleLabels(labels: NodeLabels | undefined): boolean {
  return labels !== undefined && [...labels.byNode.values()].every(({ length }) => length === 1);
}

function measure(
  { runner, scale, variant }: ExperimentContext,
  graphCase: GraphCase,
  seed: number,
): Promise<LayerMap[]> {
  const model = variant("hmge");
  const { tsneIterations, repeats } = scale;
  const key = {
    task: "layers",
    case: graphCase.key,
    tsneIterations,
    repeats,
    share: MAIN_SHARE,
    ...variantKey(model, seed),
  };
  return runner.cell(`${graphCase.name}: layers`, key, async (progress) => {
    const { graph, labels = { byNode: new Map(), names: [] } } = graphCase.load();
    const trained = await trainCell(graph, model, seed, runner, progress, { withLayers: true });
    const shown = choosePoints(graph.ids, labels);
    const maps: LayerMap[] = [];
    for (const { name, embedding } of trained.layers) {
      const map = await tsne(select(embedding, shown), {
        iterations: tsneIterations,
        engine: runner.engine,
        signal: progress.signal,
      });
      runner.throwIfInterrupted();
      const { results } = classifyNodes([embedding], labels, { split: { train: MAIN_SHARE }, repeats });
      const place = (i: number) => Number(map.vectors[i].toPrecision(4));
      maps.push({
        name,
        dim: embedding.dim,
        effectiveRank: diagnose(embedding).effectiveRank,
        accuracy: results[0].accuracy.mean,
        points: shown.map((node, i) => {
          return { x: place(2 * i), y: place(2 * i + 1), label: labels.byNode.get(graph.ids[node])?.[0] ?? "" };
        }),
      });
    }
    return maps;
  });
}

/** Labelled nodes in ascending order; a random sample if there are more than MAX_POINTS. */
function choosePoints(ids: readonly string[], { byNode }: NodeLabels): number[] {
  const labelled = ids.flatMap((id, i) => (byNode.has(id) ? [i] : []));
  const order = new Uint32Array(labelled.length);
  new Rng(1, "points").permutation(order);
  return [...order.subarray(0, MAX_POINTS)].sort((a, b) => a - b).map((i) => labelled[i]);
}

function select({ ids, dim, vectors }: Embedding, nodes: readonly number[]): Embedding {
  const chosen = new Float32Array(nodes.length * dim);
  nodes.forEach((node, i) => {
    chosen.set(vectors.subarray(node * dim, (node + 1) * dim), i * dim);
  });
  return { ids: nodes.map((node) => ids[node]), dim, vectors: chosen };
}
