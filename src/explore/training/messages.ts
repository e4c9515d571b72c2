/** Messages between the page and the worker that trains. */

import type { Multiplex } from "../../index.js";
import type { DecoderVectors, Facet, NodeMap } from "../scene/scene.js";
import type { CodedEdges } from "./coded-edges.js";

/** A training that a visitor asks for. */
export interface TrainingRequest {
  /** Name of the edges, such as the file without its extension. */
  readonly title: string;
  readonly edges: CodedEdges;
  /** Whether the direction of edges is kept. */
  readonly directed: boolean;
  /** Name of the model. */
  readonly model: string;
  /** Options of the training and of the model that differ from the defaults, and the engine; texts as on the command line. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Number of threads. Default: all of them if the page is cross-origin isolated, otherwise one. */
  readonly threads?: number;
}

export type ToWorker =
  | { readonly type: "train"; readonly request: TrainingRequest }
  | { readonly type: "pause" | "continue" | "stop" };

export interface TrainingProgress {
  readonly epoch: number;
  /** Maximum number of epochs. */
  readonly epochs: number;
  readonly loss: number;
  /** Expected seconds until the last epoch; training may end earlier. */
  readonly secondsLeft: number;
}

/** A stage of the preparation, and the share of the whole preparation that is done. */
export interface PreparationStage {
  readonly stage: string;
  readonly share: number;
}

/** The nodes on the plane of the two first principal components. */
export interface MapSnapshot {
  readonly epoch: number;
  /** x and y of each node in turn, in the order of the sorted ids. */
  readonly positions: Float32Array<ArrayBuffer>;
}

export interface TrainingResult {
  readonly title: string;
  readonly model: string;
  readonly seed: number;
  readonly graph: Multiplex;
  readonly dim: number;
  /** `numNodes × dim`, row by row, in the order of `graph.ids`. */
  readonly vectors: Float32Array<ArrayBuffer>;
  /** Loss of each epoch. */
  readonly losses: readonly number[];
  /** Groups of columns of the vectors, first to last. */
  readonly facets: readonly Facet[];
  /** Maps of the vectors; the best first. */
  readonly maps: readonly NodeMap[];
  /** Facts about the graph that the preparation found. */
  readonly findings: readonly string[];
  readonly decoder?: { readonly score: "dot" | "cosine"; readonly relations: readonly DecoderVectors[] };
  /** Lines for the visitor, such as why there are no decoder vectors. */
  readonly notes: readonly string[];
  /** Complete options of the model. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Whether the visitor stopped the training. */
  readonly stopped: boolean;
  /** Code of the engine that trained. */
  readonly kernels: string;
  /** Seconds of the preparation and of the epochs. */
  readonly preparationSeconds: number;
  readonly epochSeconds: number;
}

export type FromWorker =
  | ({ readonly type: "stage" } & PreparationStage)
  | ({ readonly type: "progress" } & TrainingProgress)
  | ({ readonly type: "snapshot" } & MapSnapshot)
  | { readonly type: "trained"; readonly result: TrainingResult }
  /** Stopped before the first epoch. */
  | { readonly type: "stopped" }
  | { readonly type: "failed"; readonly message: string };
