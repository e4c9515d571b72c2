/** What a model of one's own is written with: `hmge/model`. An example: examples/own-model.mjs. */

export {
  choice,
  flag,
  int,
  intList,
  type NumberBounds,
  number,
  type OptionSchema,
  type OptionSpec,
  type OptionText,
  type OptionValues,
} from "./core/options.js";
export type { Rng } from "./core/rng.js";
export type { Stage, Work } from "./core/work.js";
export {
  add,
  addRow,
  bceLogits,
  concatColumns,
  convolve,
  dropout,
  exp,
  gatherDots,
  gatherRows,
  log,
  logSigmoid,
  matmul,
  matmulTransposeA,
  meanRows,
  multiply,
  normalizeRows,
  ones,
  pairDots,
  permuteRows,
  prelu,
  randomKey,
  randomPermutation,
  randomWalks,
  relu,
  reshape,
  rowDots,
  sampleEntries,
  sampleNodes,
  scale,
  scaleRows,
  shufflePair,
  sigmoid,
  sliceColumns,
  softmaxCrossEntropy,
  softmaxRows,
  softplus,
  spmm,
  spmmSum,
  stopGradient,
  sumRows,
  sumSquares,
  tanh,
  windowPairs,
} from "./engine/ops/index.js";
export type { WalkAttributes, WalkInputs } from "./engine/ops/random-walks.js";
export type { SampledEntries } from "./engine/ops/sample-entries.js";
export type { Permutation } from "./engine/ops/shuffle-pair.js";
export type { Pairs } from "./engine/ops/window-pairs.js";
export type {
  DType,
  Instruction,
  Op,
  OutputSpec,
  Program,
  ProgramBuilder,
  Tensor,
  TensorKind,
} from "./engine/program.js";
export type { SparseOperator } from "./engine/sparse.js";
export type { Relation } from "./graph/multiplex.js";
export {
  type NormalizedOperator,
  type NormalizeOptions,
  normalizedOperator,
} from "./graph/normalize.js";
export { undirectedRelations } from "./graph/union.js";
export {
  constantly,
  type Initializer,
  normal,
  truncatedNormal,
  uniform,
  xavierNormal,
  xavierUniform,
  zeros,
} from "./nn/init.js";
export {
  defineModel,
  type EncoderLayer,
  type FeatureInput,
  type GraphInput,
  type LabelInput,
  type Model,
  type NamedArrays,
  type Optimization,
  type ParameterFactory,
  type Part,
  type PrecomputeDescription,
  type PrecomputeTools,
  type Preset,
  type RelationInput,
  type RelationVectors,
  type RelationWeights,
  type StepListener,
  type TrainingDefaults,
  type VectorView,
} from "./nn/model.js";
export { aliasTable } from "./nn/walks/alias-table.js";
export type { CsrMatrix, CsrPattern, ScaledCsr } from "./numeric/csr.js";
export type { FloatArray } from "./numeric/rows.js";
