import { expect, test } from "vitest";
import { Rng } from "../../core/rng.js";
import type { TransitionMatrix } from "./transition-matrix.js";
import { stepsOfRow, WalkedRows } from "./walked-rows.js";

const NUM_NODES = 3000;
/** So many that a row may not follow all edges. */
const DEGREE = 20;

/** Every node has edges to random nodes, half of them near. */
function randomWalk(): TransitionMatrix {
  const rng = new Rng(1, "walk");
  const size = NUM_NODES * DEGREE;
  return {
    numRows: NUM_NODES,
    numColumns: NUM_NODES,
    rowStart: Uint32Array.from({ length: NUM_NODES + 1 }, (_, i) => i * DEGREE),
    columns: Uint32Array.from({ length: size }, (_, e) =>
      e % 2 === 0 ? (Math.floor(e / DEGREE) + rng.below(30)) % NUM_NODES : rng.below(NUM_NODES),
    ),
    values: Float32Array.from({ length: size }, () => (2 * rng.uniform()) / DEGREE),
    diagonal: 0,
    symmetric: false,
  };
}

/** The smallest power of two for which all nodes that are at least as probable have at most `steps` edges; 1e-5 if all have. */
function smallestFollowed(probabilities: readonly number[], steps: number): number {
  for (let exponent = 0; exponent < 23; exponent++) {
    const followed = probabilities.filter((probability) => probability >= 2 ** -exponent);
    if (followed.length * DEGREE > steps) return 2 ** (1 - exponent);
  }
  return 1e-5;
}

test("a row sums twelve terms; small probabilities are dropped where too many edges would be followed", () => {
  const walk = randomWalk();
  const rows = new WalkedRows(walk);
  for (const start of [0, 1234]) {
    const expected = new Map([[start, 0.15]]);
    let current = new Map([[start, 1]]);
    let stepsLeft = stepsOfRow(NUM_NODES);
    let numDropped = 0;
    for (let term = 1; term < 12; term++) {
      const smallest = smallestFollowed([...current.values()], term <= 2 ? stepsLeft : stepsLeft / 2);
      const next = new Map<number, number>();
      for (const [node, probability] of current) {
        if (probability < smallest) {
          numDropped++;
          continue;
        }
        stepsLeft -= DEGREE;
        for (let e = node * DEGREE; e < (node + 1) * DEGREE; e++) {
          const j = walk.columns[e];
          next.set(j, (next.get(j) ?? 0) + probability * walk.values[e]);
        }
      }
      for (const [node, probability] of next) {
        expected.set(node, (expected.get(node) ?? 0) + 0.15 * 0.85 ** term * probability);
      }
      current = next;
    }
    expect(numDropped).toBeGreaterThan(1000);
    const size = rows.walkRow(start);
    expect([...rows.nodes.subarray(0, size)]).toEqual([...expected.keys()]);
    const errors = [...expected.values()].map((rank, t) => Math.abs(rows.ranks[t] - rank));
    expect(Math.max(...errors)).toBeLessThan(1e-14); // rounding of ranks below 1
  }
});
