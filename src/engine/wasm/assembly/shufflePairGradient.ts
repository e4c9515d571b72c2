// dx[j] = g[2j] + g[2·π⁻¹(j)+1]; with `direct` the index holds the number of the second row itself. args: dx 0, direct 3,
// scratch 4, g 5, π⁻¹ or index 8, π 11 (not read). One block: ROWS rows of dx.
import { endRow, firstRow, rowBlocks } from "./blocks";
import { rowAddress, rowBytes, word } from "./kernel";
import { AHEAD, touchRow, touched } from "./touch";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const bytes = rowBytes(args, 0), whole = bytes & ~15, end = endRow(args, 0, block);
  const g = <usize>word(args, 5), inverse = <usize>word(args, 8), direct = word(args, 3) != 0;
  let first = firstRow(block), until = first;
  let dx = rowAddress(args, 0, first);
  for (; first < end; first = until) {
    until = min(first + AHEAD, end);
    let seen: u32 = 0;
    for (let j = first; j < until; j++) seen |= touchRow(shuffled(g, inverse, direct, j, bytes), bytes);
    touched(seen);
    for (let j = first; j < until; j++, dx += bytes) {
      const a = g + 2 * j * bytes, b = shuffled(g, inverse, direct, j, bytes);
      let k: usize = 0;
      for (; k < whole; k += 16) v128.store(dx + k, f32x4.add(v128.load(a + k), v128.load(b + k)));
      for (; k < bytes; k += 4) store<f32>(dx + k, load<f32>(a + k) + load<f32>(b + k));
    }
  }
}

/** The row of g in which row j of x appears as a shuffled row. */
// @ts-ignore: decorator
@inline
function shuffled(g: usize, inverse: usize, direct: bool, j: usize, bytes: usize): usize {
  const i = <usize>load<u32>(inverse + (j << 2));
  return g + (direct ? i : 2 * i + 1) * bytes;
}
