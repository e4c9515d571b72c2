// Draws among the stored entries of several matrices; the op has the numbering. args: row 0, column 3, matrix 6, number of
// matrices 9, their descriptors 10, scratch 11, key 12, copies 15. One block: SIZE draws. No entries: MISSING.
import { ceilDiv } from "./blocks";
import { MISSING, entries, word } from "./kernel";
import { below, philox, w0, w1, w2, w3 } from "./philox";
import { field } from "./sparse";

/** Draws per block. A multiple of four, because four draws share one Philox block. Not tuned. */
const SIZE: i32 = 1024;

export function blocks(args: usize): i32 {
  return ceilDiv(entries(args, 0), SIZE);
}

export function run(args: usize, block: i32): void {
  const begin = block * SIZE, end = min(begin + SIZE, entries(args, 0)), key = <usize>word(args, 12);
  let size: u32 = 0;
  for (let d: u32 = 0; d < word(args, 9); d++) size += sizeOf(args, d);
  for (let e = begin; e < end; e += 4) {
    philox(key, e >> 2, 0, 0);
    const second = w1, third = w2, fourth = w3;
    draw(args, e, size, w0);
    if (e + 1 < end) draw(args, e + 1, size, second);
    if (e + 2 < end) draw(args, e + 2, size, third);
    if (e + 3 < end) draw(args, e + 3, size, fourth);
  }
}

// @ts-ignore: decorator
@inline
function descriptor(args: usize, d: u32): usize {
  return <usize>load<u32>(<usize>word(args, 10) + (<usize>d << 2));
}

/** Stored entries of a matrix times its copies. */
// @ts-ignore: decorator
@inline
function sizeOf(args: usize, d: u32): u32 {
  return <u32>field(descriptor(args, d), 8) * load<u32>(<usize>word(args, 15) + (<usize>d << 2));
}

function draw(args: usize, e: i32, size: u32, random: u32): void {
  const at = <usize>e << 2;
  let row: u32 = MISSING, column: u32 = MISSING, d: u32 = MISSING;
  if (size > 0) {
    d = 0;
    let entry = below(random, size);
    while (entry >= sizeOf(args, d)) entry -= sizeOf(args, d++);
    const matrix = descriptor(args, d);
    entry %= <u32>field(matrix, 8);
    row = rowOf(field(matrix, 0), <u32>field(matrix, 6), entry);
    column = load<u32>(field(matrix, 1) + (<usize>entry << 2));
  }
  store<u32>(<usize>word(args, 0) + at, row);
  store<u32>(<usize>word(args, 3) + at, column);
  store<u32>(<usize>word(args, 6) + at, d);
}

/** The last row that does not begin after the entry. Bisection without branches: half of them would be mispredicted. */
function rowOf(rowStart: usize, rows: u32, entry: u32): u32 {
  let row: u32 = 0;
  for (let left = rows; left > 1; ) {
    const half = left >> 1;
    row = select<u32>(row + half, row, load<u32>(rowStart + (<usize>(row + half) << 2)) <= entry);
    left -= half;
  }
  return row;
}
