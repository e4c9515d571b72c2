/** The contract between a model and everything that trains, lists or documents it. */

import { nextTurn } from "../core/event-loop.js";
import type { OptionSchema, OptionValues } from "../core/options.js";
import type { Stage } from "../core/work.js";
import type { Engine } from "../engine/engine.js";
import type { ProgramBuilder, Tensor } from "../engine/program.js";
import type { Initializer } from "./init.js";

/** One relation as models read it: a CSR adjacency. */
export interface RelationInput {
  readonly name: string;
  readonly rowStart: Uint32Array;
  readonly columns: Uint32Array;
  readonly values?: Float32Array;
  readonly numEdges: number;
}

/** Node features in CSR form, nodes × features; without `values` every stored entry is 1. */
export interface FeatureInput {
  readonly numColumns: number;
  readonly rowStart: Uint32Array;
  readonly columns: Uint32Array;
  readonly values?: Float32Array;
}

/** Classes of the nodes whose label may be used in training, nodes × classes in CSR form; the other rows are empty. */
export interface LabelInput {
  readonly numClasses: number;
  readonly rowStart: Uint32Array;
  readonly columns: Uint32Array;
}

/** What a model sees of a graph: no ids; labels only where the model is semi-supervised, and only those for training. */
export interface GraphInput {
  readonly numNodes: number;
  readonly relations: readonly RelationInput[];
  readonly directed: boolean;
  readonly features?: FeatureInput;
  readonly labels?: LabelInput;
}

/** Declares a parameter, or hands back the tensor that stands for it (its best copy, a loaded value). */
export type ParameterFactory = (name: string, rows: number, cols: number, initializer: Initializer) => Tensor;

/** How a model is trained unless told otherwise. */
export interface TrainingDefaults {
  readonly epochs: number;
  readonly patience: number;
  readonly learningRate: number;
  readonly weightDecay: number;
}

/** How the parameters are moved. */
export interface Optimization {
  /** Default: adam. */
  readonly optimizer?: "adam" | "rmsprop" | "sgd";
  /** The learning rate falls linearly over all steps to this share of itself. Default 1: it stays. */
  readonly finalRate?: number;
  /**
   * Which parameters make the vectors: those of the smallest loss (the default), or the last ones, for losses of random
   * samples, where the smallest says little. Models of several steps an epoch keep the last.
   */
  readonly keep?: "best" | "last";
}

/** Arrays worked out before training, by name. */
export type NamedArrays = Readonly<Record<string, Float32Array | Uint32Array>>;

