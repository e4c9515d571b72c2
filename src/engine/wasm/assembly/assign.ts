// target ← value. args: scratch 0, target 1, value 4.
import { ENTRIES, entries, entryBlocks, word } from "./common";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 1);
}

export function run(args: usize, block: i32): void {
  const begin = <usize>block * (ENTRIES << 2);
  const end = min<usize>(begin + (ENTRIES << 2), <usize>entries(args, 1) << 2);
  memory.copy(<usize>word(args, 1) + begin, <usize>word(args, 4) + begin, end - begin);
}
