// The k candidates with the largest inner product, among the lists that each query probes. args: names 0, scores 3, scratch 6,
// panels 7, panel names 10, starts 13, queries 16, own 19, probes 22.
// run: ROWS queries. Their probes are sorted by list, so that a panel is read once for all queries of the block that probe
// its list. Inner products come in tiles of 4 queries × 16 candidates. Each query keeps its k best in its own output rows as
// a heap with the worst at the root; a tile without a better candidate costs one comparison per query. At the end the heap is
// sorted. Equal scores are ordered by name, so that the order in which lists are read does not matter. A query without
// candidates gets MISSING and −Infinity.
//
// Scratch of a block: the end of each list among the sorted probes, the sorted probes, a tile of scores.
import { ROWS, endRow, firstRow, rowBlocks } from "./blocks";
import { replaceLowest, sortHighest } from "./heap";
import { MISSING, rowBytes, word } from "./kernel";
import { PANEL, PANEL_TILE_BYTES, scoreTile } from "./panel";

// @ts-ignore: decorator
@inline
function numLists(args: usize): i32 {
  return <i32>word(args, 14) - 1;
}

/** Scratch of one block. */
// @ts-ignore: decorator
@inline
function blockBytes(args: usize): i32 {
  return ((numLists(args) + ROWS * <i32>word(args, 24)) << 2) + PANEL_TILE_BYTES;
}

export function scratch(args: usize): i32 {
  return blocks(args) * blockBytes(args);
}

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const k = <i32>word(args, 2), bytes = rowBytes(args, 16), lists = numLists(args);
  const first = <i32>firstRow(block), end = <i32>endRow(args, 0, block);
  const row = <usize>k << 2, names = <usize>word(args, 0), scores = <usize>word(args, 3);
  const panels = <usize>word(args, 7), panelNames = <usize>word(args, 10), starts = <usize>word(args, 13);
  const queries = <usize>word(args, 16), own = <usize>word(args, 19);
  const ends = <usize>word(args, 6) + <usize>block * blockBytes(args), sorted = ends + (<usize>lists << 2);
  const tile = sorted + (<usize>ROWS * word(args, 24) << 2);
  for (let e = <usize>first * row; e < <usize>end * row; e += 4) {
    store<f32>(scores + e, -Infinity);
    store<u32>(names + e, MISSING);
  }
  sortProbes(args, first, end, lists, ends, sorted);
  let begin: usize = sorted;
  for (let l = 0; l < lists; l++) {
    const stop = sorted + (<usize>load<u32>(ends + (<usize>l << 2)) << 2);
    if (begin == stop) continue;
    const endPanel = load<u32>(starts + (<usize>l << 2), 4);
    for (let p = load<u32>(starts + (<usize>l << 2)); p < endPanel; p++) {
      const panel = panels + <usize>p * bytes * PANEL, candidates = panelNames + (<usize>p * PANEL << 2);
      for (let at = begin; at < stop; at += 16) {
        // with fewer than four queries left, the last one is repeated and the repeats are ignored
        const rows = min(<i32>((stop - at) >> 2), 4);
        const q0 = <usize>load<u32>(at);
        const q1 = rows > 1 ? <usize>load<u32>(at, 4) : q0;
        const q2 = rows > 2 ? <usize>load<u32>(at, 8) : q1;
        const q3 = rows > 3 ? <usize>load<u32>(at, 12) : q2;
        const better = scoreTile(
          queries + q0 * bytes, queries + q1 * bytes, queries + q2 * bytes, queries + q3 * bytes, bytes, panel, tile,
          load<f32>(scores + q0 * row), load<f32>(scores + q1 * row), load<f32>(scores + q2 * row), load<f32>(scores + q3 * row),
        );
        if (!better) continue;
        for (let r = 0; r < rows; r++) {
          if (!(better & (1 << r))) continue;
          const query = <usize>load<u32>(at + (<usize>r << 2)), ownName = load<u32>(own + (query << 2));
          const heap = scores + query * row, heapNames = names + query * row;
          for (let c = 0; c < PANEL; c++) {
            const score = load<f32>(tile + (<usize>((r << 4) + c) << 2));
            if (score < load<f32>(heap)) continue;
            const name = load<u32>(candidates + (<usize>c << 2));
            if (name == MISSING || name == ownName) continue;
            if (score > load<f32>(heap) || name < load<u32>(heapNames)) replaceLowest(heap, heapNames, k, score, name);
          }
        }
      }
    }
    begin = stop;
  }
  for (let i = first; i < end; i++) sortHighest(scores + <usize>i * row, names + <usize>i * row, k);
}

/** Sorts the queries of a block by the lists they probe: list l ends at query `ends[l]` of `sorted`. */
function sortProbes(args: usize, first: i32, end: i32, lists: i32, ends: usize, sorted: usize): void {
  const width = <usize>word(args, 24), probes = <usize>word(args, 22);
  const from = probes + (<usize>first * width << 2), to = probes + (<usize>end * width << 2);
  memory.fill(ends, 0, <usize>lists << 2);
  for (let e = from; e < to; e += 4) {
    const list = load<u32>(e);
    if (list >= <u32>lists) continue;
    const at = ends + (<usize>list << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
  let sum: u32 = 0;
  for (let at = ends; at < ends + (<usize>lists << 2); at += 4) {
    const count = load<u32>(at);
    store<u32>(at, sum);
    sum += count;
  }
  for (let i = first, e = from; i < end; i++) {
    for (let p: usize = 0; p < width; p++, e += 4) {
      const list = load<u32>(e);
      if (list >= <u32>lists) continue;
      const at = ends + (<usize>list << 2), place = load<u32>(at);
      store<u32>(sorted + (<usize>place << 2), i);
      store<u32>(at, place + 1);
    }
  }
}
