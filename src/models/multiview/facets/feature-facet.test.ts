/** The feature facets against dense singular value decompositions. */

import { describe, expect, test } from "vitest";
import { Rng } from "../../../core/rng.js";
import { referenceEngine } from "../../../engine/reference.js";
import { smoothing } from "../../../nn/diffusion/smoothing.js";
import { transitionMatrix } from "../../../nn/diffusion/transition-matrix.js";
import { standardizedFeatures } from "../../../nn/feature-weights.js";
import type { FeatureInput } from "../../../nn/model.js";
import { symmetricEigen } from "../../../numeric/eigen/symmetric-eigen.js";
import { twoGroups } from "../test-graphs.js";
import { featureFacets } from "./feature-facet.js";

const N = 40;
const NUM_FEATURES = 12;
const tools = { engine: referenceEngine, seed: 1 };
/** Counts: features 0 to 5 are frequent in one group, 6 to 9 in one half of the nodes, the others anywhere; the last node has none. */
const graph = twoGroups(N, 0.3, 0.05, 2);
const rng = new Rng(3, "counts");
const counts = graph.groups.map((group, i) =>
  Array.from({ length: NUM_FEATURES }, (_, c) => {
    const likely = c < 6 ? group === 1 : c < 10 ? i % 2 === 0 : rng.uniform() < 0.4;
    return i === N - 1 || rng.uniform() > (likely ? 0.8 : 0.1) ? 0 : 1 + rng.below(5);
  }),
);
const walk = transitionMatrix([graph], N);

function featuresOf(rows: readonly (readonly number[])[]): FeatureInput {
  const entries = rows.map((row) => row.flatMap((value, c) => (value === 0 ? [] : [{ c, value }])));
  return {
    numColumns: NUM_FEATURES,
    rowStart: Uint32Array.from([0, ...entries.map((_, i) => entries.slice(0, i + 1).flat().length)]),
    columns: Uint32Array.from(entries.flat(), ({ c }) => c),
    values: Float32Array.from(entries.flat(), ({ value }) => value),
  };
}

/** Dense rows of the standardised features. */
function standardized(): number[][] {
  const { rowStart, columns, values } = standardizedFeatures(featuresOf(counts), N);
  return counts.map((_, i) => {
    const row = new Array<number>(NUM_FEATURES).fill(0);
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) row[columns[e]] = values![e];
    return row;
  });
}

/** Twelve terms of the walk; the graph has no node without edges. */
function smoothed(rows: readonly number[][]): number[][] {
  const step = (of: readonly (readonly number[])[]) =>
    of.map((row, i) =>
      row.map((_, c) => {
        let sum = 0;
        for (let e = walk.rowStart[i]; e < walk.rowStart[i + 1]; e++) sum += walk.values![e] * of[walk.columns[e]][c];
        return sum;
      }),
    );
  let power: number[][] = rows.map((row) => [...row]);
  const sum = rows.map((row) => row.map(() => 0));
  for (let k = 0; k < 12; k++) {
    power.forEach((row, i) => {
      row.forEach((x, c) => {
        sum[i][c] += (0.15 * 0.85 ** k * x) / (1 - 0.85 ** 12);
      });
    });
    power = step(power);
  }
  return sum;
}

/** Eigenvectors of Z·Zᵀ, Z the rows with centred columns, and the share of each in the trace. */
function decompose(rows: readonly number[][]) {
  const means = rows[0].map((_, c) => rows.reduce((sum, row) => sum + row[c], 0) / N);
  const centred = rows.map((row) => row.map((x, c) => x - means[c]));
  const gram = centred.flatMap((a) => centred.map((b) => a.reduce((sum, x, c) => sum + x * b[c], 0)));
  const { values, vectors } = symmetricEigen(Float64Array.from(gram), N);
  const trace = values.reduce((sum, value) => sum + value, 0);
  return { vectors, shares: values.map((value) => value / trace) };
}

describe("feature facets", () => {
  const max = { own: 2, smoothed: 2 };
  const facets = (rows: readonly (readonly number[])[]) =>
    featureFacets(featuresOf(rows), N, smoothing(walk), max, tools);

  test.each([
    ["own", standardized()],
    ["smoothed", smoothed(standardized())],
  ] as const)("%s: left singular vectors, squared lengths equal to the share of the variance", async (name, rows) => {
    const { data, width } = (await facets(counts))[name];
    expect(width).toBe(2);
    const { vectors, shares } = decompose(rows);
    const squares = [0, 1].map((k) => {
      const column = Array.from({ length: N }, (_, i) => data[i * width + k]);
      const length = Math.hypot(...column);
      const dot = column.reduce((sum, x, i) => sum + x * vectors[k][i], 0);
      expect(Math.abs(dot) / length).toBeGreaterThan(0.999);
      return length ** 2 / N;
    });
    squares.forEach((square, k) => {
      expect(square).toBeCloseTo(shares[k], 4);
    });
  });

  test("do not depend on the unit of a feature", async () => {
    const plain = await facets(counts);
    const other = await facets(counts.map((row) => row.map((x, c) => (c === 2 ? 1000 * x : x))));
    for (const name of ["own", "smoothed"] as const) {
      other[name].data.forEach((x, at) => {
        expect(x).toBeCloseTo(plain[name].data[at], 4);
      });
    }
  });

  test("features that are equal everywhere have no columns", async () => {
    const { own, smoothed: over } = await facets(counts.map((row) => row.map(() => 2)));
    expect([own.width, over.width]).toEqual([0, 0]);
  });
});
