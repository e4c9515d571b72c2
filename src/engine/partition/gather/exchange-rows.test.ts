import { expect, test } from "vitest";
import { MISSING } from "../../ops/missing.js";
import { indexRows, layRounds, numRounds } from "./exchange-rows.js";

test("a rank that sends no rows has one round, and no round has more than 50 rows of a rank", () => {
  expect([0, 1, 50, 51, 100, 101].map((maxSent) => numRounds(maxSent, 50))).toEqual([1, 1, 1, 2, 2, 3]);
});

test.each([
  [1, [3, 0, 2]],
  [3, [3, 0, 5]],
  [4, [1, 7, 0, 2]],
  [5, [0, 0]],
  [2, [1, 1, 1, 1]],
])("%i rounds with %j rows for each rank: every row once, by rank, in order", (rounds, sendCounts) => {
  const total = sendCounts.reduce((sum, count) => sum + count, 0);
  // the rows of rank r are 100·r and up
  const rows = Uint32Array.from(sendCounts.flatMap((count, r) => Array.from({ length: count }, (_, i) => 100 * r + i)));
  const index = new Uint32Array(indexRows(rounds, total, sendCounts.length));
  layRounds(rows, sendCounts, rounds, index);
  const length = index.length / rounds;
  expect(Number.isInteger(length)).toBe(true);
  const found = Array.from({ length: rounds }, (_, round) => [...index.subarray(round * length, (round + 1) * length)]);
  for (const round of found) {
    const used = round.filter((row) => row !== MISSING);
    expect(round.slice(used.length).every((row) => row === MISSING)).toBe(true);
    const owners = used.map((row) => Math.floor(row / 100));
    expect(owners).toEqual(owners.toSorted((a, b) => a - b));
    for (const [r, count] of sendCounts.entries()) {
      const share = owners.filter((owner) => owner === r).length;
      expect(Math.abs(share - count / rounds)).toBeLessThan(1);
    }
  }
  for (const r of sendCounts.keys()) {
    const sent = found.flat().filter((row) => row !== MISSING && Math.floor(row / 100) === r);
    expect(sent).toEqual([...rows].filter((row) => Math.floor(row / 100) === r));
  }
});
