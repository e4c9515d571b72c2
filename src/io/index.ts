/** Files in and out; Node only. */

export type { Embedding, VectorRows } from "../core/embedding.js";
export type { FeatureMatrix, ImportReport, Multiplex, NodeKinds, Relation } from "../graph/multiplex.js";
export {
  checkWritable,
  formatByName,
  formatByPath,
  readEmbeddings,
  writeEmbeddings,
  writeEmbeddingsFolder,
} from "./formats/embedding-files.js";
export type { EmbeddingFormat } from "./formats/format.js";
export { embeddingFormats } from "./formats/index.js";
export {
  decodeSafetensors,
  encodeSafetensors,
  type NamedTensor,
  readSafetensors,
  type Safetensors,
  type SlicedTensor,
  type StoredTensor,
  type TensorData,
  writeSafetensors,
} from "./formats/safetensors.js";
export { type LoadedGraph, type LoadOptions, loadGraph } from "./graph/load-graph.js";
export type { ReadingProgress } from "./graph/reading-progress.js";
export { type DatasetParts, writeDataset } from "./graph/write-dataset.js";
export { type Labels, loadLabels } from "./tables/labels.js";
export { loadNodeSplit } from "./tables/node-split.js";
