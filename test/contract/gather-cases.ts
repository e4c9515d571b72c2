/** Cases of ops that read rows by index: repeated rows, rows without an index, missing indices, odd widths, hubs. */

import { Rng } from "../../src/core/rng.js";
import { add, gatherDots, gatherRows, MISSING, pairDots, reshape } from "../../src/engine/ops/index.js";
import type { ProgramBuilder, Tensor } from "../../src/engine/program.js";
import type { OpCase } from "./check-op.js";

interface Shape {
  readonly rows: number;
  readonly cols: number;
  /** Indices are below this number. */
  readonly bound: number;
  readonly missing?: number;
  /** Share of indices that are 0. */
  readonly hub?: number;
}

export function randomIndex(builder: ProgramBuilder, purpose: string, shape: Shape): Tensor {
  const { rows, cols, bound, missing = 0, hub = 0 } = shape;
  const rng = new Rng(7, purpose);
  const data = Uint32Array.from({ length: rows * cols }, () => {
    if (rng.uniform() < missing) return MISSING;
    return rng.uniform() < hub ? 0 : rng.below(bound);
  });
  return builder.constant(data, rows, cols, "index");
}

interface DotsShape {
  readonly n: number;
  readonly m: number;
  readonly dim: number;
  readonly pairs: number;
  readonly ends: number;
  readonly missing?: number;
  readonly hub?: number;
}

function dotsCase({ n, m, dim, pairs, ends, missing, hub }: DotsShape): OpCase {
  return {
    name: `gatherDots ${n}×${dim}, ${m}×${dim}, ${pairs}×${ends}, missing ${missing ?? 0}, hub ${hub ?? 0}`,
    shapes: [
      [n, dim],
      [m, dim],
    ],
    build: ([x, y], builder) => {
      const left = randomIndex(builder, "left", { rows: pairs, cols: 1, bound: n, missing, hub });
      return gatherDots(x, y, left, randomIndex(builder, "right", { rows: pairs, cols: ends, bound: m, missing, hub }));
    },
  };
}

function rowsCase(n: number, dim: number, pairs: number, missing: number, hub = 0): OpCase {
  return {
    name: `gatherRows ${n}×${dim}, ${pairs}, missing ${missing}, hub ${hub}`,
    shapes: [[n, dim]],
    build: ([x], builder) => {
      return gatherRows(x, randomIndex(builder, "rows", { rows: pairs, cols: 1, bound: n, missing, hub }));
    },
  };
}

interface PairShape extends Omit<DotsShape, "m"> {
  readonly relations: number;
  /** Which of the two products is used; default: both. */
  readonly take?: "weighted" | "plain";
}

function pairCase({ n, relations, dim, pairs, ends, missing, hub, take }: PairShape): OpCase {
  return {
    name: `pairDots ${n}×${dim}, ${relations} relations, ${pairs}×${ends}, missing ${missing ?? 0}, hub ${hub ?? 0}, ${take ?? "both"}`,
    shapes: [
      [n, dim],
      [relations, dim],
    ],
    build: ([x, r], builder) => {
      const left = randomIndex(builder, "left", { rows: pairs, cols: 1, bound: n, missing, hub });
      const relation = randomIndex(builder, "relation", { rows: pairs, cols: 1, bound: relations, missing });
      const right = randomIndex(builder, "right", { rows: pairs, cols: ends, bound: n, missing, hub });
      const both = pairDots(x, r, { left, relation, right });
      return take === undefined ? add(both.weighted, both.plain, 0.5) : both[take];
    },
  };
}

export const gatherCases: readonly OpCase[] = [
  dotsCase({ n: 1, m: 1, dim: 1, pairs: 1, ends: 1 }),
  dotsCase({ n: 5, m: 9, dim: 3, pairs: 7, ends: 2 }),
  dotsCase({ n: 30, m: 4, dim: 8, pairs: 20, ends: 4, missing: 0.2 }),
  dotsCase({ n: 6, m: 40, dim: 33, pairs: 50, ends: 6, missing: 0.1 }),
  dotsCase({ n: 20, m: 20, dim: 37, pairs: 40, ends: 5 }),
  dotsCase({ n: 12, m: 12, dim: 68, pairs: 9, ends: 9, missing: 1 }),
  // groups longer than a block, and blocks of empty rows
  dotsCase({ n: 3000, m: 2500, dim: 5, pairs: 2000, ends: 6, missing: 0.05, hub: 0.4 }),
  dotsCase({ n: 40, m: 50, dim: 130, pairs: 700, ends: 1, hub: 0.6 }),
  pairCase({ n: 1, relations: 1, dim: 1, pairs: 1, ends: 1 }),
  pairCase({ n: 9, relations: 2, dim: 3, pairs: 7, ends: 2, missing: 0.2 }),
  pairCase({ n: 6, relations: 4, dim: 8, pairs: 9, ends: 3, missing: 1 }),
  pairCase({ n: 20, relations: 3, dim: 37, pairs: 40, ends: 5, missing: 0.1 }),
  pairCase({ n: 12, relations: 2, dim: 48, pairs: 30, ends: 1, take: "weighted" }),
  pairCase({ n: 12, relations: 2, dim: 36, pairs: 30, ends: 2, take: "plain" }),
  pairCase({ n: 1500, relations: 3, dim: 5, pairs: 2000, ends: 2, missing: 0.05, hub: 0.4 }),
  rowsCase(1, 1, 1, 0),
  rowsCase(7, 5, 20, 0.2),
  rowsCase(40, 36, 9, 0),
  rowsCase(10, 33, 300, 0.1, 0.8),
  rowsCase(2000, 4, 10, 0.5),
  {
    name: "gatherDots of one table with itself, together with gatherRows by the same index",
    shapes: [[11, 6]],
    build: ([x], builder) => {
      const left = randomIndex(builder, "left", { rows: 24, cols: 1, bound: 11, missing: 0.1 });
      const right = randomIndex(builder, "right", { rows: 24, cols: 6, bound: 11 });
      return add(gatherDots(x, x, left, right), gatherRows(x, left), 0.5);
    },
  },
  {
    name: "gatherRows of a computed table, read twice",
    shapes: [
      [6, 4],
      [6, 4],
    ],
    build: ([a, b], builder) => {
      const index = randomIndex(builder, "rows", { rows: 12, cols: 1, bound: 6 });
      const sum = add(a, b, 2);
      return add(gatherRows(sum, index), reshape(gatherRows(sum, index), 12, 4));
    },
  },
];
