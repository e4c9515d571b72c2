import { expect, test } from "vitest";
import { Rng } from "../core/rng.js";
import { referenceEngine } from "../engine/reference.js";
import type { SimpleGraph } from "./direction-test.js";
import { type SpectralView, spectralView } from "./spectral-view.js";
import { shareWidth, VIEWS, widestViews } from "./view-widths.js";

const features = { numColumns: 3, rowStart: new Uint32Array(2), columns: new Uint32Array(0) };
const graph = (numRelations: number, withFeatures: boolean) => ({
  relations: Array.from({ length: numRelations }, (_, d) => ({
    name: `r${d}`,
    numEdges: 0,
    rowStart: new Uint32Array(2),
    columns: new Uint32Array(0),
  })),
  ...(withFeatures ? { features } : {}),
});

/** A view that has as many columns as are asked for. */
const viewOf = (numDirections: number, count: number, effective: number): SpectralView => ({
  numDirections,
  common: { count, effective },
  columns: async (most) => ({ data: new Float32Array(most), count: most }),
});

test("columns add up to the width, whatever it is", async () => {
  for (const withFeatures of [false, true]) {
    for (let dim = 1; dim <= 70; dim++) {
      const shape = graph(5, withFeatures);
      const views = [widestViews(shape, dim), (await shareWidth(shape, dim, 0, viewOf(9, 9, 2.5))).widths];
      for (const widths of views) {
        expect(VIEWS.reduce((sum, view) => sum + widths[view], 0)).toBe(dim);
        for (const view of VIEWS) expect(widths[view]).toBeGreaterThanOrEqual(0);
      }
    }
  }
});

test("edges have as many columns as there are directions; beside features as many as count", async () => {
  const widths = async (withFeatures: boolean, view: SpectralView) =>
    (await shareWidth(graph(2, withFeatures), 64, 2, view)).widths;
  expect(await widths(false, viewOf(40, 30, 5))).toEqual({ edges: 40, spectral: 22, degrees: 2, infomax: 0 });
  expect(await widths(false, viewOf(3, 3, 3))).toEqual({ edges: 8, spectral: 54, degrees: 2, infomax: 0 });
  // flat: all that there are
  expect(await widths(true, viewOf(40, 40, 37.2))).toEqual({ edges: 28, spectral: 0, degrees: 2, infomax: 34 });
  // steep: few, and no column for the weak ones
  expect(await widths(true, viewOf(40, 22, 5.1))).toEqual({ edges: 12, spectral: 0, degrees: 2, infomax: 50 });
  // a union with few of them: single relations may have more
  expect(await widths(true, viewOf(40, 4, 3.9))).toEqual({ edges: 12, spectral: 16, degrees: 2, infomax: 34 });
});

/** Groups of the given sizes, with edges inside them only. */
function separateGroups(sizes: readonly number[], density: number): SimpleGraph {
  const numRows = sizes.reduce((sum, size) => sum + size, 0);
  const group = sizes.flatMap((size, g) => new Array<number>(size).fill(g));
  const rng = new Rng(4, "groups");
  const rows: number[][] = group.map(() => []);
  for (let i = 0; i < numRows; i++) {
    for (let j = i + 1; j < numRows; j++) {
      if (group[i] !== group[j] || rng.uniform() >= density) continue;
      rows[i].push(j);
      rows[j].push(i);
    }
  }
  for (const row of rows) row.sort((a, b) => a - b);
  const rowStart = new Uint32Array(numRows + 1);
  for (const [i, row] of rows.entries()) rowStart[i + 1] = rowStart[i] + row.length;
  return { numRows, rowStart, columns: Uint32Array.from(rows.flat()) };
}

test("directions of equal strength count one each, weak ones beside strong ones less", async () => {
  const tools = { engine: referenceEngine, seed: 1 };
  const equal = separateGroups(new Array<number>(10).fill(30), 0.6);
  const mixed = separateGroups([150, 150, ...new Array<number>(6).fill(25)], 0.6);
  const [flat, steep] = await Promise.all([equal, mixed].map((whole) => spectralView(whole, [whole], 16, tools)));
  expect(flat.common.count).toBe(9);
  expect(flat.common.effective).toBeGreaterThan(8.5);
  expect(steep.common.count).toBe(7);
  expect(steep.common.effective).toBeLessThan(6.5);
});
