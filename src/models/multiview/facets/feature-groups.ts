/**
 * Groups of nodes that features and relations agree on, whatever half of them is looked at.
 *
 * Features, weighted by rarity and reduced to their leading directions, are spread over the relations: X ← (1 − α)·Σ_d
 * w_d·Â_d·X + α·X₀, some times. w_d is how much more alike the features of two neighbours in d are than those of any two
 * nodes: a relation that joins everybody to everybody tells little and counts little. Rows of length one in their few
 * principal columns are grouped by k-means into 2, 3, … groups. A number of groups counts if one half of the features
 * and edges leads to nearly the same groups as the other half.
 *
 * Groups keep what directions alone lose: a probe that learns from nodes of one kind puts a boundary across directions
 * where those nodes have it; groups lie on one side of it as a whole.
 */

import { nextTurn } from "../../../core/event-loop.js";
import { Rng } from "../../../core/rng.js";
import { addWork, type Stage, sparseProduct, timesWork, type Work } from "../../../core/work.js";
import { add, scale, spmmSum } from "../../../engine/ops/index.js";
import { ProgramBuilder, type Tensor } from "../../../engine/program.js";
import type { SparseOperator } from "../../../engine/sparse.js";
import { keepColumns, weightedFeatures } from "../../../nn/feature-weights.js";
import { type FeatureInput, inStage, type PrecomputeTools } from "../../../nn/model.js";
import { adjustedRandIndex } from "../../../numeric/clustering-metrics.js";
import { kMeans, nearestCenters } from "../../../numeric/kmeans.js";
import type { Rows } from "../../../numeric/rows.js";
import type { Columns } from "../columns.js";
import { splitInHalves } from "../significance/direction-test.js";
import type { SimpleGraph } from "../weights/edge-copies.js";
import { type FeatureSizes, featureDirections, featureDirectionsWork } from "./feature-directions.js";
import { principalColumns, principalWork } from "../principal-columns.js";

/** Numbers of groups that are tried. */
const MIN_GROUPS = 2;
export const MAX_GROUPS = 8;
/** Centres are found on at most so many nodes; the others join the nearest. */
const MAX_NODES = 16_384;
/** Edges of a relation whose ends are compared. */
const MAX_COMPARED = 65_536;

/** Chosen on planted groups: `node bench/run.mjs groups-quality`. */
export interface GroupsConstants {
  /** Adjusted Rand index of the halves' groups with which a number counts: 0 is chance, 1 the same groups. */
  readonly leastAgreement: number;
  /** Leading directions of the features; those after them are mostly noise, which spreading does not take out. */
  readonly featureDirections: number;
  readonly hops: number;
  /** The share of the node itself, α. */
  readonly ownShare: number;
  /** Columns that are grouped. */
  readonly principal: number;
}

export const GROUPS: GroupsConstants = {
  leastAgreement: 0.6,
  featureDirections: 64,
  hops: 8,
  ownShare: 0.2,
  principal: 8,
};

export interface GroupsInput {
  readonly features: FeatureInput;
  readonly relations: readonly SimpleGraph[];
  /** Â of relations such as these. */
  readonly normalize: (relations: readonly SimpleGraph[]) => readonly SparseOperator[];
}

/** Groups of one number. */
export interface Grouping {
  readonly count: number;
  /** Of the groups of one half with those of the other. */
  readonly agreement: number;
  /** The group of each node; worked out when called. */
  readonly groups: () => Int32Array;
}

const DIRECTIONS = "groups: directions of the features";
const AVERAGES = "groups: averages over neighbours";
const CLUSTERS = "groups: clusters";
/** Distances that k-means computes from one start for each row and centre: usually, at most. */
const DISTANCES = 80;
const MAX_DISTANCES = 300;
const STARTS = 10;

