/**
 * Clusters of nodes by features and relations, used only if two halves of the data give the same clusters; one input of the
 * infomax facet.
 *
 * 1. X₀: the features, weighted by rarity, reduced to their leading directions.
 * 2. X ← (1 − α)·Σ_d w_d·Â_d·X + α·X₀, eight times: averages over neighbours. w_d is the mean cosine of the features of
 *    neighbours in relation d minus that of random pairs, so that a relation between dissimilar nodes has little weight.
 * 3. Rows of length one, reduced to their principal columns, are clustered by k-means into 2, 3, … 8 groups.
 * 4. Steps 1 to 3 run on each of two random halves of features and edges. A number of groups is used if the groups of the
 *    halves agree (adjusted Rand index). The groups of the whole graph then become columns, one per group.
 *
 * Groups help a probe that is trained on labels of only some kinds of nodes. On directions alone, its boundary may cut through a
 * group without training nodes. The nodes of a group share a column, which keeps them on one side of the boundary.
 */

import { nextTurn } from "../../../core/event-loop.js";
import { Rng } from "../../../core/rng.js";
import { ALONE } from "../../../core/sharing.js";
import { addWork, type Stage, scaleWork, sparseProduct, type Work } from "../../../core/work.js";
import { add, scale, spmmSum } from "../../../engine/ops/index.js";
import { ProgramBuilder, type Tensor } from "../../../engine/program.js";
import type { SparseOperator } from "../../../engine/sparse.js";
import { keepColumns, weightedFeatures } from "../../../nn/feature-weights.js";
import { type FeatureInput, inStage, type PrecomputeTools } from "../../../nn/model.js";
import { sharedColumns } from "../../../nn/shared-columns.js";
import { adjustedRandIndex } from "../../../numeric/clustering-metrics.js";
import { kMeans, nearestCenters } from "../../../numeric/kmeans.js";
import type { Rows } from "../../../numeric/rows.js";
import { GROUP_LIMITS, GROUPS, type GroupsConstants } from "../constants.js";
import { principalColumns, principalWork } from "../principal-columns.js";
import { splitInHalves } from "../significance/direction-test.js";
import type { SimpleGraph } from "../weights/edge-copies.js";
import { type FeatureSizes, featureDirections, featureDirectionsWork } from "./feature-directions.js";

export interface GroupsInput {
  readonly features: FeatureInput;
  readonly relations: readonly SimpleGraph[];
  /** Â of each graph. */
  readonly normalize: (
    relations: readonly SimpleGraph[],
  ) => readonly SparseOperator[] | Promise<readonly SparseOperator[]>;
}

/** A clustering into `count` groups. */
export interface Grouping {
  readonly count: number;
  /** Adjusted Rand index of the groups of the two halves. */
  readonly agreement: number;
  /** Computes the group of each node. */
  readonly groups: () => Int32Array;
}

/** Names of the stages, as the progress shows them. */
const DIRECTIONS_STAGE = "groups: directions of the features";
const AVERAGES_STAGE = "groups: averages over neighbours";
const CLUSTERS_STAGE = "groups: clusters";
/** How often k-means computes the distance of a row and a centre in one start: expected and maximum, for time estimates. */
const EXPECTED_DISTANCES = 80;
const MAX_DISTANCES = 300;
/** Number of starts of k-means. */
const STARTS = 10;

/** The stages of `groupings`; `relations` holds the number of entries of each relation. */
export function groupsStages(features: FeatureSizes, relations: readonly number[]): Stage[] {
  const { numNodes } = features;
  const { featureDirections: width, hops, principal } = GROUPS;
  const half = { ...features, entries: features.entries / 2 };
  const all = relations.reduce((sum, count) => sum + count, 0);
  const averages = (share: number): Stage => {
    const products = addWork(...relations.map((count) => sparseProduct(share * count, numNodes, width)));
    const hop = addWork(products, { streamed: 4 * numNodes * width * 5 });
    const once = addWork({ entries: share * all, programs: 1 }, principalWork(numNodes, width, principal));
    return { name: AVERAGES_STAGE, work: addWork(scaleWork(hop, hops), once) };
  };
  const directions = (sizes: FeatureSizes): Stage => ({
    name: DIRECTIONS_STAGE,
    work: featureDirectionsWork(sizes, width),
  });
  const centres =
    ((GROUP_LIMITS.minGroups + GROUP_LIMITS.maxGroups) * (GROUP_LIMITS.maxGroups - GROUP_LIMITS.minGroups + 1)) / 2;
  const clusters = (distances: number): Work => {
    const rows = STARTS * distances * Math.min(numNodes, GROUP_LIMITS.maxNodes);
    return { loops: 2 * centres * principal * (rows + numNodes), entries: 2 * GROUP_LIMITS.maxGroups * numNodes };
  };
  const split = { entries: 3 * all + 3 * features.entries };
  return [
    directions(features),
    { name: DIRECTIONS_STAGE, work: addWork(directions(half).work, split) },
    averages(1 / 2),
    directions(half),
    averages(1 / 2),
    averages(1),
    { name: CLUSTERS_STAGE, work: clusters(EXPECTED_DISTANCES), maxWork: scaleWork(clusters(MAX_DISTANCES), 2) },
  ];
}

