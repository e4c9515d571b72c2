import { expect, test, vi } from "vitest";
import type { CategoryAttribute } from "../scene/scene.js";
import { NodeSearch } from "./node-search.js";

const IDS = ["Banana", "an", "cabana", "Ana", "ANABEL", "x"];
const search = {
  async find(query: string, count: number) {
    return (await new NodeSearch(IDS).find(query, count))?.nodes.map(({ node }) => node);
  },
};
/** A column with one text per node; undefined: none. */
function column(name: string, texts: readonly (string | undefined)[]): CategoryAttribute {
  const categories = [...new Set(texts.filter((text) => text !== undefined))];
  const codes = Int32Array.from(texts, (text) => (text === undefined ? -1 : categories.indexOf(text)));
  return { name, kind: "category", categories, codes };
}

test("the exact id comes first, then beginnings, then parts", async () => {
  expect(await search.find("Ana", 10)).toEqual([3, 4, 0, 2]);
  expect(await search.find("AN", 10)).toEqual([1, 3, 4, 0, 2]);
  expect(await search.find("z", 10)).toEqual([]);
});

test("at most the asked number is found", async () => {
  expect(await search.find("an", 2)).toEqual([1, 3]);
  expect(await search.find("an", 4)).toEqual([1, 3, 4, 0]);
  const total = async (query: string) => (await new NodeSearch(IDS).find(query, 2))?.total;
  expect([await total("an"), await total("x"), await total("z")]).toEqual([5, 1, 0]);
});

test("a search that is no longer wanted stops", async () => {
  let time = 0;
  // every look at the clock finds that the page is due for a turn
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (time += 1000));
  const ids = Array.from({ length: 10_000 }, (_, i) => `node ${i}`);
  expect(await new NodeSearch(ids).find("node 9999", 10, () => false)).toBeUndefined();
  expect(await new NodeSearch(ids).find("NODE 9999", 10)).toEqual({ nodes: [{ node: 9999 }], total: 1 });
  clock.mockRestore();
});

test("names are found as ids are; classes, which many nodes share, come last", async () => {
  const names = column("name", ["Rosa", "Rosalind", "Ambrose", undefined, "Rose Ann", "ros"]);
  const classes = column("job", ["florist", "rosarian", "rosarian", "rosarian", "florist", "florist"]);
  const find = async (query: string, count = 10) =>
    (await new NodeSearch(["n1", "n2", "n3", "rosette", "n5", "n6"], [names, classes]).find(query, count))?.nodes;
  expect(await find("ROS")).toEqual([
    { node: 5, column: names },
    { node: 0, column: names },
    { node: 1, column: names },
    { node: 3 },
    { node: 4, column: names },
    { node: 2, column: names },
  ]);
  expect(await find("rosaria", 2)).toEqual([
    { node: 1, column: classes },
    { node: 2, column: classes },
  ]);
  expect(await find("n6")).toEqual([{ node: 5 }]);
});
