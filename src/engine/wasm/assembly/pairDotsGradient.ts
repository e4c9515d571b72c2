// dx[r] = Σ of (h + g·row of U)∘(row of V) over the places that name row r; 0 for a row that no place names. args: dx 0,
// plain 3, scratch 4, start 5, order 8, g 11, h 14, index into U 17, U 20, index into V 23, V 26. grouped.ts has the work.
import { PAIRED, groupedBlocks, groupedFinish, groupedFinishBlocks, groupedRun, groupedScratch } from "./grouped";

export function blocks(args: usize): i32 {
  return groupedBlocks(args, PAIRED);
}

export function scratch(args: usize): i32 {
  return groupedScratch(args, PAIRED);
}

export function run(args: usize, block: i32): void {
  groupedRun(args, block, PAIRED);
}

export function finishBlocks(args: usize): i32 {
  return groupedFinishBlocks(args);
}

export function finish(args: usize, tile: i32): void {
  groupedFinish(args, tile, PAIRED);
}
