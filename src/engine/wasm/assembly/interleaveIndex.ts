// y[b, f] = index[b, f]·count + group[b], MISSING where the index or the group is. args: y 0, count 3, scratch 4, index 5,
// group 8 (one column). One block: ROWS rows.
import { endRow, firstRow, rowBlocks } from "./blocks";
import { MISSING, rowAddress, word } from "./kernel";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const cols = word(args, 2), count = word(args, 3), first = firstRow(block), end = endRow(args, 0, block);
  const groups = <usize>word(args, 8);
  let y = rowAddress(args, 0, first), index = rowAddress(args, 5, first);
  for (let b = first; b < end; b++) {
    const group = load<u32>(groups + (b << 2));
    for (let f: u32 = 0; f < cols; f++, y += 4, index += 4) {
      const i = load<u32>(index);
      store<u32>(y, i == MISSING || group == MISSING ? MISSING : i * count + group);
    }
  }
}