/** A training that comes before, on the same nodes; `precompute` reads its vectors. */
export interface Part {
  readonly name: string;
  readonly model: Model;
  readonly graph: GraphInput;
  /** Options of its model, preset, epochs. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
}

/**
 * Hears which stage is at work and how many of its steps are done, 0 when it begins; whoever calls it awaits the promise
 * it may return.
 */
export type StepListener = (stage: string, done: number, of: number) => void;

/** What `precompute` may use. */
export interface PrecomputeTools {
  readonly engine: Engine;
  readonly seed: number;
  readonly signal?: AbortSignal;
  /** Called when a stage begins and after each of its steps. */
  readonly onStep?: StepListener;
  /** Vectors of the parts in their order, by rows. */
  readonly parts?: readonly Float32Array[];
}

/** Does the work of a stage that has no steps of its own. */
export async function inStage<T>(
  { onStep, signal }: PrecomputeTools,
  stage: string,
  work: () => T | Promise<T>,
): Promise<T> {
  await onStep?.(stage, 0, 1);
  await nextTurn();
  signal?.throwIfAborted();
  const result = await work();
  await onStep?.(stage, 1, 1);
  return result;
}

/** Vectors for one relation: the score of a pair (i, j) in it is source_i·target_j (or their cosine). */
export interface RelationVectors {
  readonly source: Tensor;
  /** Default: the same as `source`. */
  readonly target?: Tensor;
}

/** Vectors on their way through the encoder, one row per node. */
export interface EncoderLayer {
  readonly name: string;
  readonly tensor: Tensor;
}

/** Columns of the vectors that belong together. */
export interface VectorView {
  readonly name: string;
  readonly width: number;
}

/** Per-relation numbers that a model can explain itself with, such as combination weights. */
export interface RelationWeights {
  readonly name: string;
  readonly initial: readonly number[];
  readonly final: readonly number[];
}

/** All that trains, lists and documents a model: options S, parameters P, and what it prepares of a graph, G. */
export interface Model<S extends OptionSchema = OptionSchema, P = unknown, G = unknown> {
  readonly name: string;
  /** Authors, year and where to find the paper. */
  readonly paper: string;
  readonly year: number;
  /** One line: what it is and when to choose it. */
  readonly summary: string;
  /** Multiply-adds of an epoch in terms of n nodes, D relations, nnz stored entries, dim, and its own options. */
  readonly cost: string;
  /** What it reads beside the edges. */
  readonly uses?: readonly ("features" | "labels")[];
  readonly options: S;
  /** Named sets of option values; `training` values may be among them. */
  readonly presets: Readonly<Record<string, Preset<S>>>;
  readonly training: TrainingDefaults;
  readonly optimization?: Optimization;
  /** Throws InputError when these options do not fit this graph. */
  check?(graph: GraphInput, options: OptionValues<S>): void;
  /** What someone should know who trains with these options on this graph. */
  notes?(graph: GraphInput, options: OptionValues<S>): string[];
  /** Steps of the optimiser in one epoch, each with random inputs of its own. Default: 1. */
  steps?(graph: GraphInput, options: OptionValues<S>): number;
  /** What is trained first, one after the other. */
  parts?(graph: GraphInput, options: OptionValues<S>): readonly Part[];
  /** Bytes that `precompute` and `prepare` hold beside the graph and outside the engine, about. Default: none to speak of. */
  hostBytes?(graph: GraphInput): number;
  /** Share of the estimated work of an epoch that an epoch may take where `precompute` finds less to learn. Default: 1. */
  leastEpochShare?(graph: GraphInput, options: OptionValues<S>): number;
  /** The stages of `precompute` in their order, under the names it gives to `onStep`; those that turn out to be needless are skipped. */
  stages?(graph: GraphInput, options: OptionValues<S>): readonly Stage[];
  /** Work that comes before training and cannot be traced with it, such as lists of the most similar nodes. */
  precompute?(graph: GraphInput, options: OptionValues<S>, tools: PrecomputeTools): Promise<NamedArrays>;
  /**
   * What is made of the graph once and read by loss and embedding alike: normalised matrices, constants. Without the
   * arrays of `precompute` only shapes are asked for, to estimate a run.
   */
  prepare(graph: GraphInput, options: OptionValues<S>, builder: ProgramBuilder, arrays?: NamedArrays): G;
  /** Declares all parameters; their shapes may depend on what was worked out before. */
  init(parameter: ParameterFactory, graph: GraphInput, options: OptionValues<S>, arrays?: NamedArrays): P;
  /** The loss of one step, 1 × 1. Random choices are inputs drawn through the builder. */
  loss(parameters: P, prepared: G, options: OptionValues<S>, builder: ProgramBuilder): Tensor;
  /** Changes of parameters that are no gradient steps, traced at the end of each step. */
  update?(parameters: P, prepared: G, options: OptionValues<S>, builder: ProgramBuilder): void;
  /** The vectors, numNodes × dim, without any randomness. */
  embed(parameters: P, prepared: G, options: OptionValues<S>): Tensor;
  /** What the columns of the vectors hold, first to last, for models that put several things side by side. */
  views?(arrays: NamedArrays | undefined): readonly VectorView[];
  /** What was found out about the graph before training, a clause each, for whoever trains. */
  findings?(graph: GraphInput, arrays: NamedArrays | undefined): readonly string[];
  /**
   * Rows that the vectors of all relations are made of. They are computed once and passed to `relationVectors`; without
   * this method each relation would compute them again, which takes hours for thousands of relations.
   */
  relationBasis?(parameters: P, prepared: G, options: OptionValues<S>): Tensor;
  /** Vectors of one relation, for models that have them, and how they score pairs. */
  relationVectors?(
    parameters: P,
    prepared: G,
    options: OptionValues<S>,
    relation: number,
    basis?: Tensor,
  ): RelationVectors;
  readonly relationScore?: "dot" | "cosine";
  /** The vectors after each layer of the encoder, the embedding last. */
  layers?(parameters: P, prepared: G, options: OptionValues<S>): EncoderLayer[];
  /** What the trained parameters say about the relations. */
  explain?(
    initial: (name: string) => ArrayLike<number>,
    final: (name: string) => ArrayLike<number>,
    graph: GraphInput,
    options: OptionValues<S>,
  ): RelationWeights[];
}

/** Option values under one name. */
export interface Preset<S extends OptionSchema> {
  readonly doc: string;
  readonly options: Partial<OptionValues<S>>;
  readonly training?: Partial<TrainingDefaults>;
}

/** Declares a model; fixes its types. */
export function defineModel<S extends OptionSchema, P, G>(model: Model<S, P, G>): Model<S, P, G> {
  return model;
}
