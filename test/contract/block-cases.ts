/** Cases of products with one matrix per block of rows: one block, empty blocks, blocks longer than a chunk, odd widths. */

import { blockMatmul, blockStarts } from "../../src/engine/ops/index.js";
import type { OpCase } from "./check-op.js";

function blockCase(sizes: readonly number[], k: number, m: number): OpCase {
  return {
    name: `blockMatmul of ${sizes.join(", ")} rows, ${k}×${m} each`,
    shapes: [
      [sizes.reduce((a, b) => a + b), k],
      [sizes.length * k, m],
    ],
    build: ([x, w], builder) => blockMatmul(x, w, blockStarts(builder, sizes)),
  };
}

export const blockCases: readonly OpCase[] = [
  blockCase([1], 1, 1),
  blockCase([5, 0, 3], 4, 7),
  blockCase([0, 70, 60, 0], 10, 21),
  blockCase([270, 2, 30], 3, 35),
  blockCase([130, 0, 0, 1], 33, 1),
  blockCase([9, 9], 20, 90),
];
