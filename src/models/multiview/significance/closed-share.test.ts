import { expect, test } from "vitest";
import { Rng } from "../../../core/rng.js";
import { graphOf } from "../test-graphs.js";
import { closedShare } from "./closed-share.js";

const shareOf = (neighbors: number[][]) => closedShare(graphOf(neighbors), new Rng(1, "paths"));

test("closedShare is the share of paths of two edges whose ends are neighbours", () => {
  const cliques = Array.from({ length: 12 }, (_, i) => [0, 1, 2, 3].map((k) => i - (i % 4) + k).filter((j) => j !== i));
  expect(shareOf(cliques)).toBe(1);
  const star = [[1, 2, 3, 4], [0], [0], [0], [0]];
  expect(shareOf(star)).toBe(0);
  expect(shareOf([[], []])).toBe(0);
  // a triangle with a tail 2–3: the ends of edges are 0, 1 (two each), 2 (three) and 3 (one). Two different neighbours of 0 or 1 are
  // drawn with probability 1/2 and are closed; those of 2 with probability 2/3, and one path of three is closed
  const closed = (4 / 8) * (1 / 2) + (3 / 8) * (2 / 9);
  const paths = (4 / 8) * (1 / 2) + (3 / 8) * (2 / 3);
  expect(Math.abs(shareOf([[1, 2], [0, 2], [0, 1, 3], [2]]) - closed / paths)).toBeLessThan(0.03);
});
