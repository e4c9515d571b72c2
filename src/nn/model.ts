/** The interface between a model and the code that trains, lists and documents it. */

import { nextTurn } from "../core/event-loop.js";
import type { OptionSchema, OptionValues } from "../core/options.js";
import type { Sharing } from "../core/sharing.js";
import type { StopSignal } from "../core/validation.js";
import type { Stage } from "../core/work.js";
import type { Engine } from "../engine/engine.js";
import type { ProgramBuilder, Tensor } from "../engine/program.js";
import type { CsrMatrix, CsrPattern } from "../numeric/csr.js";
import type { Initializer } from "./init.js";

/** The adjacency matrix of one relation as models read it. */
export interface RelationInput extends CsrMatrix {
  readonly name: string;
  readonly numEdges: number;
}

/** Node features, nodes × features. */
export interface FeatureInput extends CsrMatrix {
  readonly numColumns: number;
}

/** Classes of the nodes whose label may be used in training, nodes × classes; the other rows are empty. */
export interface LabelInput extends CsrPattern {
  readonly numClasses: number;
}

/** The part of a graph that a model sees: no ids; training labels only if the model is semi-supervised. */
export interface GraphInput {
  readonly numNodes: number;
  readonly relations: readonly RelationInput[];
  readonly directed: boolean;
  readonly features?: FeatureInput;
  readonly labels?: LabelInput;
}

/** Declares a parameter, or returns the tensor that replaces it (its best copy, a loaded value). */
export type ParameterFactory = (name: string, rows: number, cols: number, initializer: Initializer) => Tensor;

/** Default settings of a training. */
export interface TrainingDefaults {
  readonly epochs: number;
  readonly patience: number;
  readonly learningRate: number;
  readonly weightDecay: number;
}

/** How the parameters are updated. */
export interface Optimization {
  /** Default: adam. */
  readonly optimizer?: "adam" | "rmsprop" | "sgd";
  /** The learning rate falls linearly over all steps to this fraction of its initial value. Default 1: it is constant. */
  readonly finalRate?: number;
  /**
   * Which parameters make the vectors: those with the smallest loss (the default), or the last ones, for losses of random samples,
   * whose smallest value means little. Models with several steps per epoch keep the last.
   */
  readonly keep?: "best" | "last";
}

/** Arrays computed before training, by name. */
export type NamedArrays = Readonly<Record<string, Float32Array | Uint32Array>>;

