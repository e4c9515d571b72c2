import { expect, test, vi } from "vitest";
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
  let time = 0;
  // every look at the clock finds that the page is due for a turn
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (time += 1000));
  const ids = Array.from({ length: 10_000 }, (_, i) => `node ${i}`);
  expect(await new IdSearch(ids).find("node 9999", 10, () => false)).toBeUndefined();
  expect(await new IdSearch(ids).find("NODE 9999", 10)).toEqual([9999]);
  clock.mockRestore();
});
