/** Order and lengths of the facets in the vector. */

import { describe, expect, test } from "vitest";
import { Rng } from "../../core/rng.js";
import { scaledToLength } from "../../numeric/columns.js";
import type { Rows } from "../../numeric/rows.js";
import { columnsOfFeatures, type Directions, placedFacets, structureLengths } from "./placed-facets.js";

const N = 20;

function random(name: string, width: number, length = 1): Rows<Float32Array> {
  const rng = new Rng(1, name);
  return scaledToLength({ data: Float32Array.from({ length: N * width }, () => rng.normal()), width }, length);
}

/** Root mean square length of a row. */
function lengthOf(data: Float32Array): number {
  return Math.sqrt(data.reduce((sum, x) => sum + x * x, 0) / N);
}

const structure: Directions = {
  degrees: random("degrees", 2, 9),
  diffusion: random("diffusion", 5, 9),
  spectral: random("spectral", 3, 9),
};
const widths = { diffusion: 3, "fine diffusion": 2, spectral: 4 };

describe("facets without features", () => {
  const facets = placedFacets(structure, widths, 1);
  const arrays = Object.fromEntries(
    facets.map(({ name, columns, length }) => [name, scaledToLength(columns, length).data]),
  );

  test("come from coarse to fine", () => {
    expect(facets.map(({ name }) => name)).toEqual(["diffusion", "degrees", "fine diffusion", "spectral"]);
    expect(facets.map(({ columns }) => columns.width)).toEqual([3, 2, 2, 4]);
  });

  test("have fixed lengths, whatever the length of their directions", () => {
    const lengths = { diffusion: 1, degrees: 0.7, "fine diffusion": 0.7, spectral: 0.5 };
    for (const [name, length] of Object.entries(lengths)) {
      expect(lengthOf(arrays[name]), name).toBeCloseTo(length, 5);
    }
  });

  test("diffusion has the first directions, fine diffusion the following ones", () => {
    const { data, width } = structure.diffusion;
    for (const [name, first, count] of [
      ["diffusion", 0, 3],
      ["fine diffusion", 3, 2],
    ] as const) {
      const factor = arrays[name][0] / data[first];
      arrays[name].forEach((x, at) => {
        const [i, k] = [Math.floor(at / count), at % count];
        expect(x).toBeCloseTo(factor * data[i * width + first + k], 5);
      });
    }
  });

  test("the map of the spectral directions into more columns keeps their products", () => {
    const { data } = scaledToLength(structure.spectral, 0.5);
    const product = (rows: ArrayLike<number>, width: number, i: number) =>
      Array.from({ length: width }, (_, k) => rows[k] * rows[i * width + k]).reduce((a, b) => a + b, 0);
    for (let i = 0; i < N; i++) {
      expect(product(arrays["spectral"], 4, i)).toBeCloseTo(product(data, 3, i), 5);
    }
  });

  test("a facet without columns is left out", () => {
    const without = placedFacets(structure, { ...widths, diffusion: 0, "fine diffusion": 0 }, 1);
    expect(without.map(({ name }) => name)).toEqual(["degrees", "spectral"]);
  });
});

describe("facets of features", () => {
  const directions = (own: number, smoothed: number, unrelated = 0) => ({
    infomax: random("infomax", 2),
    own: random("own", 4, own),
    smoothed: random("smoothed", 4, smoothed),
    unrelated,
  });
  const place = (own: number, smoothed: number) =>
    placedFacets({ ...structure, fromFeatures: directions(own, smoothed) }, widths, 1);

  test("come first, the longest first; infomax stands for the variance that the features do not explain", () => {
    expect(place(0.3, 0.4).slice(0, 3)).toMatchObject([
      { name: "infomax", length: expect.closeTo((1 - 0.09) * (1 - 0.16), 5) },
      { name: "smoothed features", length: expect.closeTo(0.4, 5) },
      { name: "features", length: expect.closeTo(0.3, 5) },
    ]);
    expect(place(0.9, 0.5).slice(0, 3)).toMatchObject([
      { name: "features", length: expect.closeTo(0.9, 5) },
      { name: "smoothed features", length: expect.closeTo(0.5, 5) },
      { name: "infomax", length: expect.closeTo((1 - 0.81) * (1 - 0.25), 5) },
    ]);
  });

  test("take no columns for a facet of length zero, such as infomax if they explain everything", () => {
    const columns = [directions(0.9, 0.5), directions(1, 0.5), directions(0, 0.5)].map((of) => columnsOfFeatures(of));
    expect(columns).toEqual([10, 8, 6]);
    expect(place(1, 0.5).map(({ name }) => name)).not.toContain("infomax");
    const width = place(1, 0.5).reduce((sum, { columns }) => sum + columns.width, 0);
    expect(width).toBe(8 + 2 + 3 + 2 + 4);
  });

  test("leave shorter lengths to the structure", () => {
    expect(place(0.6, 0.7).slice(3)).toMatchObject([
      { name: "diffusion", length: 0.35 },
      { name: "degrees", length: 0.25 },
      { name: "fine diffusion", length: 0.25 },
      { name: "spectral", length: 0.25 },
    ]);
  });

  test.each([
    [0, { diffusion: 0.35, degrees: 0.25, "fine diffusion": 0.25, spectral: 0.25, edges: 0.35 }],
    [0.5, { diffusion: 0.675, degrees: 0.475, "fine diffusion": 0.475, spectral: 0.375, edges: 0.425 }],
    [1, { diffusion: 1, degrees: 0.7, "fine diffusion": 0.7, spectral: 0.5, edges: 0.5 }],
  ])("leave the structure its length if they are unrelated quantities: share %d", (unrelated, lengths) => {
    const found = structureLengths(directions(0.6, 0.7, unrelated));
    for (const [name, length] of Object.entries(lengths))
      expect(found[name as keyof typeof found]).toBeCloseTo(length, 12);
    expect(structureLengths(undefined)).toMatchObject({ diffusion: 1, edges: 0.5 });
  });
});
