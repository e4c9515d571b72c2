import { expect, test } from "vitest";
import type { Scene } from "../scene/scene.js";
import { mapPositions, widestColumns } from "./scene-view.js";

function scene(dim: number, vectors: readonly number[]): Scene {
  return {
    header: { dim, numNodes: vectors.length / dim } as Scene["header"],
    ids: [],
    maps: [{ name: "t-SNE", positions: Float32Array.of(1, 2) }],
    attributes: [],
    vectors: async () => Float32Array.from(vectors),
    adjacency: () => Promise.reject(new Error("unused")),
    decoder: async () => undefined,
  };
}

test("two columns are at first those of the largest variance, not of the largest values", async () => {
  // means 100, 0, 0, 0; variances 0, 25, 1, 4
  const wide = scene(4, [100, 5, 1, 2, 100, -5, -1, -2]);
  expect(await widestColumns(wide)).toEqual([1, 3]);
  expect([...(await mapPositions(wide, { columns: [1, 3] }))]).toEqual([5, 2, -5, -2]);
  expect(await widestColumns(scene(1, [3, 4]))).toEqual([0, 0]);
});