/** A matrix for each number of groups on which the halves agree: one column per group, 1 for its nodes. */
export async function featureGroups(
  input: GroupsInput,
  tools: PrecomputeTools,
): Promise<readonly Rows<Float32Array>[]> {
  const { sharing = ALONE } = tools;
  const found: Rows<Float32Array>[] = [];
  for (const { agreement, groups, count } of await groupings(input, tools, GROUPS)) {
    if (agreement >= GROUPS.minAgreement) found.push(await sharing.once(() => memberships(groups(), count)));
  }
  return found;
}

/** One clustering for each number of groups, with its agreement; none if neighbours are not similar in any relation. */
export async function groupings(
  { features, relations, normalize }: GroupsInput,
  tools: PrecomputeTools,
  constants: GroupsConstants,
): Promise<readonly Grouping[]> {
  const { sharing = ALONE } = tools;
  const numNodes = relations[0].numRows;
  const maxGroups = Math.min(GROUP_LIMITS.maxGroups, Math.floor(numNodes / 2));
  const weighted = weightedFeatures(features, numNodes);
  const findDirections = (matrix: SparseOperator, suffix: string) =>
    featureDirections(
      matrix,
      { max: constants.featureDirections, purpose: `groups.features${suffix}`, stageName: DIRECTIONS_STAGE },
      tools,
    );
  const whole = await findDirections(weighted, "");
  const weights = await sharing.once(() => neighborSimilarity(whole, relations, tools.seed));
  const sum = weights.reduce((a, b) => a + b, 0);
  if (!(sum > 0) || maxGroups < GROUP_LIMITS.minGroups) return [];
  const shares = Float32Array.from(weights, (weight) => weight / sum);
  const averagedRows = (columns: Rows<Float32Array>, graphs: readonly SimpleGraph[]): Promise<Rows> =>
    inStage(tools, AVERAGES_STAGE, async () => {
      const averages = await averageOverNeighbors(await normalize(graphs), shares, columns, constants, tools);
      const { data, width } = await principalColumns([averages], numNodes, constants.principal, tools);
      return sharing.once(() => ({ data: Float64Array.from(data), width }));
    });

  const featureHalves = await sharing.once(() => splitColumns(weighted, new Rng(tools.seed, "groups.halves.features")));
  const edgeHalves = await sharing.once(() =>
    relations.map((relation, d) => splitInHalves(relation, tools.seed, `groups.halves.${d}`)),
  );
  const halves: Rows[] = [];
  for (const side of [0, 1] as const) {
    const columns = await findDirections(featureHalves[side], `.${side}`);
    const graphs = edgeHalves.map((half) => half[side]);
    halves.push(await averagedRows(columns, graphs));
  }
  const rows = await averagedRows(whole, relations);
  const found: Grouping[] = [];
  for (let count = GROUP_LIMITS.minGroups; count <= maxGroups; count++) {
    await tools.onStep?.(CLUSTERS_STAGE, count - GROUP_LIMITS.minGroups, maxGroups - GROUP_LIMITS.minGroups + 1);
    await nextTurn(); // k-means takes seconds on large graphs; this lets Ctrl-C be handled
    tools.signal?.throwIfAborted();
    const agreement = await sharing.once(() => {
      const [first, second] = halves.map((half, side) =>
        groupsOf(half, count, new Rng(tools.seed, `groups.${side}.${count}`)),
      );
      return adjustedRandIndex(first, second);
    });
    found.push({
      count,
      agreement,
      groups: () => groupsOf(rows, count, new Rng(tools.seed, `groups.${count}`)),
    });
  }
  return found;
}

