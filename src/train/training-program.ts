/**
 * Traces a model into the segments of a run: `step` (loss, gradients, optimiser), `embed` (vectors from the kept
 * parameters), and on request `layers` and one segment for each relation.
 */

import { InputError } from "../core/errors.js";
import type { OptionSchema, OptionValues } from "../core/options.js";
import { valueText } from "../core/validation.js";
import { gradients } from "../engine/autograd.js";
import { assign, trackBest } from "../engine/ops/index.js";
import { type Program, ProgramBuilder, type Tensor } from "../engine/program.js";
import type { Initializer } from "../nn/init.js";
import type { EncoderLayer, GraphInput, Model, NamedArrays, RelationVectors } from "../nn/model.js";
import { makeOptimizer, type Slot } from "./optimizer.js";

/** One trained tensor with everything that belongs to it. */
export interface TrainedParameter {
  readonly name: string;
  readonly tensor: Tensor;
  readonly initializer: Initializer;
  /** State of the optimiser for it. */
  readonly slots: readonly Slot[];
  /** The values that the vectors are computed from: a copy of the best ones, or the tensor itself. */
  readonly kept: Tensor;
}

/** The tensors of a training. It does not hold the program, whose constants and matrices an engine copies when it compiles it. */
export interface TrainingTensors {
  readonly parameters: readonly TrainedParameter[];
  readonly randomInputs: Program["randomInputs"];
  readonly loss: Tensor;
  /** Number of times that `step` runs in an epoch. */
  readonly steps: number;
  /** Whether the parameters with the smallest loss are kept, or the last ones. */
  readonly keep: "best" | "last";
  /** 1: a new smallest loss, 0: none; below 0 nothing changes: −1: the loss is not finite, −2: patience has run out. */
  readonly flag: Tensor;
  readonly bestLoss: Tensor;
  /** Learning rate and bias corrections of the step, written before each epoch. */
  readonly schedule: Tensor;
  readonly embedding: Tensor;
  /** Results of the segment `layers`; empty unless requested. */
  readonly layers: readonly EncoderLayer[];
  /** Results of the segments `relationSegment(d)`, which read the result of BASIS_SEGMENT; empty unless requested. */
  readonly relations: readonly RelationVectors[];
}

export interface TrainingProgram extends TrainingTensors {
  readonly program: Program;
}

export interface TraceOptions {
  readonly weightDecay: number;
  /** Epochs without a new smallest loss after which a step changes nothing. Default: no limit. */
  readonly patience?: number;
  readonly withLayers?: boolean;
  readonly withRelations?: boolean;
  readonly arrays?: NamedArrays;
}

/** Computes the rows that the vectors of all relations share; runs before the segments of relations. */
export const BASIS_SEGMENT = "relations.basis";

export function relationSegment(relation: number): string {
  return `relation.${relation}`;
}

export function traceTraining<S extends OptionSchema, P, G>(
  model: Model<S, P, G>,
  graph: GraphInput,
  options: OptionValues<S>,
  { weightDecay, patience, withLayers = false, withRelations = false, arrays }: TraceOptions,
): TrainingProgram {
  const { optimizer: optimizerName = "adam", keep = "best" } = model.optimization ?? {};
  const steps = model.steps?.(graph, options) ?? 1;
  if (steps > 1 && keep === "best")
    throw new InputError(
      `${model.name}: ${steps} steps an epoch, but it keeps the best parameters; expected optimization: { keep: "last" }.`,
    );
  const optimizer = makeOptimizer(optimizerName, weightDecay);
  const builder = new ProgramBuilder(graph.numNodes);
  const parameters = new Map<string, TrainedParameter>();
  const values = model.init(
    (name, rows, cols, initializer) => {
      const state = (kind: string) => builder.state(`${kind}.${name}`, rows, cols);
      if (parameters.has(name)) {
        throw new InputError(`${model.name}: two parameters are called "${name}"; expected a name for each.`);
      }
      const tensor = builder.parameter(name, rows, cols);
      parameters.set(name, {
        name,
        tensor,
        initializer,
        slots: optimizer.slots.map((slot) => ({ name: slot, tensor: state(slot) })),
        kept: keep === "best" ? state("best") : tensor,
      });
      return tensor;
    },
    graph,
    options,
    arrays,
  );
  const prepared = model.prepare(graph, options, builder, arrays);
  const initKept = () => model.init((name) => parameters.get(name)!.kept, graph, options, arrays);
  const traced: Traced<S, P, G> = { model, graph, options, builder, parameters, values, prepared, initKept };
  // if the last parameters are kept, the host counts the epochs
  const step = traceStep(traced, optimizer, keep === "best" ? patience : undefined);
  const embedding = traceEmbed(traced);
  const layers = withLayers ? traceLayers(traced) : [];
  const relations = withRelations ? traceRelations(traced) : [];
  const program = builder.finish();
  builder.forget();
  return {
    program,
    randomInputs: program.randomInputs,
    parameters: [...parameters.values()],
    ...step,
    steps,
    keep,
    embedding,
    layers,
    relations,
  };
}

