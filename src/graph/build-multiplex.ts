/**
 * Builds a multiplex from integer-coded columns. The time is linear in nodes × relations + edges; no object per edge.
 *
 * The result does not depend on the order of the rows, not even in its last bits: rows are sorted by counting, and the
 * weights of parallel edges are sorted before they are added in double precision.
 *
 * Temporary arrays belong to one relation at a time: two index arrays (and one of weights) per sorting pass.
 */

import { InputError } from "../core/errors.js";
import { quoteValue } from "../core/text.js";
import type { Multiplex, Relation } from "./multiplex.js";
import { findKinds } from "./node-kinds.js";
import { compareCodeUnits, compareNatural } from "./order/natural-order.js";

export interface EdgeColumns {
  /** Index into `ids`, one per row. */
  readonly source: Uint32Array;
  readonly target: Uint32Array;
  /** Index into `relationNames`, one per row. */
  readonly relation: Uint16Array | Uint32Array;
  /** Finite and not negative. If absent, every edge has weight 1 and parallel edges merge into one. */
  readonly weight?: Float32Array | Float64Array;
  /** For each relation, 1 if its edges have no weights although other relations have. Default: no such relation. */
  readonly unweighted?: Uint8Array;
  readonly ids: readonly string[];
  readonly relationNames: readonly string[];
}

/** How edges are read. */
export interface BuildOptions {
  /** Keep the direction of edges. Default false: (a, b) and (b, a) are the same edge. */
  readonly directed?: boolean;
}

/** The multiplex of integer-coded edges. Ids and relation names may come in any order and are sorted here. */
export function buildMultiplex(columns: EdgeColumns, options: BuildOptions = {}): Multiplex {
  const directed = options.directed ?? false;
  checkColumns(columns);
  const nodes = arrange(columns.ids, compareCodeUnits, "node id");
  const names = arrange(columns.relationNames, compareNatural, "relation");
  const numNodes = nodes.sorted.length;
  const numRelations = names.sorted.length;
  const { order, start } = groupRows(columns.relation, numRelations, names.place);

  const totals = { selfLoops: 0, zeroWeights: 0, parallelEdges: 0 };
  let tinyWeights = 0;
  const relations: Relation[] = [];
  for (let r = 0; r < numRelations; r++) {
    const rows = order.subarray(start[r], start[r + 1]);
    const unweighted = rows.length > 0 && columns.unweighted?.[columns.relation[rows[0]]] === 1;
    const edges = collectEdges(unweighted ? { ...columns, weight: undefined } : columns, rows, nodes.place, directed);
    totals.selfLoops += edges.selfLoops;
    totals.zeroWeights += edges.zeroWeights;
    tinyWeights += edges.tinyWeights;
    const kept = edges.low.length;
    const sorted = sortByCounting(sortByCounting(edges, "high", numNodes), "low", numNodes);
    const count = mergeParallel(sorted);
    totals.parallelEdges += kept - count;
    relations.push(toRelation(names.sorted[r], sorted, count, numNodes, directed));
  }
  const kinds = findKinds(columns, { nodes: nodes.place, relations: names.place }, directed);
  return {
    numNodes,
    ids: nodes.sorted,
    relations,
    directed,
    report: { rows: columns.source.length, ...totals, ...(tinyWeights > 0 ? { tinyWeights } : {}) },
    ...(kinds === undefined ? {} : { kinds }),
  };
}

/** Edges of one relation; `low` is the smaller end, or the source in a directed graph. */
interface EdgeList {
  low: Uint32Array;
  high: Uint32Array;
  weight?: Float64Array;
}

function checkColumns({ source, target, relation, weight, ids, relationNames }: EdgeColumns): void {
  const rows = source.length;
  if (target.length !== rows || relation.length !== rows || (weight !== undefined && weight.length !== rows)) {
    throw new InputError(
      `edges: the columns have ${rows}, ${target.length}, ${relation.length}` +
        `${weight === undefined ? "" : ` and ${weight.length}`} rows; expected the same number in each.`,
    );
  }
  for (let i = 0; i < rows; i++) {
    if (source[i] >= ids.length || target[i] >= ids.length) {
      const node = source[i] >= ids.length ? source[i] : target[i];
      throw new InputError(`edges: row ${i + 1}: node ${node} is out of range; there are ${ids.length} ids.`);
    }
    if (relation[i] >= relationNames.length) {
      throw new InputError(
        `edges: row ${i + 1}: relation ${relation[i]} is out of range; there are ${relationNames.length} names.`,
      );
    }
    if (weight !== undefined && !(weight[i] >= 0 && Number.isFinite(Math.fround(weight[i])))) {
      throw new InputError(
        `edges: row ${i + 1}: weight ${weight[i]}; expected a finite number that is not negative and below 3.4e38.`,
      );
    }
  }
}

/** The sorted names, and for each index of `names` its index among them (undefined if the names were sorted already). */
function arrange(
  names: readonly string[],
  compare: (a: string, b: string) => number,
  what: string,
): { sorted: readonly string[]; place: Uint32Array | undefined } {
  let ascending = true;
  for (let i = 1; i < names.length && ascending; i++) ascending = compare(names[i - 1], names[i]) < 0;
  if (ascending) return { sorted: names, place: undefined };
  const order = Uint32Array.from(names, (_, i) => i).sort((a, b) => compare(names[a], names[b]));
  const place = new Uint32Array(names.length);
  const sorted: string[] = [];
  for (let i = 0; i < order.length; i++) {
    const name = names[order[i]];
    if (i > 0 && sorted[i - 1] === name) {
      throw new InputError(`edges: ${what} ${quoteValue(name)} is listed twice; expected each once.`);
    }
    sorted.push(name);
    place[order[i]] = i;
  }
  return { sorted, place };
}

