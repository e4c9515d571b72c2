/**
 * Leading directions of node features, as inputs of the edges encoder and of the groups.
 *
 * X̃ are the weighted features (nn/feature-weights.ts), rows of length one. `neighborhoodDirections` reduces M = X̃ + N·P·X̃ with
 * centred columns to its leading left singular vectors times the singular values. P is the mean of the relations. N is
 * diagonal and scales the rows of P·X̃ to length one, so that the features of the neighbours weigh as much as the node's own.
 * The vectors are the leading directions of M·Mᵀ, which needs sparse products only. The row lengths for N are estimated from
 * 64 random projections, to about a tenth.
 */

import { Rng } from "../../../core/rng.js";
import { ALONE } from "../../../core/sharing.js";
import { addWork, type Stage, scaleWork, sparseProduct, type Work } from "../../../core/work.js";
import { add, addRow, meanRows, rowDots, scale, scaleRows, spmm, spmmSum } from "../../../engine/ops/index.js";
import { ProgramBuilder, type Tensor } from "../../../engine/program.js";
import type { SparseOperator } from "../../../engine/sparse.js";
import { weightedFeatures } from "../../../nn/feature-weights.js";
import {
  type DirectionOptions,
  directionsWork,
  leadingDirections,
  type SymmetricMap,
} from "../../../nn/leading-directions.js";
import type { FeatureInput, PrecomputeTools } from "../../../nn/model.js";
import { sharedTranspose } from "../../../nn/shared-transpose.js";
import type { Rows } from "../../../numeric/rows.js";
import { FEATURES } from "../constants.js";

const STAGE_NAME = "directions of the features";

/** Size of a feature matrix. */
export interface FeatureSizes {
  readonly numNodes: number;
  readonly numColumns: number;
  readonly entries: number;
}

/** Work of one product with the features and one with their transpose. */
function bothProducts({ numNodes, numColumns, entries }: FeatureSizes, width: number): Work {
  return addWork(sparseProduct(entries, numColumns, width), sparseProduct(entries, numNodes, width));
}

/** Work of `featureDirections`. */
export function featureDirectionsWork(features: FeatureSizes, max: number): Work {
  const { numNodes, numColumns, entries } = features;
  const count = Math.min(max, numColumns);
  const iterated = directionsWork({ numNodes, count, eigenvalues: "positive" }, (width) =>
    bothProducts(features, width),
  );
  return addWork(iterated, { entries: 3 * entries, loops: numNodes * count });
}

/** The stage of `neighborhoodDirections`; `relations` holds the number of entries of each relation. */
export function featureStage(features: FeatureSizes, relations: readonly number[], max: number): Stage {
  const { numNodes, numColumns, entries } = features;
  const count = Math.min(max, numColumns);
  const overRelations = (width: number) =>
    addWork(...relations.map((numEntries) => sparseProduct(numEntries, numNodes, width)));
  const iterated = directionsWork({ numNodes, count, eigenvalues: "positive" }, (width) =>
    addWork(bothProducts(features, width), scaleWork(overRelations(width), 2)),
  );
  const lengths = addWork(
    sparseProduct(entries, numColumns, FEATURES.lengthProjections),
    overRelations(FEATURES.lengthProjections),
  );
  const once = {
    entries: 3 * entries + relations.reduce((sum, numEntries) => sum + numEntries, 0),
    loops: numNodes * count,
  };
  return { name: STAGE_NAME, work: addWork(iterated, lengths, once, { programs: 1 }) };
}

/** Directions of the features of nodes and their neighbours, at most `count`. `relations` are normalised and symmetric. */
export async function neighborhoodDirections(
  features: FeatureInput,
  relations: readonly SparseOperator[],
  count: number,
  tools: PrecomputeTools,
): Promise<Rows<Float32Array>> {
  const { sharing = ALONE } = tools;
  const [{ numRows: numNodes }] = relations;
  const matrix = weightedFeatures(features, numNodes);
  const transposed = await sharedTranspose(matrix, sharing);
  const mean = (x: Tensor): Tensor => {
    const count = relations.length;
    return spmmSum(relations, x.builder.constant(new Float32Array(count).fill(1 / count), 1, count), x);
  };
  await tools.onStep?.(STAGE_NAME, 0, 1);
  const inverse = await inverseLengths(matrix, mean, tools);
  const map = (x: Tensor): Tensor => {
    const factors = x.builder.constant(inverse, numNodes, 1);
    const inner = spmm(transposed, add(mean(scaleRows(x, factors)), x)); // Mᵀ·x
    const image = spmm(matrix, inner);
    return add(scaleRows(mean(image), factors), image); // M·Mᵀ·x
  };
  const wanted = Math.min(count, features.numColumns);
  const request = { numNodes, count: wanted, purpose: "features", stageName: STAGE_NAME };
  return leadingSingularColumns(map, request, tools);
}

/** Leading directions of weighted features without neighbours. Columns are centred: common values distinguish no nodes. */
export async function featureDirections(
  matrix: SparseOperator,
  { max, ...named }: { max: number; purpose: string; stageName: string },
  tools: PrecomputeTools,
): Promise<Rows<Float32Array>> {
  const { numRows: numNodes, numColumns } = matrix;
  const transposed = await sharedTranspose(matrix, tools.sharing ?? ALONE);
  const request = { numNodes, count: Math.min(max, numColumns), ...named };
  return leadingSingularColumns((x) => spmm(matrix, spmm(transposed, x)), request, tools);
}

/** Leading left singular vectors times singular values of M with centred columns; `map` is x → M·Mᵀ·x without centring. */
async function leadingSingularColumns(
  map: SymmetricMap,
  request: Omit<DirectionOptions, "eigenvalues">,
  tools: PrecomputeTools,
): Promise<Rows<Float32Array>> {
  const centred = (x: Tensor): Tensor => {
    const product = map(x);
    // divided by n, because eigenvalues grow with the number of nodes
    return scale(addRow(product, scale(meanRows(product), -1)), 1 / request.numNodes);
  };
  const [{ values, data, width }] = await leadingDirections([centred], { ...request, eigenvalues: "positive" }, tools);
  const lengths = values.map((value) => Math.sqrt(Math.max(0, value)));
  const { sharing = ALONE } = tools;
  return sharing.once(() => ({ data: data.map((x, at) => x * lengths[at % width]), width }));
}

/** 1 / length of each row of mean(X̃), estimated from random projections; 0 for zero rows. */
async function inverseLengths(
  matrix: SparseOperator,
  mean: (x: Tensor) => Tensor,
  { engine, seed }: PrecomputeTools,
): Promise<Float32Array> {
  const builder = new ProgramBuilder(matrix.numRows);
  const rng = new Rng(seed, "features.lengths");
  const random = Float32Array.from({ length: matrix.numColumns * FEATURES.lengthProjections }, () => rng.normal());
  const projection = builder.constant(random, matrix.numColumns, FEATURES.lengthProjections, "float", false);
  let squares!: Tensor;
  builder.segment("lengths", () => {
    const rows = mean(spmm(matrix, projection));
    squares = rowDots(rows, rows);
    return [squares];
  });
  const executable = await engine.compile(builder.finish());
  try {
    executable.run("lengths");
    const found = await executable.read(squares);
    return Float32Array.from(found, (x) => (x > 0 ? Math.sqrt(FEATURES.lengthProjections / x) : 0));
  } finally {
    await executable.dispose();
  }
}
