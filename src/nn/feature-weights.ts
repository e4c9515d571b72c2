/**
 * Features as the default model reads them: rare features weigh more, and units do not matter.
 *
 * A feature of few nodes (a word) becomes x / (root mean square of its entries) · log(1 + n/n_c), where n_c nodes have it. A feature
 * with differing values that more than half of the nodes with features have is a quantity (an age, an amount, a year). It becomes
 * asinh((x − median) / deviation) · log(1 + n/n_c), so that neither an offset nor a long tail hides the differences. A node with
 * other features that lacks a quantity has the value 0 for it.
 *
 * Rows are scaled to length one. If there are quantities, a typical squared length of theirs is added before, so that a row far
 * from the medians keeps larger entries than a row near them.
 */

import type { SparseOperator } from "../engine/sparse.js";
import type { FeatureInput } from "./model.js";

/** One number per feature. */
export interface FeatureWeights {
  /** Factor of an entry. */
  readonly rarity: Float64Array;
  /** Median of a quantity; 0 for other features. */
  readonly center: Float64Array;
  /** Standard deviation of a quantity, from its quartiles; 0 for other features. */
  readonly deviation: Float64Array;
}

/** A quantity is a feature that more than this share of the nodes with features have. */
const MIN_SHARE = 0.5;
/** Distance between the quartiles of a normal distribution, in standard deviations. */
const DEVIATIONS_OF_QUARTILES = 1.349;
/** Largest number of values from which medians and quartiles are computed. */
const MAX_VALUES = 1 << 23;
/** Smallest number of rows from which they are computed, even if those have more values. */
const MIN_SAMPLED_ROWS = 1024;

const known = new WeakMap<FeatureInput, SparseOperator>();

/** Weighted rows of unit length; a row without features is zero. Computed once per feature matrix: several facets read it. */
export function weightedFeatures(features: FeatureInput, numNodes: number): SparseOperator {
  const weighted = known.get(features) ?? weighRows(features, numNodes, featureWeights(features, numNodes));
  known.set(features, weighted);
  return weighted;
}

/** `weightedFeatures` in the form of features. */
export function weightedInput(features: FeatureInput, numNodes: number): FeatureInput {
  const { numColumns, rowStart, columns, values } = weightedFeatures(features, numNodes);
  return { numColumns, rowStart, columns, values: Float32Array.from(values ?? []) };
}

/** Weights of all features, from the nodes of a graph. */
export function featureWeights(features: FeatureInput, numNodes: number): FeatureWeights {
  const { numColumns, rowStart, columns, values } = features;
  const numHolders = new Float64Array(numColumns);
  const squares = new Float64Array(numColumns);
  const first = new Float64Array(numColumns);
  const varies = new Uint8Array(numColumns);
  columns.forEach((column, e) => {
    const value = values?.[e] ?? 1;
    if (value === 0) return;
    if (numHolders[column] === 0) first[column] = value;
    else if (value !== first[column]) varies[column] = 1;
    numHolders[column]++;
    squares[column] += value * value;
  });
  const rarity = squares.map((square, c) =>
    square === 0 ? 0 : Math.log(1 + numNodes / numHolders[c]) / Math.sqrt(square / numHolders[c]),
  );
  const [center, deviation] = [new Float64Array(numColumns), new Float64Array(numColumns)];
  const nonEmptyRows = rowsWithFeatures(rowStart);
  const quantities = [...numHolders.keys()].filter(
    (c) => varies[c] === 1 && numHolders[c] > MIN_SHARE * nonEmptyRows.length,
  );
  sampleOf(features, nonEmptyRows, quantities).forEach((sorted, at) => {
    const c = quantities[at];
    const middle = quantile(sorted, 0.5);
    const quartiles = quantile(sorted, 0.75) - quantile(sorted, 0.25);
    // half of the nodes may have the same value; then the deviation from the median over all nodes is used
    const scale = quartiles > 0 ? quartiles / DEVIATIONS_OF_QUARTILES : deviationFrom(sorted, middle);
    if (scale === 0) return;
    center[c] = middle;
    deviation[c] = scale;
    rarity[c] = Math.log(1 + numNodes / numHolders[c]);
  });
  return { rarity, center, deviation };
}

/** 1 for each feature that is a quantity. */
export function isQuantity(features: FeatureInput, numNodes: number): Uint8Array {
  return Uint8Array.from(featureWeights(features, numNodes).deviation, (deviation) => Number(deviation > 0));
}

/** Entries multiplied by their weights, rows scaled to length one; rows without entries stay empty. */
export function weighRows(features: FeatureInput, numNodes: number, weights: FeatureWeights): SparseOperator {
  const { numColumns } = features;
  const { rarity, center, deviation } = weights;
  const { rowStart, columns, values } = fillQuantities(features, deviation);
  let typicalSquare = 0;
  deviation.forEach((x, c) => {
    if (x > 0) typicalSquare += rarity[c] ** 2;
  });
  const weighted = Float64Array.from(columns, (column, e) => {
    const value = values?.[e] ?? 1;
    return deviation[column] > 0
      ? rarity[column] * Math.asinh((value - center[column]) / deviation[column])
      : value * rarity[column];
  });
  scaleRowsToOne(weighted, rowStart, typicalSquare);
  return { numRows: numNodes, numColumns, rowStart, columns, values: weighted, diagonal: 0, symmetric: false };
}

/** Divides every row by its length; `typicalSquare` is added to the squared length of every row before. */
function scaleRowsToOne(values: Float64Array, rowStart: Uint32Array, typicalSquare: number): void {
  for (let i = 0; i + 1 < rowStart.length; i++) {
    let square = typicalSquare;
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) square += values[e] ** 2;
    if (square === 0) continue;
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) values[e] /= Math.sqrt(square);
  }
}