/** A training on the same nodes that another model needs first; `precompute` reads its vectors. */
export interface Part {
  readonly name: string;
  readonly model: Model;
  readonly graph: GraphInput;
  /** Options of its model, preset, epochs. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
}

/**
 * Receives the current stage and how many of its `steps` are done, 0 when it begins. It may return a promise, which the caller
 * awaits.
 */
export type StepListener = (stage: string, done: number, steps: number) => void;

/** What `precompute` may use. */
export interface PrecomputeTools {
  readonly engine: Engine;
  readonly seed: number;
  readonly signal?: StopSignal;
  /** Called when a stage begins and after each of its steps. */
  readonly onStep?: StepListener;
  /** Vectors of the parts in their order, by rows. */
  readonly parts?: readonly Float32Array[];
  /** The processes that share this preparation. Default: this process alone. */
  readonly sharing?: Sharing;
}

/** Runs the work of a stage that has a single step. */
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

/** Vectors after one layer of the encoder, one row per node. */
export interface EncoderLayer {
  readonly name: string;
  readonly tensor: Tensor;
}

/** A facet: columns of the vectors that were computed in one way. Called a view in the API and in run.json, as in the first version. */
export interface VectorView {
  readonly name: string;
  readonly width: number;
}

/** What `precompute` found out. */
export interface PrecomputeDescription {
  /** What the columns of the vectors hold, first to last, for models that put several things side by side. */
  readonly views: readonly VectorView[];
  /** Facts about the graph, one clause each. */
  readonly findings: readonly string[];
}

/** Numbers per relation that explain a model, such as combination weights, before and after training. */
export interface RelationWeights {
  readonly name: string;
  readonly initial: readonly number[];
  readonly final: readonly number[];
}

/** The definition of a model with options S, parameters P and constants G that it prepares from a graph. */
export interface Model<S extends OptionSchema = OptionSchema, P = unknown, G = unknown> {
  readonly name: string;
  /** Authors, year and source of the paper. */
  readonly paper: string;
  readonly year: number;
  /** One line: what it is and when to choose it. */
  readonly summary: string;
  /** Multiply-adds of an epoch in terms of n nodes, D relations, nnz stored entries, dim, and its own options. */
  readonly cost: string;
  /** What the columns of each view hold, one sentence by name; for models whose `describe` returns views. */
  readonly viewDocs?: Readonly<Record<string, string>>;
  /** What it reads in addition to the edges. */
  readonly uses?: readonly ("features" | "labels")[];
  readonly options: S;
  /** Named sets of option values; `training` values may be among them. */
  readonly presets: Readonly<Record<string, Preset<S>>>;
  readonly training: TrainingDefaults;
  readonly optimization?: Optimization;
  /** Throws InputError if these options do not fit this graph. */
  check?(graph: GraphInput, options: OptionValues<S>): void;
  /** Notes for a user who trains with these options on this graph. */
  notes?(graph: GraphInput, options: OptionValues<S>): string[];
  /** Optimiser steps per epoch, each with its own random inputs. Default: 1. */
  steps?(graph: GraphInput, options: OptionValues<S>): number;
  /** Trainings that the model needs before its own training, in their order. */
  parts?(graph: GraphInput, options: OptionValues<S>): readonly Part[];
  /** Approximate bytes that `precompute` and `prepare` need in addition to the graph and the engine's memory. Default: 0. */
  hostBytes?(graph: GraphInput): number;
  /** `precompute` may find that less must be learnt. An epoch then needs at least this share of the estimated work. Default: 1. */
  minEpochShare?(graph: GraphInput, options: OptionValues<S>): number;
  /** The stages of `precompute` in their order, with the names it passes to `onStep`; it may skip some. */
  stages?(graph: GraphInput, options: OptionValues<S>): readonly Stage[];
  /** Work before training that is not part of the traced program, such as lists of the most similar nodes. */
  precompute?(graph: GraphInput, options: OptionValues<S>, tools: PrecomputeTools): Promise<NamedArrays>;
  /**
   * Computed once from the graph and read by both `loss` and `embed`: normalised matrices, constants. Without the arrays of
   * `precompute` only shapes matter, to estimate a run.
   */
  prepare(graph: GraphInput, options: OptionValues<S>, builder: ProgramBuilder, arrays?: NamedArrays): G;
  /** Declares all parameters; their shapes may depend on the arrays of `precompute`. */
  init(parameter: ParameterFactory, graph: GraphInput, options: OptionValues<S>, arrays?: NamedArrays): P;
  /** Tensors that `loss` and `update` of the same step both read, computed once before the step changes the parameters. */
  stepTensors?(parameters: P, prepared: G, options: OptionValues<S>): readonly Tensor[];
  /** The loss of one step, 1 × 1. Random choices are inputs drawn through the builder. `shared`: from `stepTensors`. */
  loss(
    parameters: P,
    prepared: G,
    options: OptionValues<S>,
    builder: ProgramBuilder,
    shared: readonly Tensor[],
  ): Tensor;
  /** Changes of parameters that are no gradient steps, traced at the end of each step. `shared`: from `stepTensors`. */
  update?(
    parameters: P,
    prepared: G,
    options: OptionValues<S>,
    builder: ProgramBuilder,
    shared: readonly Tensor[],
  ): void;
  /** The vectors, numNodes × dim, without any randomness. */
  embed(parameters: P, prepared: G, options: OptionValues<S>): Tensor;
  /** What the user should know about the result of `precompute`. */
  describe?(graph: GraphInput, options: OptionValues<S>, arrays: NamedArrays | undefined): PrecomputeDescription;
  /**
   * Rows from which the vectors of all relations are computed. They are computed once and passed to `relationVectors`; without
   * this method every relation would compute them again, which takes hours for thousands of relations.
   */
  relationBasis?(parameters: P, prepared: G, options: OptionValues<S>): Tensor;
  /** Vectors of one relation, for models that have them. `relationScore` says how they score pairs. */
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

/** A named set of option values. */
export interface Preset<S extends OptionSchema> {
  readonly doc: string;
  readonly options: Partial<OptionValues<S>>;
  readonly training?: Partial<TrainingDefaults>;
}

/** Declares a model: returns its argument, and fixes its types. */
export function defineModel<S extends OptionSchema, P, G>(model: Model<S, P, G>): Model<S, P, G> {
  return model;
}
