import { expect, test } from "vitest";
import type { Scene } from "../scene/scene.js";
import { alignScene } from "./aligned-scene.js";

function scene(ids: readonly string[], positions: readonly number[], vectors: readonly number[]): Scene {
  return {
    header: { title: "second", dim: vectors.length / ids.length } as Scene["header"],
    ids,
    maps: [{ name: "t-SNE", positions: Float32Array.from(positions) }],
    attributes: [],
    vectors: async () => Float32Array.from(vectors),
    adjacency: () => Promise.reject(new Error("unused")),
    decoder: async () => undefined,
  };
}

test("a second run has its nodes in the order of the first", async () => {
  const second = scene(["b", "c", "a"], [1, 2, 3, 4, 5, 6], [10, 11, 12, 20, 21, 22, 30, 31, 32]);
  const aligned = alignScene(second, ["a", "b", "c"]);
  expect(aligned.ids).toEqual(["a", "b", "c"]);
  expect([...aligned.maps[0].positions]).toEqual([5, 6, 1, 2, 3, 4]);
  expect([...(await aligned.vectors())]).toEqual([30, 31, 32, 10, 11, 12, 20, 21, 22]);
});

test("a run in the same order stays as it is", () => {
  const second = scene(["a", "b"], [1, 2, 3, 4], [1, 2]);
  expect(alignScene(second, ["a", "b"])).toBe(second);
});

test("a run of other nodes is refused", () => {
  const second = scene(["a", "b"], [1, 2, 3, 4], [1, 2]);
  expect(() => alignScene(second, ["a", "x"])).toThrow(
    'second: has no node "x"; expected another run of the same graph.',
  );
});
