/**
 * Features as models of our own read them: rare ones count more, whatever unit they are measured in.
 *
 * A feature that few nodes have (a word) is its entry over the root mean square of its entries, times log(1 + n/n_c),
 * n_c the nodes that have it. A feature that more than half of the nodes with features have, with values that differ, is
 * a quantity (an age, an amount, a year): what tells nodes apart is not its size but how far it is from what is usual,
 * asinh((x − median) / spread), so that neither an offset nor a long tail hides the rest. Nodes that have other features
 * but lack a quantity have 0 of it.
 *
 * Rows have length one. Where there are quantities, what they have in the mean is added to a row's length, so that a row
 * far from the usual stays farther than one near it.
 */

import type { SparseOperator } from "../engine/sparse.js";
import type { FeatureInput } from "./model.js";

/** One number for each feature. */
export interface FeatureWeights {
  /** What an entry is multiplied by. */
  readonly rarity: Float64Array;
  /** Of a quantity, what is usual. */
  readonly center: Float64Array;
  /** Of a quantity, by how much nodes differ; 0 of other features. */
  readonly spread: Float64Array;
}

/** Nodes that have a quantity, as a part of those with features, are more than this. */
const MIN_SHARE = 0.5;
/** The quartiles of a normal distribution are so many deviations apart. */
const DEVIATIONS_OF_QUARTILES = 1.349;
/** What is usual is found from rows with so many values of quantities in all, but from no fewer rows than this. */
const MAX_VALUES = 1 << 23;
const MIN_LOOKED_AT = 1024;

const known = new WeakMap<FeatureInput, SparseOperator>();

/** Rows weighted and of unit length; without features a row is zero. Made once: several views read them. */
export function weightedFeatures(features: FeatureInput, numNodes: number): SparseOperator {
  const weighted = known.get(features) ?? weighRows(features, numNodes, featureWeights(features, numNodes));
  known.set(features, weighted);
  return weighted;
}

/** The same as a model reads features. */
export function weightedInput(features: FeatureInput, numNodes: number): FeatureInput {
  const { numColumns, rowStart, columns, values } = weightedFeatures(features, numNodes);
  return { numColumns, rowStart, columns, values: Float32Array.from(values ?? []) };
}

export function featureWeights(features: FeatureInput, numNodes: number): FeatureWeights {
  const { numColumns, rowStart, columns, values } = features;
  const holders = new Float64Array(numColumns);
  const squares = new Float64Array(numColumns);
  const first = new Float64Array(numColumns);
  const varies = new Uint8Array(numColumns);
  columns.forEach((column, e) => {
    const value = values?.[e] ?? 1;
    if (value === 0) return;
    if (holders[column] === 0) first[column] = value;
    else if (value !== first[column]) varies[column] = 1;
    holders[column]++;
    squares[column] += value * value;
  });
  const rarity = squares.map((square, c) =>
    square === 0 ? 0 : Math.log(1 + numNodes / holders[c]) / Math.sqrt(square / holders[c]),
  );
  const [center, spread] = [new Float64Array(numColumns), new Float64Array(numColumns)];
  const described = rowsWithFeatures(rowStart);
  const quantities = [...holders.keys()].filter((c) => varies[c] === 1 && holders[c] > MIN_SHARE * described.length);
  sampleOf(features, described, quantities).forEach((sorted, at) => {
    const c = quantities[at];
    const middle = quantile(sorted, 0.5);
    const quartiles = quantile(sorted, 0.75) - quantile(sorted, 0.25);
    // a quantity that is the same for half of the nodes still differs in the others
    const differ = quartiles > 0 ? quartiles / DEVIATIONS_OF_QUARTILES : distance(sorted, middle);
    if (differ === 0) return;
    center[c] = middle;
    spread[c] = differ;
    rarity[c] = Math.log(1 + numNodes / holders[c]);
  });
  return { rarity, center, spread };
}

/** Entries as the weights have them, rows of length one; a row without entries stays so. */
export function weighRows(features: FeatureInput, numNodes: number, weights: FeatureWeights): SparseOperator {
  const { numColumns } = features;
  const { rarity, center, spread } = weights;
  const { rowStart, columns, values } = withQuantities(features, spread);
  let usual = 0;
  spread.forEach((x, c) => {
    if (x > 0) usual += rarity[c] ** 2;
  });
  const weighted = Float64Array.from(columns, (column, e) => {
    const value = values?.[e] ?? 1;
    return spread[column] > 0
      ? rarity[column] * Math.asinh((value - center[column]) / spread[column])
      : value * rarity[column];
  });
  for (let i = 0; i < numNodes; i++) {
    let square = usual;
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) square += weighted[e] ** 2;
    if (square === 0) continue;
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) weighted[e] /= Math.sqrt(square);
  }
  return { numRows: numNodes, numColumns, rowStart, columns, values: weighted, diagonal: 0, symmetric: false };
}

/** The entries in some columns; their numbers stay. */
export function keepColumns(matrix: SparseOperator, keeps: (column: number) => boolean): SparseOperator {
  const { numRows, rowStart, columns, values } = matrix;
  const chosen = columns.map((column) => Number(keeps(column)));
  const size = chosen.reduce((sum, one) => sum + one, 0);
  const start = new Uint32Array(numRows + 1);
  const kept = new Uint32Array(size);
  const weights = new Float64Array(size);
  let at = 0;
  for (let i = 0; i < numRows; i++) {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
      if (chosen[e] === 0) continue;
      kept[at] = columns[e];
      weights[at++] = values?.[e] ?? 1;
    }
    start[i + 1] = at;
  }
  return { ...matrix, rowStart: start, columns: kept, values: weights };
}

/** Each row that has entries gets zeros for the quantities it lacks. */
function withQuantities(features: FeatureInput, spread: Float64Array): FeatureInput {
  const { rowStart, columns, values } = features;
  const quantities = Uint32Array.from([...spread.keys()].filter((c) => spread[c] > 0));
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

/** Values of each of these columns in some of the rows, ascending; 0 where a row has none. */
function sampleOf(
  { numColumns, rowStart, columns, values }: FeatureInput,
  rows: Uint32Array,
  chosen: readonly number[],
): Float64Array[] {
  const place = new Int32Array(numColumns).fill(-1);
  chosen.forEach((column, at) => {
    place[column] = at;
  });
  const stride = Math.ceil(rows.length / Math.max(MIN_LOOKED_AT, Math.floor(MAX_VALUES / chosen.length)));
  const looked = rows.filter((_, at) => at % stride === 0);
  const samples = chosen.map(() => new Float64Array(looked.length));
  looked.forEach((i, at) => {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
      if (place[columns[e]] >= 0) samples[place[columns[e]]][at] = values?.[e] ?? 1;
    }
  });
  return samples.map((sample) => sample.sort());
}

/** Of ascending numbers. */
function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

/** From the centre, root of the mean square. */
function distance(values: Float64Array, center: number): number {
  return Math.sqrt(values.reduce((sum, x) => sum + (x - center) ** 2, 0) / values.length);
}
