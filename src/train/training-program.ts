/** Traces a model into the two segments of a run: `epoch` (loss, gradients, Adam) and `embed` (from the best parameters). */

import type { OptionSchema, OptionValues } from "../core/options.js";
import { gradients } from "../engine/autograd.js";
import { type AdamAttributes, adam } from "../engine/ops/adam.js";
import { trackBest } from "../engine/ops/index.js";
import { type Program, ProgramBuilder, type Tensor } from "../engine/program.js";
import type { Initializer } from "../nn/init.js";
import type { EncoderLayer, GraphInput, Model } from "../nn/model.js";

/** One trained tensor with everything that belongs to it. */
export interface TrainedParameter {
  readonly name: string;
  readonly tensor: Tensor;
  readonly initializer: Initializer;
  readonly moment1: Tensor;
  readonly moment2: Tensor;
  readonly best: Tensor;
}

export interface TrainingProgram {
  readonly program: Program;
  readonly parameters: readonly TrainedParameter[];
  readonly loss: Tensor;
  /** 1: new best, 0: not, −1: not finite. */
  readonly flag: Tensor;
  readonly bestLoss: Tensor;
  /** Learning rate and bias corrections of the step, written before each epoch. */
  readonly schedule: Tensor;
  readonly embedding: Tensor;
  /** Results of the segment `layers`; empty unless asked for. */
  readonly layers: readonly EncoderLayer[];
}

export function traceTraining<S extends OptionSchema, P, G>(
  model: Model<S, P, G>,
  graph: GraphInput,
  options: OptionValues<S>,
  optimizer: AdamAttributes,
  { withLayers = false } = {},
): TrainingProgram {
  const builder = new ProgramBuilder();
  const parameters = new Map<string, TrainedParameter>();
  const values = model.init(
    (name, rows, cols, initializer) => {
      const state = (kind: string) => builder.state(`${kind}.${name}`, rows, cols);
      const tensor = builder.parameter(name, rows, cols);
      parameters.set(name, {
        name,
        tensor,
        initializer,
        moment1: state("moment1"),
        moment2: state("moment2"),
        best: state("best"),
      });
      return tensor;
    },
    graph,
    options,
  );
  const prepared = model.prepare(graph, options, builder);
  const bestLoss = builder.state("bestLoss", 1, 2);
  const schedule = builder.input("schedule", 1, 3);

  let loss!: Tensor;
  let flag!: Tensor;
  builder.segment("epoch", () => {
    loss = model.loss(values, prepared, options, builder);
    const trained = [...parameters.values()];
    const found = gradients(
      loss,
      trained.map(({ tensor }) => tensor),
    );
    flag = trackBest(loss, bestLoss);
    trained.forEach(({ tensor, moment1, moment2, best }, i) => {
      const gradient = found[i];
      if (gradient === undefined) return;
      adam({ parameter: tensor, gradient, moment1, moment2, best, flag, schedule }, optimizer);
    });
    return [loss, flag];
  });

  let embedding!: Tensor;
  const initBest = () => model.init((name) => parameters.get(name)!.best, graph, options);
  builder.segment("embed", () => {
    embedding = model.embed(initBest(), prepared, options);
    return [embedding];
  });

  let layers: readonly EncoderLayer[] = [];
  if (withLayers) {
    builder.segment("layers", () => {
      layers = model.layers?.(initBest(), prepared, options) ?? [];
      return layers.map(({ tensor }) => tensor);
    });
  }
  return {
    program: builder.finish(),
    parameters: [...parameters.values()],
    loss,
    flag,
    bestLoss,
    schedule,
    embedding,
    layers,
  };
}
