import { expect, test } from "vitest";
import type { Scene } from "../scene/scene.js";
import { alignScene, withVectorsOf } from "./aligned-scene.js";

function scene(ids: readonly string[], positions: readonly number[], vectors: readonly number[]): Scene {
  return {
    header: { title: "second", dim: vectors.length / ids.length } as Scene["header"],
    ids,
    maps: [{ name: "t-SNE", positions: Float32Array.from(positions) }],
    attributes: [],
    vectors: async () => Float32Array.from(vectors),
    adjacency: () => Promise.reject(new Error("unused")),
    decoder: async () => ({
      width: 1,
      source: Float32Array.from(ids, (_, i) => i),
      target: Float32Array.from(ids, (_, i) => -i),
    }),
  };
}

test("a second run has its nodes in the order of the first", async () => {
  const second = scene(["b", "c", "a"], [1, 2, 3, 4, 5, 6], [10, 11, 12, 20, 21, 22, 30, 31, 32]);
  const aligned = alignScene(second, ["a", "b", "c"]);
  expect(aligned.ids).toEqual(["a", "b", "c"]);
  expect([...aligned.maps[0].positions]).toEqual([5, 6, 1, 2, 3, 4]);
  expect([...(await aligned.vectors())]).toEqual([30, 31, 32, 10, 11, 12, 20, 21, 22]);
  const decoder = await aligned.decoder(0);
  expect([[...decoder!.source], [...decoder!.target]]).toEqual([
    [2, 0, 1],
    [-2, -0, -1],
  ]);
  expect(await aligned.decoder(0)).toBe(decoder);
});

test("the first run is shown with the vectors and the decoder of the second, relations matched by name", async () => {
  const facts = (name: string) => ({ name, numEdges: 1, weighted: false });
  const [first, second] = [scene(["a"], [1, 2], [1]), scene(["a"], [3, 4], [5, 6])];
  const asked: number[] = [];
  const shown = withVectorsOf(
    { ...first, header: { ...first.header, title: "first", relations: [facts("x"), facts("y"), facts("z")] } },
    {
      ...second,
      header: {
        ...second.header,
        decoder: "dot",
        facets: [{ name: "f", width: 2 }],
        relations: [facts("y"), facts("x")],
      },
      decoder: async (relation) => {
        asked.push(relation);
        return undefined;
      },
    },
  );
  expect(shown.header).toMatchObject({ title: "first", dim: 2, decoder: "dot", facets: [{ name: "f", width: 2 }] });
  expect([...(await shown.vectors()), ...shown.maps[0].positions]).toEqual([5, 6, 1, 2]);
  for (const relation of [0, 1, 2]) await shown.decoder(relation);
  expect(asked).toEqual([1, 0]);
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
