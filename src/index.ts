/** The public surface. Files and databases are in `hmge/io`. */

export type { Embedding, TrainedDecoder, VectorRows } from "./core/embedding.js";
export { InputError, InternalError, UnsupportedError } from "./core/errors.js";
export { Rng } from "./core/rng.js";
export type { StopSignal } from "./core/validation.js";
export { VERSION } from "./core/version.js";
export { createEngine, type EngineName, type EngineOptions } from "./engine/create-engine.js";
export type { Engine } from "./engine/engine.js";
export type { GpuAdapter, GpuDevice } from "./engine/gpu-objects.js";
export { contentHash } from "./graph/content-hash.js";
export { describeGraph } from "./graph/describe.js";
export type { Multiplex, Relation } from "./graph/multiplex.js";
export { type EdgeList, multiplexFromEdges } from "./graph/multiplex-from-edges.js";
export { type HoldOut, holdOutEdges } from "./graph/split.js";
export { generateSbm } from "./graph/synthetic/sbm.js";
export * from "./models/index.js";
export * as models from "./models/index.js";
export type { LabelInput, Model } from "./nn/model.js";
export {
  type Classification,
  type ClassificationOptions,
  classifyNodes,
} from "./tasks/classification/node-classification.js";
export { type Clustering, type ClusteringOptions, clusterNodes } from "./tasks/clustering/clustering.js";
export { matchLabels, type NodeLabels } from "./tasks/labels/labelled-nodes.js";
export { type TrainingLabels, trainingLabels } from "./tasks/labels/training-labels.js";
export { evaluateLinks, type LinkResults } from "./tasks/links/evaluate-links.js";
export { type HeldOutLinks, type HeldOutLinksOptions, holdOutLinks } from "./tasks/links/held-out-links.js";
export { linkBaselines } from "./tasks/links/link-baselines.js";
export { drawNegatives } from "./tasks/links/negatives.js";
export {
  cosineScorer,
  decoderScorer,
  dotScorer,
  type LabeledPairs,
  type PairScorer,
  scorePairs,
} from "./tasks/links/pair-scorers.js";
export { type LinkPrediction, type LinkPredictionOptions, predictLinks } from "./tasks/links/predict-links.js";
export * as metrics from "./tasks/metrics/index.js";
export {
  type NeighborsOptions,
  type NeighborTable,
  NO_NEIGHBOR,
  nearestNeighbors,
  neighborsInRow,
} from "./tasks/neighbors/nearest-neighbors.js";
export { centered, type Neighbor, neighborsOf } from "./tasks/neighbors/neighbors-of-node.js";
export { type SearchOptions, type SimilaritySearch, searchSimilar } from "./tasks/neighbors/sim-at-k.js";
export { type FeatureMap, fitFeatureMap } from "./tasks/new-nodes/feature-map.js";
export { fitNeighborMap, type NeighborMap } from "./tasks/new-nodes/neighbor-map.js";
export { type NodeMaps, type PlacedNodes, placeNewNodes } from "./tasks/new-nodes/place-new-nodes.js";
export { type LabelPrediction, type PredictionOptions, predictLabels } from "./tasks/prediction/predict-labels.js";
export { pca, type TsneMap, type TsneOptions, tsne } from "./tasks/projection/index.js";
export { readDecoder } from "./train/decoder.js";
export type { EpochReport, Run } from "./train/run.js";
export type { RelationEmbeddings } from "./train/run-tables.js";
export type { Snapshot } from "./train/snapshot.js";
export { startRun, type TrainOptions, train } from "./train/train.js";
export type { TrainableGraph } from "./train/trainable.js";
export { trainingSchema } from "./train/training-schema.js";
export type * from "./types.js";
