/**
 * Features of nodes and of their neighbours in few columns. X̃ are the weighted features (feature-weights.ts); the columns are
 * the leading left singular vectors, times the singular values, of M = X̃ + N·P·X̃ with centred columns, P the mean of the
 * relations, N such that the rows of the second part have length one too. They are found as leading directions of M·Mᵀ,
 * which needs sparse products only; for N the lengths are estimated from random projections, to about a tenth.
 */

import { Rng } from "../../../core/rng.js";
import { addWork, type Stage, sparseProduct, timesWork, type Work } from "../../../core/work.js";
import { add, addRow, meanRows, rowDots, scale, scaleRows, spmm, spmmSum } from "../../../engine/ops/index.js";
import { ProgramBuilder, type Tensor } from "../../../engine/program.js";
import { type SparseOperator, transposeOperator } from "../../../engine/sparse.js";
import { featureWeights, keepColumns, weightedFeatures } from "../../../nn/feature-weights.js";
import type { FeatureInput, PrecomputeTools } from "../../../nn/model.js";
import type { Columns } from "../columns.js";
import { type DirectionOptions, directionsWork, leadingDirections, type SymmetricMap } from "../significance/leading-directions.js";

const WHAT = "directions of the features";
const QUANTITIES = "directions of the quantities";

/** Sizes of weighted features. */
export interface FeatureSizes {
  readonly numNodes: number;
  readonly numColumns: number;
  readonly entries: number;
}

/** One product with the features and one with their transpose. */
function bothProducts({ numNodes, numColumns, entries }: FeatureSizes, width: number): Work {
  return addWork(sparseProduct(entries, numColumns, width), sparseProduct(entries, numNodes, width));
}

/** Work of `featureDirections`. */
export function featureDirectionsWork(features: FeatureSizes, most: number): Work {
  const { numNodes, numColumns, entries } = features;
  const count = Math.min(most, numColumns);
  const iterated = directionsWork({ numNodes, count, shift: 0 }, (width) => bothProducts(features, width));
  return addWork(iterated, { entries: 3 * entries, loops: numNodes * count });
}

/** The stage of `quantityDirections`, where there are quantities: dense features that most nodes have. */
export function quantityStage(features: FeatureSizes, most: number): Stage {
  const count = Math.min(most, features.numColumns);
  const work = featureDirectionsWork(features, count);
  const dense = features.entries > features.numColumns * features.numNodes * MIN_DENSITY;
  return { name: QUANTITIES, work: dense ? work : {}, least: {}, most: work };
}

/** Entries over the size of features with quantities, about: more than half of the nodes have a quantity. */
const MIN_DENSITY = 1 / 4;

/** The stage of `featureView`; `relations` are the entries of each relation. */
export function featureStage(features: FeatureSizes, relations: readonly number[], most: number): Stage {
  const { numNodes, numColumns, entries } = features;
  const count = Math.min(most, numColumns);
  const overRelations = (width: number) => addWork(...relations.map((own) => sparseProduct(own, numNodes, width)));
  const iterated = directionsWork({ numNodes, count, shift: 0 }, (width) =>
    addWork(bothProducts(features, width), timesWork(overRelations(width), 2)),
  );
  const lengths = addWork(sparseProduct(entries, numColumns, PROJECTIONS), overRelations(PROJECTIONS));
  const once = { entries: 3 * entries + relations.reduce((sum, own) => sum + own, 0), loops: numNodes * count };
  return { name: WHAT, work: addWork(iterated, lengths, once, { programs: 1 }) };
}