/**
 * Share of the nodes below which a feature counts as rare: its columns are then shorter than one, because few nodes must not
 * decide a direction. Not tuned.
 */
const RARE_SHARE = 0.01;

/**
 * Features without units: a quantity is asinh((x − median)/deviation), any other feature ±ln(1 + |x|/m), where m is the mean of
 * |x| over its entries. Columns are divided by their standard deviation, then rows by their length as above: the proportions
 * of the features count, not their sum.
 */
export function standardizedFeatures(features: FeatureInput, numNodes: number): SparseOperator {
  const { numColumns } = features;
  const { center, deviation } = featureWeights(features, numNodes);
  const { rowStart, columns, values } = fillQuantities(features, deviation);
  const entry = (e: number) => values?.[e] ?? 1;
  const count = new Float64Array(numColumns);
  const size = new Float64Array(numColumns);
  columns.forEach((column, e) => {
    if (entry(e) !== 0) count[column]++;
    size[column] += Math.abs(entry(e));
  });
  const scaled = Float64Array.from(columns, (column, e) => {
    const value = entry(e);
    if (deviation[column] > 0) return Math.asinh((value - center[column]) / deviation[column]);
    return value === 0 ? 0 : Math.sign(value) * Math.log1p((Math.abs(value) * count[column]) / size[column]);
  });
  const [sum, squares] = [new Float64Array(numColumns), new Float64Array(numColumns)];
  columns.forEach((column, e) => {
    sum[column] += scaled[e] / numNodes;
    squares[column] += scaled[e] ** 2 / numNodes;
  });
  const factors = squares.map((square, c) => {
    const rare = count[c] === 0 ? 0 : (RARE_SHARE * square * numNodes) / count[c];
    const variance = square - sum[c] ** 2;
    return variance > 1e-12 * square ? 1 / Math.sqrt(Math.max(variance, rare)) : 0;
  });
  columns.forEach((column, e) => {
    scaled[e] *= factors[column];
  });
  scaleRowsToOne(scaled, rowStart, deviation.filter((x) => x > 0).length);
  return { numRows: numNodes, numColumns, rowStart, columns, values: scaled, diagonal: 0, symmetric: false };
}

/** The matrix without the entries of the other columns; columns keep their numbers. */
export function keepColumns(matrix: SparseOperator, keeps: (column: number) => boolean): SparseOperator {
  const { numRows, rowStart, columns, values } = matrix;
  const isKept = columns.map((column) => Number(keeps(column)));
  const size = isKept.reduce((sum, one) => sum + one, 0);
  const start = new Uint32Array(numRows + 1);
  const kept = new Uint32Array(size);
  const weights = new Float64Array(size);
  let at = 0;
  for (let i = 0; i < numRows; i++) {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
      if (isKept[e] === 0) continue;
      kept[at] = columns[e];
      weights[at++] = values?.[e] ?? 1;
    }
    start[i + 1] = at;
  }
  return { ...matrix, rowStart: start, columns: kept, values: weights };
}

/** Stores a zero for every quantity that a row with entries lacks. */
function fillQuantities(features: FeatureInput, deviation: Float64Array): FeatureInput {
  const { rowStart, columns, values } = features;
  const quantities = Uint32Array.from([...deviation.keys()].filter((c) => deviation[c] > 0));
  if (quantities.length === 0) return features;
  const start = new Uint32Array(rowStart.length);
  const filled: { columns: Uint32Array; values: Float64Array } = {
    columns: new Uint32Array(columns.length + quantities.length * (rowStart.length - 1)),
    values: new Float64Array(columns.length + quantities.length * (rowStart.length - 1)),
  };
  let at = 0;
  const push = (column: number, value: number): void => {
    filled.columns[at] = column;
    filled.values[at++] = value;
  };
  for (let i = 0; i + 1 < rowStart.length; i++) {
    let q = 0;
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
      while (q < quantities.length && quantities[q] < columns[e]) push(quantities[q++], 0);
      if (quantities[q] === columns[e]) q++;
      push(columns[e], values?.[e] ?? 1);
    }
    while (rowStart[i + 1] > rowStart[i] && q < quantities.length) push(quantities[q++], 0);
    start[i + 1] = at;
  }
  return {
    ...features,
    rowStart: start,
    columns: filled.columns.slice(0, at),
    values: Float32Array.from(filled.values.subarray(0, at)),
  };
}

function rowsWithFeatures(rowStart: Uint32Array): Uint32Array {
  return Uint32Array.from(rowStart.keys()).filter((i) => rowStart[i + 1] > rowStart[i]);
}

/** Values of each chosen column in a sample of the rows, ascending; 0 for a row without the feature. */
function sampleOf(
  { numColumns, rowStart, columns, values }: FeatureInput,
  rows: Uint32Array,
  chosen: readonly number[],
): Float64Array[] {
  const place = new Int32Array(numColumns).fill(-1);
  chosen.forEach((column, at) => {
    place[column] = at;
  });
  const stride = Math.ceil(rows.length / Math.max(MIN_SAMPLED_ROWS, Math.floor(MAX_VALUES / chosen.length)));
  const sampledRows = rows.filter((_, at) => at % stride === 0);
  const samples = chosen.map(() => new Float64Array(sampledRows.length));
  sampledRows.forEach((i, at) => {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
      if (place[columns[e]] >= 0) samples[place[columns[e]]][at] = values?.[e] ?? 1;
    }
  });
  return samples.map((sample) => sample.sort());
}

/** Quantile of ascending numbers, interpolated. */
function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

/** Root mean square distance from the centre. */
function deviationFrom(values: Float64Array, center: number): number {
  return Math.sqrt(values.reduce((sum, x) => sum + (x - center) ** 2, 0) / values.length);
}
