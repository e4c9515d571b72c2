/**
 * Names of what the functions of the public surface take and give, for whoever writes a function around them: a compiler
 * that writes declarations has to name each of these.
 */

export type { OptionSchema, OptionSpec, OptionValues } from "./core/options.js";
export type { Stage, Work } from "./core/work.js";
export type { Executable, StreamName } from "./engine/engine.js";
export type {
  DType,
  GradientContext,
  HostTensor,
  Instruction,
  KernelArgument,
  Op,
  OutputSpec,
  Program,
  ProgramBuilder,
  RandomInput,
  Tensor,
  TensorKind,
} from "./engine/program.js";
export type { SparseOperator } from "./engine/sparse.js";
export type { BuildOptions } from "./graph/build-multiplex.js";
export type { GraphDescription, RelationDescription } from "./graph/describe.js";
export type { EdgeEnds } from "./graph/edge-ends.js";
export type { FeatureMatrix, ImportReport } from "./graph/multiplex.js";
export type { EdgeListOptions } from "./graph/multiplex-from-edges.js";
export type { NodeKinds } from "./graph/node-kinds.js";
export type { HoldOutOptions, RelationPairs } from "./graph/split.js";
export type { SbmGraph, SbmOptions } from "./graph/synthetic/sbm.js";
export type { FeatureWeights } from "./nn/feature-weights.js";
export type { Initializer } from "./nn/init.js";
export type {
  EncoderLayer,
  FeatureInput,
  GraphInput,
  NamedArrays,
  Optimization,
  ParameterFactory,
  Part,
  PrecomputeTools,
  Preset,
  RelationInput,
  RelationVectors,
  RelationWeights,
  StepListener,
  TrainingDefaults,
  VectorView,
} from "./nn/model.js";
export type { ChosenScaling, ChosenScalingRow } from "./tasks/choose-scaling.js";
export type { F1Scores } from "./tasks/classification-metrics.js";
export type { ClusteringRow } from "./tasks/clustering.js";
export type { ExpectedScores, ExpectedValue } from "./tasks/expected-score.js";
export type { LargestClass } from "./tasks/frequent-labels.js";
export type { NegativesAdded, Unmatched } from "./tasks/held-out-links.js";
export type { LabelledNodes } from "./tasks/labelled-nodes.js";
export type { LinkOptions, LinkScores, NamedScorer, NodePairs } from "./tasks/link-prediction.js";
export type { NegativeKind, NegativeRequest, Negatives } from "./tasks/negatives.js";
export type { SearchMethod, SearchProgress, SearchReport } from "./tasks/neighbors/find-nearest.js";
export type { ClassificationRow, Protocol } from "./tasks/node-classification.js";
export type { GivenSplit, NodeSplit, ShareOptions, SplitPart } from "./tasks/node-split.js";
export type { PrincipalComponents } from "./tasks/pca.js";
export type { BaselinePrediction, PredictedNodes } from "./tasks/predict-labels.js";
export type { PredictedLink } from "./tasks/predict-links.js";
export type { SearchRow } from "./tasks/similarity-search.js";
export type { MeanDeviation, Spread } from "./tasks/spread.js";
export type { RowKind } from "./tasks/standardize.js";
export type { TsneProgress } from "./tasks/tsne.js";
export type { StopReason } from "./train/run-settings.js";
export type { RunIdentity, RunProgress, SnapshotTensor } from "./train/snapshot.js";
export type { TrainSettings } from "./train/train.js";
export type { PreparationListener } from "./train/train-settings.js";
