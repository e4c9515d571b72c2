/** The properties of nodes by which the explorer colours them: labels, columns of tables, clusters and degree. */

import type { Embedding } from "../../core/embedding.js";
import { Rng } from "../../core/rng.js";
import type { Attribute } from "../../explore/scene/scene.js";
import { categoryAttribute } from "../../explore/scene/table-attributes.js";
import { kMeans } from "../../numeric/kmeans.js";

/** Number of clusters of a graph without labels: as many as a legend distinguishes well. Not tuned. */
const NUM_CLUSTERS = 8;
/** Maximum number of clusters: more than this many labels are seldom classes. Not tuned. */
const MAX_CLUSTERS = 20;
/** Maximum number of nodes that are clustered: k-means of more takes longer than a few seconds. Not tuned. */
const MAX_CLUSTERED = 50_000;

/** Several labels of a node become one category: "a, b". */
export function labelAttribute(labels: readonly (readonly string[])[]): Attribute {
  return categoryAttribute(
    "label",
    labels.map((list) => (list.length === 0 ? undefined : list.join(", "))),
  );
}

/** Clusters of the vectors by k-means, numbered from the largest; undefined if there are too few or too many nodes. */
export function clusterAttribute(
  { ids, dim, vectors }: Embedding,
  numLabels: number | undefined,
): Attribute | undefined {
  const k = numLabels === undefined || numLabels > MAX_CLUSTERS ? NUM_CLUSTERS : Math.max(2, numLabels);
  if (ids.length < 2 * k || ids.length > MAX_CLUSTERED) return undefined;
  const rows = { data: Float64Array.from(vectors), width: dim };
  const { clusters } = kMeans(rows, k, new Rng(1, "explore/clusters"), { restarts: 1 });
  const sizes = new Uint32Array(k);
  for (const cluster of clusters) sizes[cluster]++;
  const order = Array.from(sizes, (_, cluster) => cluster).sort((a, b) => sizes[b] - sizes[a] || a - b);
  const codeOf = Int32Array.from(sizes);
  order.forEach((cluster, code) => {
    codeOf[cluster] = code;
  });
  return {
    name: "cluster",
    kind: "category",
    doc: `${k} groups of similar vectors, found by k-means. Cluster 1 is the largest.`,
    fromVectors: true,
    categories: order.map((_, code) => String(code + 1)),
    codes: clusters.map((cluster) => codeOf[cluster]),
  };
}