/** One column per group, 1 for its nodes. */
function memberships(groups: Int32Array, count: number): Rows<Float32Array> {
  const data = new Float32Array(groups.length * count);
  groups.forEach((group, i) => {
    data[i * count + group] = 1;
  });
  return { data, width: count };
}

/** Mean cosine of neighbours in each relation minus that of random pairs; negative values become 0. */
function neighborSimilarity(
  { data, width }: Rows<Float32Array>,
  relations: readonly SimpleGraph[],
  seed: number,
): number[] {
  if (width === 0) return relations.map(() => 0);
  const numRows = data.length / width;
  const inverse = new Float64Array(numRows);
  const mean = new Float64Array(width);
  for (let i = 0; i < numRows; i++) {
    let square = 0;
    for (let k = 0; k < width; k++) square += data[i * width + k] ** 2;
    inverse[i] = square > 0 ? 1 / Math.sqrt(square) : 0;
    for (let k = 0; k < width; k++) mean[k] += (inverse[i] * data[i * width + k]) / numRows;
  }
  const meanOfRandomPairs = mean.reduce((total, x) => total + x * x, 0);
  return relations.map(({ rowStart, columns }, d) => {
    if (columns.length === 0) return 0;
    const rng = new Rng(seed, `groups.pairs.${d}`);
    const compared = Math.min(GROUP_LIMITS.maxCompared, columns.length);
    let total = 0;
    for (let pair = 0; pair < compared; pair++) {
      const e = compared === columns.length ? pair : rng.below(columns.length);
      const [i, j] = [rowOf(rowStart, e), columns[e]];
      let product = 0;
      for (let k = 0; k < width; k++) product += data[i * width + k] * data[j * width + k];
      total += inverse[i] * inverse[j] * product;
    }
    return Math.max(0, total / compared - meanOfRandomPairs);
  });
}

/** The row of entry e. */
function rowOf(rowStart: Uint32Array, e: number): number {
  let [low, high] = [0, rowStart.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (rowStart[middle] <= e) low = middle;
    else high = middle;
  }
  return low;
}

/** Step 2 of the header. */
async function averageOverNeighbors(
  relations: readonly SparseOperator[],
  shares: Float32Array,
  { data, width }: Rows<Float32Array>,
  { hops, startShare }: GroupsConstants,
  tools: PrecomputeTools,
): Promise<Rows<Float32Array>> {
  const numNodes = relations[0].numRows;
  const builder = new ProgramBuilder(numNodes);
  const start = builder.constant(data, numNodes, width); // X₀
  const weights = builder.constant(shares, 1, shares.length);
  let averages!: Tensor;
  builder.segment("averages", () => {
    averages = start;
    for (let hop = 0; hop < hops; hop++) {
      averages = add(scale(spmmSum(relations, weights, averages), 1 - startShare), start, startShare);
    }
    return [averages];
  });
  const executable = await tools.engine.compile(builder.finish());
  try {
    executable.run("averages");
    return await sharedColumns(executable, averages, width, tools);
  } finally {
    await executable.dispose();
  }
}

/** Distributes the columns at random over two matrices. */
function splitColumns(matrix: SparseOperator, rng: Rng): readonly [SparseOperator, SparseOperator] {
  const halfOfColumn = Uint8Array.from({ length: matrix.numColumns }, () => (rng.uniform() < 0.5 ? 1 : 0));
  return [
    keepColumns(matrix, (column) => halfOfColumn[column] === 0),
    keepColumns(matrix, (column) => halfOfColumn[column] === 1),
  ];
}

/** The group of each row. */
function groupsOf(rows: Rows, k: number, rng: Rng): Int32Array {
  const { data, width } = rows;
  const numRows = data.length / width;
  if (numRows <= GROUP_LIMITS.maxNodes) return kMeans(rows, k, rng).clusters;
  const sample = new Float64Array(GROUP_LIMITS.maxNodes * width);
  for (let at = 0; at < GROUP_LIMITS.maxNodes; at++) {
    const row = rng.below(numRows);
    sample.set(data.subarray(row * width, (row + 1) * width), at * width);
  }
  return nearestCenters(rows, kMeans({ data: sample, width }, k, rng).centers);
}
