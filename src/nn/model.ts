/** The contract between a model and everything that trains, lists or documents it. */

import type { OptionSchema, OptionValues } from "../core/options.js";
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

/** What a model sees of a graph: no ids, no labels. */
export interface GraphInput {
  readonly numNodes: number;
  readonly relations: readonly RelationInput[];
  readonly directed: boolean;
  readonly features?: FeatureInput;
}

/** Declares a parameter, or hands back the tensor that stands for it (its best copy, a loaded value). */
export type ParameterFactory = (name: string, rows: number, cols: number, initializer: Initializer) => Tensor;

export interface TrainingDefaults {
  readonly epochs: number;
  readonly patience: number;
  readonly learningRate: number;
  readonly weightDecay: number;
}

/** Vectors on their way through the encoder, one row per node. */
export interface EncoderLayer {
  readonly name: string;
  readonly tensor: Tensor;
}

/** Per-relation numbers that a model can explain itself with, such as combination weights. */
export interface RelationWeights {
  readonly name: string;
  readonly initial: readonly number[];
  readonly final: readonly number[];
}

export interface Model<S extends OptionSchema = OptionSchema, P = unknown, G = unknown> {
  readonly name: string;
  /** Authors, year and where to find the paper. */
  readonly paper: string;
  /** One line: what it is and when to choose it. */
  readonly summary: string;
  readonly options: S;
  /** Named sets of option values; `training` values may be among them. */
  readonly presets: Readonly<Record<string, Preset<S>>>;
  readonly training: TrainingDefaults;
  /** Throws InputError when these options do not fit this graph. */
  check?(graph: GraphInput, options: OptionValues<S>): void;
  /** What is made of the graph once and read by loss and embedding alike: normalised matrices, constants. */
  prepare(graph: GraphInput, options: OptionValues<S>, builder: ProgramBuilder): G;
  /** Declares all parameters. */
  init(parameter: ParameterFactory, graph: GraphInput, options: OptionValues<S>): P;
  /** The loss of one epoch, 1 × 1. Random choices are inputs drawn through the builder. */
  loss(parameters: P, prepared: G, options: OptionValues<S>, builder: ProgramBuilder): Tensor;
  /** The vectors, numNodes × dim, without any randomness. */
  embed(parameters: P, prepared: G, options: OptionValues<S>): Tensor;
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

export interface Preset<S extends OptionSchema> {
  readonly doc: string;
  readonly options: Partial<OptionValues<S>>;
  readonly training?: Partial<TrainingDefaults>;
}

/** Declares a model; fixes its types. */
export function defineModel<S extends OptionSchema, P, G>(model: Model<S, P, G>): Model<S, P, G> {
  return model;
}
