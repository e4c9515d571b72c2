/**
 * Directions of a multiplex that stand above noise: those of all relations together first, then what single relations add.
 *
 * The leading directions of Â are found on half of the edges and tested on the other half (direction-test.ts); as many as
 * pass are taken from the whole graph. Relations come in only while there is room: tanh(2.5·√n·v) of each of their own
 * directions, which takes out the spread within two groups, less what the common ones hold of it; of all these the
 * leading left singular vectors, so that what several relations share is taken once and before what one has alone.
 */

import { symmetricEigen } from "../core/symmetric-eigen.js";
import { besides, type Columns, leadingColumns, selectColumns } from "./columns.js";
import { FEWEST_DEVIATIONS } from "./direction-test.js";
import type { SimpleGraph } from "./edge-copies.js";
import type { PrecomputeTools } from "./model.js";
import { leadGraphs, testGraphs } from "./tested-directions.js";

const SQUASH = 2.5;
/** Directions that a relation adds at most, and those tried in all of them. */
const MOST_OF_RELATION = 4;
export const MOST_OF_RELATIONS = 256;
/** A direction is new when more than this of its square is not in those before it. */
const NEW_SHARE = 0.25;

/** Significant directions of one graph: unit columns, strongest first; `degree` is the leading one, which degrees make. */
interface Found {
  readonly degree: Columns;
  readonly own: Columns;
}

/** The leading directions of each graph that pass the test, at most `most` beside the one of the degrees. */
async function findDirections(
  graphs: readonly SimpleGraph[],
  most: number,
  purpose: string,
  tools: PrecomputeTools,
): Promise<Found[]> {
  const what = graphs.length === 1 ? "directions of all relations" : "directions of single relations";
  const request = { count: most + 1, purpose, what };
  const passed = (await testGraphs(graphs, request, tools)).map((scores) =>
    scores.subarray(1).reduce((sum, score) => sum + (score > FEWEST_DEVIATIONS ? 1 : 0), 0),
  );
  const whole = await leadGraphs(graphs, request, tools);
  return whole.map(({ vectors, count }, m) => {
    const columns = { data: vectors, count };
    const taken = Math.min(passed[m], count - 1);
    return {
      degree: selectColumns(columns, [0]),
      own: selectColumns(
        columns,
        Array.from({ length: taken }, (_, k) => k + 1),
      ),
    };
  });
}

export interface SpectralView {
  /** Directions above noise of all relations together, or of the one relation that has most; at most as many as were tried. */
  readonly numDirections: number;
  /** The directions for at most `most` columns, of unit length: degrees, common ones, those of relations. */
  columns(most: number): Promise<Columns>;
}

/** Tries at most `tried` directions of all relations together. Single relations are looked at where these are fewer. */
export async function spectralView(
  union: SimpleGraph,
  relations: readonly SimpleGraph[],
  tried: number,
  tools: PrecomputeTools,
): Promise<SpectralView> {
  const numNodes = union.numRows;
  const [common] = await findDirections([union], tried, "spectral.common", tools);
  const nonEmpty = relations.filter(({ columns }) => columns.length > 0).slice(0, MOST_OF_RELATIONS);
  const each = Math.max(1, Math.min(tried, Math.floor(MOST_OF_RELATIONS / nonEmpty.length)));
  let found: Promise<Found[]> | undefined;
  const single = (): Promise<Found[]> =>
    (found ??= nonEmpty.length < 2 ? Promise.resolve([]) : findDirections(nonEmpty, each, "spectral.relation", tools));
  const ofSingle = common.own.count < tried ? (await single()).map(({ own }) => own.count) : [];
  return {
    numDirections: Math.max(common.own.count, ...ofSingle),
    async columns(most) {
      const first = besides(numNodes, [
        ...(most > 0 ? [common.degree] : []),
        leadingColumns(common.own, Math.max(0, most - 1)),
      ]);
      const room = most - first.count;
      if (room <= 0) return first;
      const candidates = besides(
        numNodes,
        (await single()).map(({ own }) => squashed(leadingColumns(own, MOST_OF_RELATION), numNodes)),
      );
      return besides(numNodes, [first, newDirections(candidates, first, numNodes, room)]);
    },
  };
}

/** tanh(2.5·√n·v), centred, of unit length. */
function squashed({ data, count }: Columns, numNodes: number): Columns {
  const out = data.map((x) => Math.tanh(SQUASH * Math.sqrt(numNodes) * x));
  for (let k = 0; k < count; k++) {
    let sum = 0;
    for (let i = 0; i < numNodes; i++) sum += out[i * count + k];
    let square = 0;
    for (let i = 0; i < numNodes; i++) square += (out[i * count + k] -= sum / numNodes) ** 2;
    if (square === 0) continue;
    for (let i = 0; i < numNodes; i++) out[i * count + k] /= Math.sqrt(square);
  }
  return { data: out, count };
}

/** Leading left singular vectors of what `candidates` hold beyond the orthonormal columns of `known`; at most `most`. */
function newDirections(candidates: Columns, known: Columns, numNodes: number, most: number): Columns {
  const { count } = candidates;
  if (count === 0) return { data: new Float32Array(0), count: 0 };
  const rest = Float64Array.from(candidates.data);
  for (let c = 0; c < known.count; c++) {
    const along = new Float64Array(count);
    for (let i = 0; i < numNodes; i++) {
      const x = known.data[i * known.count + c];
      for (let k = 0; k < count; k++) along[k] += x * candidates.data[i * count + k];
    }
    for (let i = 0; i < numNodes; i++) {
      const x = known.data[i * known.count + c];
      for (let k = 0; k < count; k++) rest[i * count + k] -= x * along[k];
    }
  }
  const gram = new Float64Array(count * count);
  for (let i = 0; i < numNodes; i++) {
    for (let a = 0; a < count; a++) {
      const x = rest[i * count + a];
      for (let b = a; b < count; b++) gram[a * count + b] += x * rest[i * count + b];
    }
  }
  for (let a = 0; a < count; a++) for (let b = 0; b < a; b++) gram[a * count + b] = gram[b * count + a];
  const { values, vectors } = symmetricEigen(gram, count);
  const taken = vectors.filter((_, k) => values[k] > NEW_SHARE).slice(0, most);
  const data = new Float32Array(numNodes * taken.length);
  taken.forEach((vector, c) => {
    const scale = 1 / Math.sqrt(values[c]);
    for (let i = 0; i < numNodes; i++) {
      let sum = 0;
      for (let k = 0; k < count; k++) sum += rest[i * count + k] * vector[k];
      data[i * taken.length + c] = scale * sum;
    }
  });
  return { data, count: taken.length };
}
