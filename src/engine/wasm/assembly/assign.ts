// target ← value. args: scratch 0, target 1, value 4. One block: ENTRIES entries.
import { endByte, entryBlocks, firstByte } from "./blocks";
import { word } from "./kernel";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 1);
}

export function run(args: usize, block: i32): void {
  const begin = firstByte(block), end = endByte(args, 1, block);
  memory.copy(<usize>word(args, 1) + begin, <usize>word(args, 4) + begin, end - begin);
}