/** The stages of `groupings`; `relations` are the entries of each relation. */
export function groupsStages(features: FeatureSizes, relations: readonly number[]): Stage[] {
  const { numNodes } = features;
  const { featureDirections: width, hops, principal } = GROUPS;
  const half = { ...features, entries: features.entries / 2 };
  const all = relations.reduce((sum, own) => sum + own, 0);
  const averages = (share: number): Stage => {
    const products = addWork(...relations.map((own) => sparseProduct(share * own, numNodes, width)));
    const hop = addWork(products, { streamed: 4 * numNodes * width * 5 });
    const once = addWork({ entries: share * all, programs: 1 }, principalWork(numNodes, width, principal));
    return { name: AVERAGES, work: addWork(timesWork(hop, hops), once) };
  };
  const directions = (of: FeatureSizes): Stage => ({ name: DIRECTIONS, work: featureDirectionsWork(of, width) });
  const centres = ((MIN_GROUPS + MAX_GROUPS) * (MAX_GROUPS - MIN_GROUPS + 1)) / 2;
  const clusters = (distances: number): Work => {
    const looked = STARTS * distances * Math.min(numNodes, MAX_NODES);
    return { loops: 2 * centres * principal * (looked + numNodes), entries: 2 * MAX_GROUPS * numNodes };
  };
  const split = { entries: 3 * all + 3 * features.entries };
  return [
    directions(features),
    { name: DIRECTIONS, work: addWork(directions(half).work, split) },
    averages(1 / 2),
    directions(half),
    averages(1 / 2),
    averages(1),
    { name: CLUSTERS, work: clusters(DISTANCES), most: timesWork(clusters(MAX_DISTANCES), 2) },
  ];
}

/** For each number of groups that counts, columns of its own: one per group, 1 for its nodes. */
export async function groupsView(input: GroupsInput, tools: PrecomputeTools): Promise<readonly Columns[]> {
  return (await groupings(input, tools, GROUPS))
    .filter(({ agreement }) => agreement >= GROUPS.leastAgreement)
    .map(({ groups, count }) => memberships(groups(), count));
}

/** All numbers of groups, whether they count or not; none where no relation joins nodes that are alike. */
export async function groupings(
  { features, relations, normalize }: GroupsInput,
  tools: PrecomputeTools,
  constants: GroupsConstants,
): Promise<readonly Grouping[]> {
  const numNodes = relations[0].numRows;
  const most = Math.min(MAX_GROUPS, Math.floor(numNodes / 2));
  const matrix = weightedFeatures(features, numNodes);
  const directionsOf = (of: SparseOperator, name: string) =>
    featureDirections(
      of,
      { most: constants.featureDirections, purpose: `groups.features${name}`, what: DIRECTIONS },
      tools,
    );
  const whole = await directionsOf(matrix, "");
  const weights = likeness(whole, relations, tools.seed);
  const sum = weights.reduce((a, b) => a + b, 0);
  if (!(sum > 0) || most < MIN_GROUPS) return [];
  const shares = Float32Array.from(weights, (weight) => weight / sum);
  const place = (columns: Columns, patterns: readonly SimpleGraph[]): Promise<Rows> =>
    inStage(tools, AVERAGES, async () => {
      const spread = await spreadOver(normalize(patterns), shares, columns, constants, tools);
      const { data, count } = await principalColumns([spread], numNodes, constants.principal, tools);
      return { data: Float64Array.from(data), width: count };
    });

  const featureHalves = splitColumns(matrix, new Rng(tools.seed, "groups.halves.features"));
  const edgeHalves = relations.map((relation, d) => splitInHalves(relation, tools.seed, `groups.halves.${d}`));
  const halves: Rows[] = [];
  for (const side of [0, 1] as const) {
    const columns = await directionsOf(featureHalves[side], `.${side}`);
    const patterns = edgeHalves.map((half) => half[side]);
    halves.push(await place(columns, patterns));
  }
  const rows = await place(whole, relations);
  const found: Grouping[] = [];
  for (let count = MIN_GROUPS; count <= most; count++) {
    await tools.onStep?.(CLUSTERS, count - MIN_GROUPS, most - MIN_GROUPS + 1);
    await nextTurn(); // seconds on large graphs: Ctrl-C is heard between two
    tools.signal?.throwIfAborted();
    const [first, second] = halves.map((half, side) =>
      groupsOf(half, count, new Rng(tools.seed, `groups.${side}.${count}`)),
    );
    found.push({
      count,
      agreement: adjustedRandIndex(first, second),
      groups: () => groupsOf(rows, count, new Rng(tools.seed, `groups.${count}`)),
    });
  }
  return found;
}