/** Row numbers grouped by relation. */
function groupRows(
  relation: Uint16Array | Uint32Array,
  numRelations: number,
  place: Uint32Array | undefined,
): { order: Uint32Array; start: Uint32Array } {
  const start = new Uint32Array(numRelations + 1);
  const relationOf = (i: number) => (place === undefined ? relation[i] : place[relation[i]]);
  for (let i = 0; i < relation.length; i++) start[relationOf(i) + 1]++;
  for (let r = 0; r < numRelations; r++) start[r + 1] += start[r];
  const cursor = start.slice();
  const order = new Uint32Array(relation.length);
  for (let i = 0; i < relation.length; i++) order[cursor[relationOf(i)]++] = i;
  return { order, start };
}

function collectEdges(
  columns: EdgeColumns,
  rows: Uint32Array,
  place: Uint32Array | undefined,
  directed: boolean,
): EdgeList & { selfLoops: number; zeroWeights: number; tinyWeights: number } {
  const { source, target, weight } = columns;
  const low = new Uint32Array(rows.length);
  const high = new Uint32Array(rows.length);
  const kept = weight === undefined ? undefined : new Float64Array(rows.length);
  let selfLoops = 0;
  let zeroWeights = 0;
  let tinyWeights = 0;
  let count = 0;
  for (let k = 0; k < rows.length; k++) {
    const row = rows[k];
    const a = place === undefined ? source[row] : place[source[row]];
    const b = place === undefined ? target[row] : place[target[row]];
    if (a === b) {
      selfLoops++;
    } else if (weight !== undefined && Math.fround(weight[row]) === 0) {
      zeroWeights++;
      if (weight[row] > 0) tinyWeights++;
    } else {
      const swap = !directed && b < a;
      low[count] = swap ? b : a;
      high[count] = swap ? a : b;
      if (kept !== undefined && weight !== undefined) kept[count] = weight[row];
      count++;
    }
  }
  return {
    low: low.subarray(0, count),
    high: high.subarray(0, count),
    weight: kept?.subarray(0, count),
    selfLoops,
    zeroWeights,
    tinyWeights,
  };
}

/** A stable counting sort by one endpoint of the edges. */
function sortByCounting(edges: EdgeList, key: "low" | "high", numNodes: number): EdgeList {
  const keys = edges[key];
  const cursor = new Uint32Array(numNodes + 1);
  for (let i = 0; i < keys.length; i++) cursor[keys[i] + 1]++;
  for (let n = 0; n < numNodes; n++) cursor[n + 1] += cursor[n];
  const low = new Uint32Array(keys.length);
  const high = new Uint32Array(keys.length);
  const weight = edges.weight === undefined ? undefined : new Float64Array(keys.length);
  for (let i = 0; i < keys.length; i++) {
    const to = cursor[keys[i]]++;
    low[to] = edges.low[i];
    high[to] = edges.high[i];
    if (weight !== undefined && edges.weight !== undefined) weight[to] = edges.weight[i];
  }
  return { low, high, weight };
}

/** Merges equal edges of a sorted list in place; returns how many edges remain. */
function mergeParallel({ low, high, weight }: EdgeList): number {
  let count = 0;
  for (let i = 0; i < low.length; ) {
    let end = i + 1;
    while (end < low.length && low[end] === low[i] && high[end] === high[i]) end++;
    low[count] = low[i];
    high[count] = high[i];
    if (weight !== undefined) {
      let sum = weight[i];
      if (end > i + 1) {
        const group = weight.subarray(i, end).sort();
        sum = 0;
        for (const w of group) sum += w;
      }
      weight[count] = sum;
    }
    count++;
    i = end;
  }
  return count;
}

function toRelation(name: string, edges: EdgeList, count: number, numNodes: number, directed: boolean): Relation {
  const { low, high, weight } = edges;
  const rowStart = new Uint32Array(numNodes + 1);
  for (let i = 0; i < count; i++) {
    rowStart[low[i] + 1]++;
    if (!directed) rowStart[high[i] + 1]++;
  }
  for (let n = 0; n < numNodes; n++) rowStart[n + 1] += rowStart[n];
  const columns = new Uint32Array(rowStart[numNodes]);
  const weighted = weight !== undefined && !weight.subarray(0, count).every((w) => Math.fround(w) === 1);
  const values = weighted ? new Float32Array(columns.length) : undefined;
  const cursor = rowStart.slice();
  // In ascending order of `low`, row n first receives its smaller neighbours (as `high`), then its larger ones.
  for (let i = 0; i < count; i++) {
    const to = cursor[low[i]]++;
    columns[to] = high[i];
    if (values !== undefined && weight !== undefined) {
      values[to] = weight[i];
      if (!Number.isFinite(values[to])) {
        throw new InputError(
          `relation ${quoteValue(name)}: parallel edges add up to weight ${weight[i]}; expected below 3.4e38. ` +
            "Scale the weights down.",
        );
      }
    }
    if (!directed) {
      const back = cursor[high[i]]++;
      columns[back] = low[i];
      if (values !== undefined) values[back] = values[to];
    }
  }
  return values === undefined
    ? { name, rowStart, columns, numEdges: count }
    : { name, rowStart, columns, values, numEdges: count };
}
