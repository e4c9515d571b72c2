/**
 * Whether features are values of categories, such as countries, which exclude each other.
 *
 * Let m be the mean number of features of a node, quantities not counted. The values of m categories form m classes of features that no node
 * has two of. Such classes are searched one feature after the other, the most frequent first: it joins the first class whose members nodes hardly
 * ever have together with it. The *category share* is the share of the entries in the m largest classes: 1 for categories, and near 1 if a few nodes have two
 * values of one. Answers and words need more classes than a node has features.
 */

import type { FeatureInput } from "../../../nn/model.js";
import { CATEGORIES } from "../constants.js";

/** From 0 to 1; 0 with only quantities, with many categories, and with few values or few nodes for each. `isQuantity` has 1 for each quantity. */
export function categoryShare(features: FeatureInput, isQuantity: Uint8Array): number {
  const rows = rowsOf(features, isQuantity);
  const numEntries = rows.reduce((sum, row) => sum + row.length, 0);
  const numCategories = Math.round(numEntries / rows.length);
  if (numEntries === 0 || numCategories > CATEGORIES.maxCategories) return 0;
  const holders = new Float64Array(features.numColumns);
  for (const row of rows) for (const c of row) holders[c]++;
  const held = [...holders.keys()].filter((c) => holders[c] > 0);
  if (held.length < CATEGORIES.minValues * numCategories || numEntries < CATEGORIES.minHolders * held.length) return 0;
  const sizes = classSizes(held, holders, companions(rows, features.numColumns), rows.length).sort((a, b) => b - a);
  return sizes.slice(0, Math.max(1, numCategories)).reduce((sum, size) => sum + size, 0) / numEntries;
}

/** The features of nodes that have some, quantities not counted; of large tables, those of about as many nodes as limit the time. */
function rowsOf({ rowStart, columns, values }: FeatureInput, isQuantity: Uint8Array): Uint32Array[] {
  const numRows = rowStart.length - 1;
  const step = Math.max(1, Math.ceil(columns.length / CATEGORIES.maxComparedEntries));
  const rows: Uint32Array[] = [];
  for (let i = 0; i < numRows; i += step) {
    const row = columns
      .subarray(rowStart[i], rowStart[i + 1])
      .filter((c, at) => isQuantity[c] === 0 && (values?.[rowStart[i] + at] ?? 1) !== 0);
    if (row.length > 0) rows.push(row);
  }
  return rows;
}

/** For each feature the others that nodes have together with it, with the number of these nodes. */
function companions(rows: readonly Uint32Array[], numColumns: number): (Map<number, number> | undefined)[] {
  const found = new Array<Map<number, number> | undefined>(numColumns).fill(undefined);
  for (const row of rows) {
    // a node with far more features than there may be categories says that they exclude nothing; some of them are enough
    const some = row.subarray(0, 2 * CATEGORIES.maxCategories);
    for (const a of some) {
      for (const b of some) {
        if (a === b) continue;
        found[a] ??= new Map();
        found[a].set(b, (found[a].get(b) ?? 0) + 1);
      }
    }
  }
  return found;
}

/** Number of entries of each class. */
function classSizes(
  held: readonly number[],
  holders: Float64Array,
  together: readonly (ReadonlyMap<number, number> | undefined)[],
  numRows: number,
): number[] {
  const classOf = new Map<number, number>();
  const sizes: number[] = [];
  for (const c of [...held].sort((a, b) => holders[b] - holders[a] || a - b)) {
    const both = new Float64Array(sizes.length + 1);
    for (const [other, count] of together[c] ?? []) {
      const place = classOf.get(other);
      if (place !== undefined) both[place] += count;
    }
    let place = 0;
    // one node may be a mistake
    const most = (size: number) => 1 + (CATEGORIES.maxBoth * holders[c] * size) / numRows;
    while (place < sizes.length && both[place] > most(sizes[place])) place++;
    classOf.set(c, place);
    sizes[place] = (sizes[place] ?? 0) + holders[c];
  }
  return sizes;
}
