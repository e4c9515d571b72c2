import { expect, test } from "vitest";
import { IdSearch } from "./id-search.js";

const search = new IdSearch(["Banana", "an", "cabana", "Ana", "ANABEL", "x"]);

test("the exact id comes first, then beginnings, then parts", async () => {
  expect(await search.find("Ana", 10)).toEqual([3, 4, 0, 2]);
  expect(await search.find("AN", 10)).toEqual([1, 3, 4, 0, 2]);
  expect(await search.find("z", 10)).toEqual([]);
});

test("at most the asked number is found", async () => {
  expect(await search.find("an", 2)).toEqual([1, 3]);
  expect(await search.find("an", 4)).toEqual([1, 3, 4, 0]);
});

test("a search that is no longer wanted stops", async () => {
  const ids = Array.from({ length: 400_000 }, (_, i) => `node ${i} of a graph with long ids`);
  let asked = 0;
  const found = await new IdSearch(ids).find("nothing", 10, () => ++asked < 1);
  expect(found).toBeUndefined();
});
