/** Rows that rank 1 of 3 asks for; the exchanges with the others are given. */

import { expect, it } from "vitest";
import { MISSING } from "../../ops/missing.js";
import type { RankParts, Ranks } from "../../ranks.js";
import { RowRanges } from "../row-ranges.js";
import { findRequests, RequestScratch } from "./row-requests.js";

/** Ranks whose allToAll receives these parts, one list after the other, and keeps the parts that were sent. */
function givenRanks(received: readonly (readonly number[])[][]): { ranks: Ranks; sent: number[][][] } {
  const sent: number[][][] = [];
  const unused = () => {
    throw new Error("not expected");
  };
  const ranks: Ranks = {
    ...{ rank: 1, size: 3, description: "given", allGather: unused, barrier: unused, abort: unused },
    allToAll(out: RankParts, into: RankParts) {
      const part = ({ data, counts, displacements }: RankParts, r: number) =>
        data.subarray(displacements[r], displacements[r] + counts[r]);
      sent.push([0, 1, 2].map((r) => [...part(out, r)]));
      received[sent.length - 1].forEach((numbers, r) => {
        expect(numbers).toHaveLength(into.counts[r]);
        part(into, r).set(numbers);
      });
    },
  };
  return { ranks, sent };
}

it("asks the owners for each row once, numbers it after the own rows, and sends the rows that others ask for", () => {
  const ranges = new RowRanges([0, 4, 8, 12], 4, 1);
  const counts = { sendCounts: [0, 0, 0], receiveCounts: [0, 0, 0] };
  // places 1 to 3 are those of this rank, in this order; every place has two entries of `ends`, pairs of places share one of `pairs`
  const places = { begin: 1, end: 4, order: Uint32Array.of(0, 3, 1, 2) };
  const ends = Uint32Array.of(0, 1, 11, 5, 2, 11, MISSING, 9);
  const pairs = Uint32Array.of(2, 7);
  const renumbered = [new Uint32Array(8).fill(99), new Uint32Array(2).fill(99)];
  const sendIndex = new Uint32Array(6);
  const { ranks, sent } = givenRanks([
    [[2], [0], [1]],
    [[4, 7], [], [7]],
  ]);
  findRequests(
    places,
    [
      { rows: ends, perPlace: 2, placesPer: 1 },
      { rows: pairs, perPlace: 1, placesPer: 2 },
    ],
    ranges,
    ranks,
    new RequestScratch(),
    sendIndex,
    renumbered,
    counts,
  );
  // 9 is used first, then 11 and 2
  expect(sent).toEqual([
    [[1], [0], [2]],
    [[2], [], [9, 11]],
  ]);
  expect(counts).toEqual({ sendCounts: [2, 0, 1], receiveCounts: [1, 0, 2] });
  expect([...renumbered[0]]).toEqual([99, 99, 6, 1, 4, 6, MISSING, 5]);
  expect([...renumbered[1]]).toEqual([4, 3]);
  expect([...sendIndex]).toEqual([0, 3, 3, MISSING, MISSING, MISSING]);
});
