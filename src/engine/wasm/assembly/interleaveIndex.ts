// y[b, f] = index[b, f]·count + group[b], MISSING where either is. args: y 0, count 3, scratch 4, index 5, group 8.
// One block: ROWS rows.
import { MISSING, ROWS, rowBlocks, word } from "./common";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const cols = word(args, 2), count = word(args, 3), first = <usize>block * ROWS;
  const last = min<usize>(first + ROWS, word(args, 1)), groups = <usize>word(args, 8);
  let y = <usize>word(args, 0) + ((first * cols) << 2), index = <usize>word(args, 5) + ((first * cols) << 2);
  for (let b = first; b < last; b++) {
    const group = load<u32>(groups + (b << 2));
    for (let f: u32 = 0; f < cols; f++, y += 4, index += 4) {
      const i = load<u32>(index);
      store<u32>(y, i == MISSING || group == MISSING ? MISSING : i * count + group);
    }
  }
}
