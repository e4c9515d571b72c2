/** Trains the models that can be divided among ranks for a few epochs; returns hashes of losses, vectors and parameters. */

import { Rng } from "../../src/core/rng.js";
import type { Sharing } from "../../src/core/sharing.js";
import type { Engine } from "../../src/engine/engine.js";
import { generateSbm } from "../../src/graph/synthetic/sbm.js";
import * as models from "../../src/models/index.js";
import type { Model } from "../../src/nn/model.js";
import { startRun } from "../../src/train/train.js";
import type { TrainableGraph } from "../../src/train/trainable.js";
import { hashOf } from "./op-runs.js";

/** The ranges of ranks end at multiples of 256 nodes: three ranks have nodes, the last few. */
const { graph } = generateSbm({ nodes: 530, relations: 3, pIn: 0.01, pOut: 0.002, seed: 4 });

function featuresOf(numNodes: number, numColumns: number): TrainableGraph["features"] {
  const rng = new Rng(2, "features");
  const rowStart = new Uint32Array(numNodes + 1);
  const columns: number[] = [];
  for (let i = 0; i < numNodes; i++) {
    for (let j = 0; j < numColumns; j++) if (rng.uniform() < 0.3) columns.push(j);
    rowStart[i + 1] = columns.length;
  }
  const names = Array.from({ length: numColumns }, (_, j) => `f${j}`);
  return { names, numColumns, rowStart, columns: Uint32Array.from(columns) };
}

const featured = { ...graph, features: featuresOf(graph.numNodes, 13) };

/** One training. */
export interface ModelRun {
  readonly name: string;
  run(engine: Engine, sharing?: Sharing): Promise<string[]>;
}

function modelRun(model: Model, on: TrainableGraph, values: Record<string, unknown>): ModelRun {
  const settings = { ...values, epochs: 2, seed: 7 };
  return {
    name: `${model.name} ${JSON.stringify(values)}${on === featured ? " with features" : ""}`,
    async run(engine, sharing) {
      const run = await startRun(on, model, {
        ...settings,
        engine,
        processes: sharing,
        withLayers: true,
        withRelations: true,
      });
      for await (const _ of run);
      const parameters = (await run.parameters()).map(({ name, data }) => `${name} ${hashOf(data)}`);
      const relations: string[] = [];
      for (let d = 0; d < on.relations.length; d++) {
        const { source, target } = (await run.relationVectors(d)) ?? {};
        for (const side of [source, target]) if (side !== undefined) relations.push(hashOf(side.vectors));
      }
      const hashes = [
        hashOf(Float64Array.from(run.losses)),
        hashOf((await run.readEmbedding()).vectors),
        ...parameters,
        ...relations,
      ];
      await run.dispose();
      return hashes;
    },
  };
}

const small = { dim: 12 };

/** Options that make a run small. */
const SMALL: Readonly<Record<string, Record<string, unknown>>> = {
  dmne: { hidden: 20, inputs: 8, zeros: 5, warmup: 1 },
  gatne: { batch: 200 },
  hmge: { tableWidth: 20, sizes: [2, 1], dropout: 0.2 },
  mne: { batch: 200 },
};

function runsOf(model: Model, presets: readonly string[]): ModelRun[] {
  return presets.flatMap((preset) =>
    (model.uses?.includes("features") ? [graph, featured] : [graph]).map((on) =>
      modelRun(model, on, { ...small, preset, ...SMALL[model.name] }),
    ),
  );
}

/** The first preset of every model, on a graph without features and, if the model uses them, on one with features. */
export const modelRuns: readonly ModelRun[] = Object.values<Model>(models).flatMap((model) =>
  runsOf(model, Object.keys(model.presets).slice(0, 1)),
);

/** The other presets. */
export const presetRuns: readonly ModelRun[] = Object.values<Model>(models).flatMap((model) =>
  runsOf(model, Object.keys(model.presets).slice(1)),
);
