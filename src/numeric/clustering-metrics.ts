/** Agreement of two partitions of the same nodes. Renaming classes or clusters does not change it. */

import { requireSameLength } from "../core/validation.js";
import { maximumAssignment } from "./assignment.js";

interface Contingency {
  /** Number of nodes. */
  readonly n: number;
  /** Number of nodes in each class. */
  readonly classes: readonly number[];
  /** Number of nodes in each cluster. */
  readonly clusters: readonly number[];
  /** Number of nodes in each pair of a class (`row`) and a cluster (`column`); empty pairs are left out. */
  readonly cells: readonly { readonly row: number; readonly column: number; readonly count: number }[];
}

function contingency(truth: ArrayLike<number>, found: ArrayLike<number>): Contingency {
  requireSameLength(truth, found, "found");
  const rows = new Map<number, number>();
  const columns = new Map<number, number>();
  const classes: number[] = [];
  const clusters: number[] = [];
  const cells = new Map<string, { row: number; column: number; count: number }>();
  const countMember = (indices: Map<number, number>, sizes: number[], name: number) => {
    const index = indices.get(name) ?? sizes.push(0) - 1;
    indices.set(name, index);
    sizes[index]++;
    return index;
  };
  for (let i = 0; i < truth.length; i++) {
    const row = countMember(rows, classes, truth[i]);
    const column = countMember(columns, clusters, found[i]);
    const key = `${row} ${column}`;
    const cell = cells.get(key);
    if (cell === undefined) cells.set(key, { row, column, count: 1 });
    else cell.count++;
  }
  return { n: truth.length, classes, clusters, cells: [...cells.values()] };
}

/** 2·I(U, V) / (H(U) + H(V)): mutual information divided by the arithmetic mean of the entropies. */
export function normalizedMutualInformation(truth: ArrayLike<number>, found: ArrayLike<number>): number {
  const { n, classes, clusters, cells } = contingency(truth, found);
  if (classes.length <= 1 && clusters.length <= 1) return 1;
  const entropy = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum - (size / n) * Math.log(size / n), 0);
  const information = cells.reduce((sum, { row, column, count }) => {
    return sum + (count / n) * (Math.log((count / classes[row]) * n) - Math.log(clusters[column]));
  }, 0);
  if (classes.length === 1 || clusters.length === 1) return 0;
  return Math.max(0, information) / ((entropy(classes) + entropy(clusters)) / 2);
}

/** Rand index corrected for chance (Hubert, Arabie 1985): 1 for equal partitions; the expected value for random partitions is 0. */
export function adjustedRandIndex(truth: ArrayLike<number>, found: ArrayLike<number>): number {
  const { n, classes, clusters, cells } = contingency(truth, found);
  const squares = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size * size, 0);
  const inBoth = cells.reduce((sum, { count }) => sum + count * count, 0);
  const [inClass, inCluster] = [squares(classes), squares(clusters)];
  // ordered pairs of nodes: together in both, in the classes only, in the clusters only, in neither
  const together = inBoth - n;
  const onlyClass = inClass - inBoth;
  const onlyCluster = inCluster - inBoth;
  const neither = n * n - inClass - inCluster + inBoth;
  if (onlyClass === 0 && onlyCluster === 0) return 1;
  return (
    (2 * (together * neither - onlyClass * onlyCluster)) /
    ((together + onlyClass) * (onlyClass + neither) + (together + onlyCluster) * (onlyCluster + neither))
  );
}

/** Share of nodes whose cluster is assigned to their class, under the best one-to-one assignment of clusters to classes. */
export function clusteringAccuracy(truth: ArrayLike<number>, found: ArrayLike<number>): number {
  const { n, classes, clusters, cells } = contingency(truth, found);
  const counts = classes.map(() => new Float64Array(clusters.length));
  for (const { row, column, count } of cells) counts[row][column] = count;
  const assigned = maximumAssignment(counts);
  return assigned.reduce((sum, column, row) => sum + (column < 0 ? 0 : counts[row][column]), 0) / n;
}
