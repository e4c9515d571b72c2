/** Files in and out; Node only. */

export type { Embedding } from "../core/embedding.js";
export type { FeatureMatrix, ImportReport, Multiplex, Relation } from "../graph/multiplex.js";
export type { NodeKinds } from "../graph/node-kinds.js";
export type { EmbeddingFormat } from "./formats/format.js";
export { embeddingFormats } from "./formats/index.js";
export { type Labels, loadLabels } from "./labels.js";
export { type LoadedGraph, type LoadOptions, loadGraph } from "./load-graph.js";
export { loadNodeSplit } from "./node-split.js";
export type { ReadingProgress } from "./reading-progress.js";
export {
  decodeSafetensors,
  encodeSafetensors,
  type NamedTensor,
  readSafetensors,
  type Safetensors,
  type StoredTensor,
  type TensorData,
  writeSafetensors,
} from "./safetensors.js";
export { type DatasetParts, writeDataset } from "./write-dataset.js";
export {
  checkWritable,
  formatByName,
  formatByPath,
  readEmbeddings,
  writeEmbeddings,
  writeEmbeddingsFolder,
} from "./write-embeddings.js";