/** At most `count` columns. `relations` are normalised and symmetric. */
export async function featureView(
  features: FeatureInput,
  relations: readonly SparseOperator[],
  count: number,
  tools: PrecomputeTools,
): Promise<Columns> {
  const [{ numRows: numNodes }] = relations;
  const matrix = weightedFeatures(features, numNodes);
  const transposed = transposeOperator(matrix);
  const mean = (x: Tensor): Tensor => {
    const count = relations.length;
    return spmmSum(relations, x.builder.constant(new Float32Array(count).fill(1 / count), 1, count), x);
  };
  await tools.onStep?.(WHAT, 0, 1);
  const inverse = await inverseLengths(matrix, mean, tools);
  const map = (x: Tensor): Tensor => {
    const factors = x.builder.constant(inverse, numNodes, 1);
    const inner = spmm(transposed, add(mean(scaleRows(x, factors)), x)); // Mᵀ·x
    const image = spmm(matrix, inner);
    return add(scaleRows(mean(image), factors), image); // M·Mᵀ·x
  };
  const most = Math.min(count, features.numColumns);
  const request = { numNodes, count: most, purpose: "features", what: WHAT };
  return leadingSingularColumns(map, request, tools);
}

/** Leading directions of weighted features alone, columns centred: what all nodes have in common tells nothing. */
export function featureDirections(
  matrix: SparseOperator,
  { most, ...named }: { most: number; purpose: string; what: string },
  tools: PrecomputeTools,
): Promise<Columns> {
  const { numRows: numNodes, numColumns } = matrix;
  const transposed = transposeOperator(matrix);
  const request = { numNodes, count: Math.min(most, numColumns), ...named };
  return leadingSingularColumns((x) => spmm(matrix, spmm(transposed, x)), request, tools);
}

/** Leading directions of the quantities among the features; none where there are no quantities. */
export async function quantityDirections(
  features: FeatureInput,
  numNodes: number,
  most: number,
  tools: PrecomputeTools,
): Promise<Columns> {
  const { deviation } = featureWeights(features, numNodes);
  const count = deviation.filter((x) => x > 0).length;
  if (count === 0) return { data: new Float32Array(0), count: 0 };
  const quantities = keepColumns(weightedFeatures(features, numNodes), (column) => deviation[column] > 0);
  const request = { most: Math.min(most, count), purpose: "quantities", what: QUANTITIES };
  return featureDirections(quantities, request, tools);
}

/**
 * Leading left singular vectors, times the singular values, of a matrix M with centred columns, of which `map` is x → M·Mᵀ·x
 * before they are centred.
 */
async function leadingSingularColumns(
  map: SymmetricMap,
  request: Omit<DirectionOptions, "shift">,
  tools: PrecomputeTools,
): Promise<Columns> {
  const centred = (x: Tensor): Tensor => {
    const product = map(x);
    // it grows with the nodes: its values are kept near one
    return scale(addRow(product, scale(meanRows(product), -1)), 1 / request.numNodes);
  };
  const [{ values, vectors, count }] = await leadingDirections([centred], { ...request, shift: 0 }, tools);
  return { data: vectors.map((x, at) => x * Math.sqrt(Math.max(0, values[at % count]))), count };
}

const PROJECTIONS = 64;

/** 1/‖row‖ of mean(X̃), 0 where it is zero; lengths from random projections. */
async function inverseLengths(
  matrix: SparseOperator,
  mean: (x: Tensor) => Tensor,
  { engine, seed }: PrecomputeTools,
): Promise<Float32Array> {
  const builder = new ProgramBuilder();
  const rng = new Rng(seed, "features.lengths");
  const random = Float32Array.from({ length: matrix.numColumns * PROJECTIONS }, () => rng.normal());
  const projection = builder.constant(random, matrix.numColumns, PROJECTIONS);
  let squares!: Tensor;
  builder.segment("lengths", () => {
    const rows = mean(spmm(matrix, projection));
    squares = rowDots(rows, rows);
    return [squares];
  });
  const executable = await engine.compile(builder.finish());
  try {
    executable.run("lengths");
    return Float32Array.from(executable.read(squares), (x) => (x > 0 ? Math.sqrt(PROJECTIONS / x) : 0));
  } finally {
    await executable.dispose();
  }
}
