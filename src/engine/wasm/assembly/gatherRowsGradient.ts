// dx[r] = Σ of g[p] over the places p that name row r; 0 for a row that no place names. args: dx 0, scratch 3, start 4,
// order 7, g 10. grouped.ts has the work.
import { PLAIN, groupedBlocks, groupedFinish, groupedFinishBlocks, groupedRun, groupedScratch } from "./grouped";

export function blocks(args: usize): i32 {
  return groupedBlocks(args, PLAIN);
}

export function scratch(args: usize): i32 {
  return groupedScratch(args, PLAIN);
}

export function run(args: usize, block: i32): void {
  groupedRun(args, block, PLAIN);
}

export function finishBlocks(args: usize): i32 {
  return groupedFinishBlocks(args);
}

export function finish(args: usize, tile: i32): void {
  groupedFinish(args, tile, PLAIN);
}
