/** Every op that a model may call. The contract tests find the ops through this file. */

export { type AdamAttributes, adam, adamOp } from "./adam.js";
export { add, addOp } from "./add.js";
export { addRow, addRowOp } from "./add-row.js";
export { assign, assignOp } from "./assign.js";
export { bceLogits, bceLogitsGradientOp, bceLogitsOp } from "./bce-logits.js";
export { blockMatmul, blockMatmulGradientOp, blockMatmulOp, blockStarts } from "./block-matmul.js";
export { concatColumns, concatColumnsOp, placeColumnsOp, sliceColumns, sliceColumnsOp } from "./columns.js";
export { convolve, convolveGradientOp, convolveOp } from "./convolve.js";
export { dropout, dropoutOp } from "./dropout.js";
export { gatherDots, gatherDotsGradientOp, gatherDotsOp } from "./gather-dots.js";
export { gatherRows, gatherRowsGradientOp, gatherRowsOp } from "./gather-rows.js";
export { type Groups, groupIndex, groupIndexOp } from "./group-index.js";
export { interleaveIndex, interleaveIndexOp } from "./interleave-index.js";
export { knn, knnOp } from "./knn.js";
export { linearCombination, linearCombinationOp } from "./linear-combination.js";
export { matmul, matmulOp, matmulTransposeA, matmulTransposeAOp } from "./matmul.js";
export { MISSING, present, presentOp } from "./missing.js";
export { multiply, multiplyOp } from "./multiply.js";
export { multiplyAddChain, multiplyAddChainOp } from "./multiply-add-chain.js";
export { clipRows, normalizeRows, normalizeRowsGradientOp, normalizeRowsOp } from "./normalize-rows.js";
export { ones, onesOp } from "./ones.js";
export { pairDots, pairDotsGradientOp, pairDotsOp } from "./pair-dots.js";
export { permuteRows, permuteRowsOp } from "./permute-rows.js";
export { prelu, preluGradientOp, preluOp, preluSlopeGradientOp } from "./prelu.js";
export { randomKey } from "./random-key.js";
export { randomWalks, randomWalksOp, type WalkAttributes } from "./random-walks.js";
export { maskScale, maskScaleOp, relu, reluOp } from "./relu.js";
export { reshape, reshapeOp } from "./reshape.js";
export { type RmspropAttributes, rmsprop, rmspropOp } from "./rmsprop.js";
export { type GroupedTables, sampleByGroup, sampleByGroupOp } from "./sample-by-group.js";
export { type SampledEntries, sampleEntries, sampleEntriesOp } from "./sample-entries.js";
export { sampleNodes, sampleNodesOp } from "./sample-nodes.js";
export { sampleNonEdges, sampleNonEdgesOp } from "./sample-non-edges.js";
export { scale, scaleOp } from "./scale.js";
export { rowDots, rowDotsOp, scaleRows, scaleRowsOp } from "./scale-rows.js";
export { type ListTensors, PANEL, searchLists, searchListsOp } from "./search-lists.js";
export { type SgdAttributes, sgd, sgdOp } from "./sgd.js";
export {
  type Permutation,
  randomPermutation,
  shufflePair,
  shufflePairGradientOp,
  shufflePairOp,
} from "./shuffle-pair.js";
export {
  softmaxCrossEntropy,
  softmaxCrossEntropyGradientOp,
  softmaxCrossEntropyOp,
} from "./softmax-cross-entropy.js";
export { softmaxRows, softmaxRowsGradientOp, softmaxRowsOp } from "./softmax-rows.js";
export { spmm, spmmOp } from "./spmm.js";
export { spmmDropout, spmmValuesOp } from "./spmm-dropout.js";
export { spmmSum, spmmSumGradientOp, spmmSumOp } from "./spmm-sum.js";
export { stopGradient, stopGradientOp } from "./stop-gradient.js";
export { broadcastRow, broadcastRowOp, meanRows, sumRows, sumRowsOp } from "./sum-rows.js";
export { sumSquares, sumSquaresGradientOp, sumSquaresOp } from "./sum-squares.js";
export { trackBest, trackBestOp } from "./track-best.js";
export { type TsneAttributes, tsneGradientOp, tsneLoss, tsneLossOp } from "./tsne.js";
export { type TsneState, tsneUpdate, tsneUpdateOp } from "./tsne-update.js";
export {
  exp,
  inverseSqrt,
  log,
  logSigmoid,
  reciprocal,
  sigmoid,
  softplus,
  sqrt,
  tanh,
  unaryGradientOp,
  unaryOp,
} from "./unary.js";
export { type Pairs, pairsPerWalk, windowPairs, windowPairsOp } from "./window-pairs.js";
