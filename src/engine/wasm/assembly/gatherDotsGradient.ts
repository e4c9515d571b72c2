// dx[r] = Σ of coefficient·row over the places that name row r; 0 for a row that no place names. args: dx 0, scratch 3, start 4,
// order 7, g 10, rows 13, y 16. grouped.ts has the work.
import { WEIGHTED, groupedBlocks, groupedFinish, groupedFinishBlocks, groupedRun, groupedScratch } from "./grouped";

export function blocks(args: usize): i32 {
  return groupedBlocks(args, WEIGHTED);
}

export function scratch(args: usize): i32 {
  return groupedScratch(args, WEIGHTED);
}

export function run(args: usize, block: i32): void {
  groupedRun(args, block, WEIGHTED);
}

export function finishBlocks(args: usize): i32 {
  return groupedFinishBlocks(args);
}

export function finish(args: usize, tile: i32): void {
  groupedFinish(args, tile, WEIGHTED);
}