function memberships(groups: Int32Array, count: number): Columns {
  const data = new Float32Array(groups.length * count);
  groups.forEach((group, i) => {
    data[i * count + group] = 1;
  });
  return { data, count };
}

/** For each relation how much larger the cosine of two neighbours is than that of any two nodes, in the mean; at least 0. */
function likeness({ data, count }: Columns, relations: readonly SimpleGraph[], seed: number): number[] {
  if (count === 0) return relations.map(() => 0);
  const numRows = data.length / count;
  const inverse = new Float64Array(numRows);
  const mean = new Float64Array(count);
  for (let i = 0; i < numRows; i++) {
    let square = 0;
    for (let k = 0; k < count; k++) square += data[i * count + k] ** 2;
    inverse[i] = square > 0 ? 1 / Math.sqrt(square) : 0;
    for (let k = 0; k < count; k++) mean[k] += (inverse[i] * data[i * count + k]) / numRows;
  }
  const anyTwo = mean.reduce((total, x) => total + x * x, 0);
  return relations.map(({ rowStart, columns }, d) => {
    if (columns.length === 0) return 0;
    const rng = new Rng(seed, `groups.pairs.${d}`);
    const compared = Math.min(MAX_COMPARED, columns.length);
    let total = 0;
    for (let pair = 0; pair < compared; pair++) {
      const e = compared === columns.length ? pair : rng.below(columns.length);
      const [i, j] = [rowOf(rowStart, e), columns[e]];
      let product = 0;
      for (let k = 0; k < count; k++) product += data[i * count + k] * data[j * count + k];
      total += inverse[i] * inverse[j] * product;
    }
    return Math.max(0, total / compared - anyTwo);
  });
}

/** The row that entry e belongs to. */
function rowOf(rowStart: Uint32Array, e: number): number {
  let [low, high] = [0, rowStart.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (rowStart[middle] <= e) low = middle;
    else high = middle;
  }
  return low;
}

/** The columns spread over the relations. */
async function spreadOver(
  relations: readonly SparseOperator[],
  shares: Float32Array,
  { data, count }: Columns,
  { hops, ownShare }: GroupsConstants,
  { engine }: PrecomputeTools,
): Promise<Columns> {
  const numNodes = relations[0].numRows;
  const builder = new ProgramBuilder();
  const own = builder.constant(data, numNodes, count);
  const weights = builder.constant(shares, 1, shares.length);
  let spread!: Tensor;
  builder.segment("spread", () => {
    spread = own;
    for (let hop = 0; hop < hops; hop++) {
      spread = add(scale(spmmSum(relations, weights, spread), 1 - ownShare), own, ownShare);
    }
    return [spread];
  });
  const executable = await engine.compile(builder.finish());
  try {
    executable.run("spread");
    return { data: Float32Array.from(executable.read(spread)), count };
  } finally {
    await executable.dispose();
  }
}

/** Every column in one of two matrices, drawn by a coin. */
function splitColumns(matrix: SparseOperator, rng: Rng): readonly [SparseOperator, SparseOperator] {
  const coins = Uint8Array.from({ length: matrix.numColumns }, () => (rng.uniform() < 0.5 ? 1 : 0));
  return [keepColumns(matrix, (column) => coins[column] === 0), keepColumns(matrix, (column) => coins[column] === 1)];
}

/** The group of each row. */
function groupsOf(rows: Rows, k: number, rng: Rng): Int32Array {
  const { data, width } = rows;
  const numRows = data.length / width;
  if (numRows <= MAX_NODES) return kMeans(rows, k, rng).clusters;
  const sample = new Float64Array(MAX_NODES * width);
  for (let at = 0; at < MAX_NODES; at++) {
    const row = rng.below(numRows);
    sample.set(data.subarray(row * width, (row + 1) * width), at * width);
  }
  return nearestCenters(rows, kMeans({ data: sample, width }, k, rng).centers);
}
