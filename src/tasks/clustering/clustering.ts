/**
 * Node clustering: k-means on the vectors of labelled nodes, with as many clusters as classes, compared with the classes by
 * NMI, ARI and accuracy. On all labelled nodes (O2MAC, MCGC) or only on the test nodes of a split (DMGI, HDMI); scores of
 * the two protocols are not comparable.
 */

import { type Embedding, requireEmbeddings, type VectorRows } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { int, requireOption } from "../../core/options.js";
import { Rng } from "../../core/rng.js";
import { type KeysOf, requireKeys } from "../../core/validation.js";
import {
  adjustedRandIndex,
  clusteringAccuracy,
  normalizedMutualInformation,
} from "../../numeric/clustering-metrics.js";
import { kMeans } from "../../numeric/kmeans.js";
import { ROW_KINDS, type RowKind, rowsOfNodes } from "../classification/standardize.js";
import { type LabelledNodes, type NodeLabels, requireSharedLabels, selectNodes } from "../labels/labelled-nodes.js";
import { evaluatedNodes } from "../labels/node-split.js";
import { type RepeatedScore, summarizeRepeats } from "../metrics/mean-deviation.js";

/** Options of `clusterNodes`. */
export interface ClusteringOptions {
  /** Part (train, val, test) of each node; only test nodes are clustered. Default: all labelled nodes. */
  readonly split?: ReadonlyMap<string, string>;
  /** Number of clusters; default the number of classes. */
  readonly clusters?: number;
  /** Number of runs of k-means with different random starts; default 10. */
  readonly repeats?: number;
  /** Number of starts within each run, of which the best is kept; default 10. */
  readonly restarts?: number;
  /** Default 1. */
  readonly seed?: number;
}

/** Option schema for commands and library callers. */
export const CLUSTERING_OPTIONS = {
  clusters: int(undefined, { min: 1, value: "K", doc: "number of clusters", defaultText: "as many as classes" }),
  repeats: int(10, { min: 1, doc: "runs of k-means" }),
  restarts: int(10, { min: 1, doc: "random initialisations of k-means in each run; the best result is kept" }),
  seed: int(1, { min: 0, doc: "seed of the random initialisations" }),
};

/** Agreement of clusters and labels, for raw or for standardised vectors. */
export interface ClusteringRow {
  readonly rows: RowKind;
  readonly nmi: RepeatedScore;
  readonly ari: RepeatedScore;
  readonly accuracy: RepeatedScore;
}

/** Result of `clusterNodes`. */
export interface Clustering {
  readonly nodes: number;
  readonly part: "all" | "test";
  readonly classes: number;
  readonly clusters: number;
  readonly embeddings: number;
  readonly repeats: number;
  readonly restarts: number;
  readonly seed: number;
  readonly results: readonly ClusteringRow[];
  readonly notes: readonly string[];
}

const OPTIONS: KeysOf<ClusteringOptions> = { split: true, clusters: true, repeats: true, restarts: true, seed: true };

/** Clusters the labelled nodes of one embedding, or of several embeddings of the same graph from different seeds. */
export function clusterNodes(
  embeddings: readonly (Embedding | VectorRows)[],
  labels: NodeLabels,
  options: ClusteringOptions = {},
): Clustering {
  requireEmbeddings(embeddings, "cluster");
  requireKeys(options, OPTIONS, "cluster");
  const {
    split,
    repeats = CLUSTERING_OPTIONS.repeats.default,
    restarts = CLUSTERING_OPTIONS.restarts.default,
    seed = CLUSTERING_OPTIONS.seed.default,
  } = options;
  requireOption(CLUSTERING_OPTIONS.repeats, repeats, "cluster: repeats");
  requireOption(CLUSTERING_OPTIONS.restarts, restarts, "cluster: restarts");
  const notes = new Set<string>();
  const parts = embeddings.map((embedding) => {
    const chosen = evaluatedNodes(embedding.ids, labels, split);
    for (const note of chosen.notes) notes.add(note);
    const nodes = singleLabelled(chosen.nodes, notes);
    requireSharedLabels(nodes);
    const truth = nodes.labels.map(([label]) => label);
    const numClasses = new Set(truth).size;
    const k = options.clusters ?? numClasses;
    requireOption(CLUSTERING_OPTIONS.clusters, k, "clusters");
    if (k > truth.length)
      throw new InputError(`clusters: found ${k} for ${truth.length} nodes; expected at most as many as nodes.`);
    const scores = ROW_KINDS.map((kind) => {
      const rows = rowsOfNodes(embedding, kind, nodes.rows);
      return Array.from({ length: repeats }, (_, repeat) => {
        const { clusters } = kMeans(rows, k, new Rng(seed, "k-means", repeat), { restarts });
        return {
          nmi: normalizedMutualInformation(truth, clusters),
          ari: adjustedRandIndex(truth, clusters),
          accuracy: clusteringAccuracy(truth, clusters),
        };
      });
    });
    return { nodes: truth.length, numClasses, k, scores };
  });
  const results = ROW_KINDS.map((rows, r): ClusteringRow => {
    const over = (metric: "nmi" | "ari" | "accuracy") =>
      summarizeRepeats(parts.map(({ scores }) => scores[r].map((score) => score[metric])));
    return { rows, nmi: over("nmi"), ari: over("ari"), accuracy: over("accuracy") };
  });
  const [{ nodes, numClasses, k }] = parts;
  return {
    nodes,
    part: split === undefined ? "all" : "test",
    classes: numClasses,
    clusters: k,
    embeddings: embeddings.length,
    repeats,
    restarts,
    seed,
    results,
    notes: [...notes],
  };
}

/** The nodes with exactly one label: clusters cannot be compared with several labels per node. */
function singleLabelled(nodes: LabelledNodes, notes: Set<string>): LabelledNodes {
  const places = nodes.labels.flatMap((nodeLabels, place) => (nodeLabels.length === 1 ? [place] : []));
  const several = nodes.ids.length - places.length;
  if (several === 0) return nodes;
  if (places.length === 0) {
    throw new InputError("cluster: every node has several labels; expected nodes with one label.");
  }
  notes.add(`${several} of ${nodes.ids.length} nodes have several labels and are not clustered.`);
  return selectNodes(nodes, Int32Array.from(places));
}
