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
export type { FeatureMatrix, ImportReport, NodeKinds } from "./graph/multiplex.js";
export type { EdgeListOptions } from "./graph/multiplex-from-edges.js";
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
  PrecomputeDescription,
  PrecomputeTools,
  Preset,
  RelationInput,
  RelationVectors,
  RelationWeights,
  StepListener,
  TrainingDefaults,
  VectorView,
} from "./nn/model.js";
export type { CsrMatrix, CsrPattern, ScaledCsr } from "./numeric/csr.js";
export type { FloatArray } from "./numeric/rows.js";
export type { ChosenScaling, ChosenScalingRow } from "./tasks/classification/choose-scaling.js";
export type { ClassificationRow, Protocol } from "./tasks/classification/node-classification.js";
export type { RowKind } from "./tasks/classification/standardize.js";
export type { ClusteringRow } from "./tasks/clustering/clustering.js";
export type { LargestClass } from "./tasks/labels/frequent-labels.js";
export type { LabelledNodes } from "./tasks/labels/labelled-nodes.js";
export type {
  /** @deprecated Use MatchedSplit. */
  MatchedSplit as GivenSplit,
  MatchedSplit,
  NodeSplit,
  ShareOptions,
  SplitPart,
} from "./tasks/labels/node-split.js";
export type { LinkOptions, LinkScores } from "./tasks/links/evaluate-links.js";
export type { NegativesAdded, Unmatched } from "./tasks/links/held-out-links.js";
export type { NegativeKind, NegativeRequest, Negatives } from "./tasks/links/negatives.js";
export type { NamedScorer, NodePairs } from "./tasks/links/pair-scorers.js";
export type { PredictedLink } from "./tasks/links/predict-links.js";
export type { F1Scores } from "./tasks/metrics/classification-metrics.js";
export type {
  MeanDeviation,
  RepeatedScore,
  /** @deprecated Use RepeatedScore. */
  RepeatedScore as Spread,
} from "./tasks/metrics/mean-deviation.js";
export type { SearchMethod, SearchProgress, SearchReport } from "./tasks/neighbors/search/find-nearest.js";
export type { SearchRow } from "./tasks/neighbors/sim-at-k.js";
export type { ExpectedScores, ExpectedValue } from "./tasks/prediction/expected-score.js";
export type { BaselinePrediction, PredictedNodes } from "./tasks/prediction/predict-labels.js";
export type { PrincipalComponents } from "./tasks/projection/pca.js";
export type { TsneProgress } from "./tasks/projection/tsne.js";
export type { StopReason } from "./train/run-settings.js";
export type { RunIdentity, RunProgress, SnapshotTensor } from "./train/snapshot.js";
export type { TrainSettings } from "./train/train.js";
export type { PreparationListener } from "./train/train-settings.js";