/** A model that is being traced, with its parameters and its prepared graph. */
interface Traced<S extends OptionSchema, P, G> {
  readonly model: Model<S, P, G>;
  readonly graph: GraphInput;
  readonly options: OptionValues<S>;
  readonly builder: ProgramBuilder;
  readonly parameters: Map<string, TrainedParameter>;
  readonly values: P;
  readonly prepared: G;
  /** The kept parameters in the form that the model's `init` returns. */
  readonly initKept: () => P;
}

function traceStep<S extends OptionSchema, P, G>(
  { model, options, builder, parameters, values, prepared }: Traced<S, P, G>,
  optimizer: ReturnType<typeof makeOptimizer>,
  patience: number | undefined,
): Pick<TrainingProgram, "loss" | "flag" | "bestLoss" | "schedule"> {
  const bestLoss = builder.state("bestLoss", 1, 2);
  const schedule = builder.input("schedule", 1, 3);
  let loss!: Tensor;
  let flag!: Tensor;
  builder.segment("step", () => {
    const shared = model.stepTensors?.(values, prepared, options) ?? [];
    loss = model.loss(values, prepared, options, builder, shared);
    requireTensor(loss, `${model.name}: loss`);
    if (loss.rows !== 1 || loss.cols !== 1) {
      throw new InputError(
        `${model.name}: loss gives ${loss.rows} × ${loss.cols} numbers; expected 1 × 1. Take the mean or the sum, such as meanRows of a column.`,
      );
    }
    const trained = [...parameters.values()];
    const found = gradients(
      loss,
      trained.map(({ tensor }) => tensor),
    );
    flag = trackBest(loss, bestLoss, patience);
    trained.forEach((parameter, i) => {
      const { name, tensor, slots, kept } = parameter;
      const gradient = found[i];
      if (gradient === undefined) {
        // without a gradient the optimiser never copies it, so its kept values are the tensor itself
        parameters.set(name, { ...parameter, kept: tensor });
        return;
      }
      const best = kept === tensor ? undefined : kept;
      optimizer.step({ parameter: tensor, gradient, slots: slots.map((slot) => slot.tensor), best, flag, schedule });
    });
    model.update?.(values, prepared, options, builder, shared);
    return [loss, flag];
  });
  return { loss, flag, bestLoss, schedule };
}

/** Runtime validation for models written without types. */
function requireTensor(value: Tensor, where: string): void {
  if (typeof value?.rows === "number" && typeof value.cols === "number") return;
  throw new InputError(`${where} gives ${valueText(value)}; expected a tensor.`);
}

function traceEmbed<S extends OptionSchema, P, G>(traced: Traced<S, P, G>): Tensor {
  const { model, graph, options, builder, prepared, initKept } = traced;
  let embedding!: Tensor;
  builder.segment("embed", () => {
    embedding = model.embed(initKept(), prepared, options);
    requireTensor(embedding, `${model.name}: embed`);
    if (embedding.rows !== graph.numNodes) {
      throw new InputError(
        `${model.name}: embed gives ${embedding.rows} rows; expected one for each of ${graph.numNodes} nodes.`,
      );
    }
    return [embedding];
  });
  return embedding;
}

function traceLayers<S extends OptionSchema, P, G>(traced: Traced<S, P, G>): readonly EncoderLayer[] {
  const { model, options, builder, prepared, initKept } = traced;
  let layers: readonly EncoderLayer[] = [];
  builder.segment("layers", () => {
    layers = model.layers?.(initKept(), prepared, options) ?? [];
    return layers.map(({ tensor }) => tensor);
  });
  return layers;
}

function traceRelations<S extends OptionSchema, P, G>(traced: Traced<S, P, G>): readonly RelationVectors[] {
  const { model, graph, options, builder, prepared, initKept } = traced;
  const relations: RelationVectors[] = [];
  if (model.relationVectors === undefined) return relations;
  let basis: Tensor | undefined;
  builder.segment(BASIS_SEGMENT, () => {
    const value = model.relationBasis?.(initKept(), prepared, options);
    if (value === undefined) return [];
    basis = builder.state("relations.basis", value.rows, value.cols, { isTransient: true });
    assign(basis, value);
    return [];
  });
  for (let d = 0; d < graph.relations.length; d++) {
    builder.segment(relationSegment(d), () => {
      const vectors = model.relationVectors!(initKept(), prepared, options, d, basis);
      relations.push(vectors);
      // the basis is a result, too: a segment that does not read it must not use its memory
      return [vectors.source, vectors.target, basis].filter((tensor) => tensor !== undefined);
    });
  }
  return relations;
}

/** All tensors that a run changes, by their names in a snapshot. */
export function stateTensors({ parameters, bestLoss }: TrainingTensors): (readonly [string, Tensor])[] {
  return [
    ...parameters.flatMap(({ name, tensor, slots, kept }) => [
      [`parameter.${name}`, tensor] as const,
      ...slots.map((slot) => [`${slot.name}.${name}`, slot.tensor] as const),
      ...(kept === tensor ? [] : [[`best.${name}`, kept] as const]),
    ]),
    ["bestLoss", bestLoss] as const,
  ];
}
