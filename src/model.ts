/** What a model of one's own is written with: `hmge/model`. An example: examples/own-model.mjs. */

export { choice, flag, int, intList, number, type OptionSchema, type OptionValues } from "./core/options.js";
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
export type { ProgramBuilder, Tensor } from "./engine/program.js";
export type { SparseOperator } from "./engine/sparse.js";
export { normalizedOperator } from "./graph/normalize.js";
export { undirectedRelations } from "./graph/union.js";
export { aliasTable } from "./nn/alias-table.js";
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
export { defineModel, type GraphInput, type Model, type NamedArrays, type ParameterFactory } from "./nn/model.js";
