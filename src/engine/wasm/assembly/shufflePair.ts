// y[2i] = x[i], y[2i+1] = x[π(i)]. args: y 0, scratch 3, x 4, π 7, π⁻¹ 10 (not read). One block: ROWS rows of π.
import { endRow, firstRow, rowBlocks } from "./blocks";
import { rowAddress, rowBytes, word } from "./kernel";
import { AHEAD, touchRow, touched } from "./touch";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 7);
}

export function run(args: usize, block: i32): void {
  const bytes = rowBytes(args, 0), end = endRow(args, 7, block);
  const x = <usize>word(args, 4), forward = <usize>word(args, 7);
  let first = firstRow(block), until = first;
  let y = rowAddress(args, 0, 2 * first);
  for (; first < end; first = until) {
    until = min(first + AHEAD, end);
    let seen: u32 = 0;
    for (let i = first; i < until; i++) seen |= touchRow(x + <usize>load<u32>(forward + (i << 2)) * bytes, bytes);
    touched(seen);
    for (let i = first; i < until; i++, y += 2 * bytes) {
      copyRow(y, x + i * bytes, bytes);
      copyRow(y + bytes, x + <usize>load<u32>(forward + (i << 2)) * bytes, bytes);
    }
  }
}

/** Copies one row. memory.copy would be a call, which takes long compared with copying a row. */
// @ts-ignore: decorator
@inline
function copyRow(to: usize, from: usize, bytes: usize): void {
  const whole = bytes & ~15;
  let k: usize = 0;
  for (; k < whole; k += 16) v128.store(to + k, v128.load(from + k));
  for (; k < bytes; k += 4) store<u32>(to + k, load<u32>(from + k));
}
