// Pairs that a matrix does not store, by rejection (see the op). args: left 0, right 3, matrix 6, scratch 7, key 8.
// One block: SIZE pairs.
import { MISSING, ceilDiv, entries, word } from "./common";
import { below, philox, w0, w1, w2, w3 } from "./philox";
import { field } from "./sparse";

/** A pair costs one Philox block, about a hundred additions, and a bisection. */
const SIZE: i32 = 512;
/** As in the op. */
const TRIES: u32 = 16;

export function blocks(args: usize): i32 {
  return ceilDiv(entries(args, 0), SIZE);
}

export function run(args: usize, block: i32): void {
  const begin = block * SIZE, end = min(begin + SIZE, entries(args, 0));
  const left = <usize>word(args, 0), right = <usize>word(args, 3), key = <usize>word(args, 8);
  const matrix = <usize>word(args, 6), nodes = <u32>field(matrix, 6);
  const rowStart = field(matrix, 0), columns = field(matrix, 1);
  for (let e = begin; e < end; e++) {
    const at = <usize>e << 2;
    store<u32>(left + at, MISSING);
    store<u32>(right + at, MISSING);
    for (let t: u32 = 0; t < TRIES && nodes > 1; t++) {
      if ((t & 1) == 0) philox(key, e, t >> 1, 0);
      const i = below((t & 1) == 0 ? w0 : w2, nodes), other = below((t & 1) == 0 ? w1 : w3, nodes - 1);
      const j = other < i ? other : other + 1;
      if (stored(rowStart + (<usize>i << 2), columns, j)) continue;
      store<u32>(left + at, i);
      store<u32>(right + at, j);
      break;
    }
  }
}

/** Whether the row whose limits `row` points at holds column j; columns ascend. */
function stored(row: usize, columns: usize, j: u32): bool {
  let low = load<u32>(row), high = load<u32>(row, 4);
  const end = high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u32>(columns + (<usize>middle << 2)) < j) low = middle + 1;
    else high = middle;
  }
  return low < end && load<u32>(columns + (<usize>low << 2)) == j;
}
