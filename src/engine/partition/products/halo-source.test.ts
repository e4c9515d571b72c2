import { expect, test } from "vitest";
import { exchangeRounds } from "./halo-source.js";

test.each([2, 5, 7])(
  "%i ranks send every row in one round, and the receiving rank expects it in the same round",
  (size) => {
    // rank a sends a·size + b + 1 rows to rank b, which are numbered 1000·b and up
    const numRows = (from: number, to: number) => (from === to ? 0 : from * size + to + 1);
    const others = Array.from({ length: size }, (_, other) => other);
    const rounds = others.map((rank) =>
      exchangeRounds(
        {
          sendIndex: Uint32Array.from(
            others.flatMap((to) => Array.from({ length: numRows(rank, to) }, (_, i) => 1000 * to + i)),
          ),
          sendCounts: others.map((to) => numRows(rank, to)),
          receiveCounts: others.map((from) => numRows(from, rank)),
        },
        { rank, size },
      ),
    );
    expect(rounds[0].length).toBe(Math.min(size - 1, size === 7 ? 3 : 4));
    for (const from of others) {
      for (const to of others) {
        const sent = rounds[from].map(({ sendCounts }) => sendCounts[to]);
        expect(rounds[to].map(({ receiveCounts }) => receiveCounts[from])).toEqual(sent);
        expect(sent.filter((count) => count > 0)).toEqual(from === to ? [] : [numRows(from, to)]);
      }
      for (const { sendIndex, sendCounts } of rounds[from]) {
        const expected = others.flatMap((to) => Array.from({ length: sendCounts[to] }, (_, i) => 1000 * to + i));
        expect([...sendIndex]).toEqual(expected);
      }
    }
  },
);
