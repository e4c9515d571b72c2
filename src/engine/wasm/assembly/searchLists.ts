// The k candidates of largest inner product among the lists that each query probes. args: names 0, scores 3, scratch 6,
// panels 7, panel names 10, starts 13, queries 16, own 19, probes 22.
// run: ROWS queries. Their probes are sorted by list, so that a panel is read once for all queries of the block that probe
// its list; inner products come in tiles of 4 queries × 16 candidates with the whole sum in registers, summed over the
// width in ascending order (the tile of matmul.ts). Each query keeps its k best in its own output rows as a heap with the
// worst at the root; a tile that holds nothing better costs one comparison per query. At the end the heap is sorted. Equal
// scores are ordered by name, so that the order in which lists are read does not matter. No list, or an empty one: MISSING
// and −Infinity.
import { MISSING, ROWS, madd, rowBlocks, word } from "./common";
import { storeRow } from "./store";

const PANEL: i32 = 16;
/** Bytes of one tile of scores. */
const TILE: i32 = 256;

// @ts-ignore: decorator
@inline
function numLists(args: usize): i32 {
  return <i32>word(args, 14) - 1;
}

/** Scratch of one block: the end of each list among the sorted probes, the sorted probes, a tile. */
// @ts-ignore: decorator
@inline
function blockBytes(args: usize): i32 {
  return ((numLists(args) + ROWS * <i32>word(args, 24)) << 2) + TILE;
}

export function scratch(args: usize): i32 {
  return blocks(args) * blockBytes(args);
}

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const k = <i32>word(args, 2), width = <usize>word(args, 18), lists = numLists(args);
  const first = block * ROWS, last = min(first + ROWS, <i32>word(args, 1));
  const row = <usize>k << 2, names = <usize>word(args, 0), scores = <usize>word(args, 3);
  const panels = <usize>word(args, 7), panelNames = <usize>word(args, 10), starts = <usize>word(args, 13);
  const queries = <usize>word(args, 16), own = <usize>word(args, 19);
  const ends = <usize>word(args, 6) + <usize>block * blockBytes(args), sorted = ends + (<usize>lists << 2);
  const tile = sorted + (<usize>ROWS * word(args, 24) << 2);
  for (let e = <usize>first * row; e < <usize>last * row; e += 4) {
    store<f32>(scores + e, -Infinity);
    store<u32>(names + e, MISSING);
  }
  sortProbes(args, first, last, lists, ends, sorted);
  const bytes = width << 2;
  let begin: usize = sorted;
  for (let l = 0; l < lists; l++) {
    const end = sorted + (<usize>load<u32>(ends + (<usize>l << 2)) << 2);
    if (begin == end) continue;
    const lastPanel = load<u32>(starts + (<usize>l << 2), 4);
    for (let p = load<u32>(starts + (<usize>l << 2)); p < lastPanel; p++) {
      const panel = panels + <usize>p * bytes * PANEL, titles = panelNames + (<usize>p * PANEL << 2);
      for (let at = begin; at < end; at += 16) {
        // past the last query the last one is repeated and its scores left alone
        const rows = min(<i32>((end - at) >> 2), 4);
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
          const query = <usize>load<u32>(at + (<usize>r << 2)), mine = load<u32>(own + (query << 2));
          const heap = scores + query * row, titlesOf = names + query * row;
          for (let c = 0; c < PANEL; c++) {
            const score = load<f32>(tile + (<usize>((r << 4) + c) << 2));
            if (score < load<f32>(heap)) continue;
            const name = load<u32>(titles + (<usize>c << 2));
            if (name == MISSING || name == mine) continue;
            if (score > load<f32>(heap) || name < load<u32>(titlesOf)) replaceRoot(heap, titlesOf, k, score, name);
          }
        }
      }
    }
    begin = end;
  }
  for (let i = first; i < last; i++) sortHeap(scores + <usize>i * row, names + <usize>i * row, k);
}

/** The queries of a block by the lists they probe: `ends[l]` is where list l ends in `sorted`, counted in queries. */
function sortProbes(args: usize, first: i32, last: i32, lists: i32, ends: usize, sorted: usize): void {
  const width = <usize>word(args, 24), probes = <usize>word(args, 22);
  const from = probes + (<usize>first * width << 2), to = probes + (<usize>last * width << 2);
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
  for (let i = first, e = from; i < last; i++) {
    for (let p: usize = 0; p < width; p++, e += 4) {
      const list = load<u32>(e);
      if (list >= <u32>lists) continue;
      const at = ends + (<usize>list << 2), place = load<u32>(at);
      store<u32>(sorted + (<usize>place << 2), i);
      store<u32>(at, place + 1);
    }
  }
}

/** Inner products of four queries with 16 candidates; bit r of the result: query r has one at or above its limit, and all are stored. */
function scoreTile(
  a0: usize, a1: usize, a2: usize, a3: usize, bytes: usize, b: usize, tile: usize, l0: f32, l1: f32, l2: f32, l3: f32,
): i32 {
  const end = a0 + bytes;
  let x00 = f32x4.splat(0), x01 = f32x4.splat(0), x02 = f32x4.splat(0), x03 = f32x4.splat(0);
  let x10 = f32x4.splat(0), x11 = f32x4.splat(0), x12 = f32x4.splat(0), x13 = f32x4.splat(0);
  let x20 = f32x4.splat(0), x21 = f32x4.splat(0), x22 = f32x4.splat(0), x23 = f32x4.splat(0);
  let x30 = f32x4.splat(0), x31 = f32x4.splat(0), x32 = f32x4.splat(0), x33 = f32x4.splat(0);
  for (; a0 < end; a0 += 4, a1 += 4, a2 += 4, a3 += 4, b += PANEL << 2) {
    const s0 = v128.load32_splat(a0), s1 = v128.load32_splat(a1), s2 = v128.load32_splat(a2), s3 = v128.load32_splat(a3);
    let y = v128.load(b);
    x00 = madd(s0, y, x00); x10 = madd(s1, y, x10); x20 = madd(s2, y, x20); x30 = madd(s3, y, x30);
    y = v128.load(b, 16);
    x01 = madd(s0, y, x01); x11 = madd(s1, y, x11); x21 = madd(s2, y, x21); x31 = madd(s3, y, x31);
    y = v128.load(b, 32);
    x02 = madd(s0, y, x02); x12 = madd(s1, y, x12); x22 = madd(s2, y, x22); x32 = madd(s3, y, x32);
    y = v128.load(b, 48);
    x03 = madd(s0, y, x03); x13 = madd(s1, y, x13); x23 = madd(s2, y, x23); x33 = madd(s3, y, x33);
  }
  const better = reaches(x00, x01, x02, x03, l0) | (reaches(x10, x11, x12, x13, l1) << 1)
    | (reaches(x20, x21, x22, x23, l2) << 2) | (reaches(x30, x31, x32, x33, l3) << 3);
  if (better) {
    storeRow(tile, x00, x01, x02, x03, PANEL);
    storeRow(tile + 64, x10, x11, x12, x13, PANEL);
    storeRow(tile + 128, x20, x21, x22, x23, PANEL);
    storeRow(tile + 192, x30, x31, x32, x33, PANEL);
  }
  return better;
}

// @ts-ignore: decorator
@inline
function reaches(x0: v128, x1: v128, x2: v128, x3: v128, limit: f32): i32 {
  return <i32>v128.any_true(f32x4.ge(f32x4.max(f32x4.max(x0, x1), f32x4.max(x2, x3)), f32x4.splat(limit)));
}

/** Whether entry a of the heap is worse than (score, name): smaller, or equal with a larger name. */
// @ts-ignore: decorator
@inline
function worse(heap: usize, names: usize, a: i32, score: f32, name: u32): bool {
  const other = load<f32>(heap + (<usize>a << 2));
  return other < score || (other == score && load<u32>(names + (<usize>a << 2)) > name);
}

/** Puts (score, name) in the root's place and lets it sink among the first `size` entries. */
function replaceRoot(heap: usize, names: usize, size: i32, score: f32, name: u32): void {
  let at = 0;
  while (true) {
    let child = 2 * at + 1;
    if (child >= size) break;
    if (child + 1 < size) {
      const next = <usize>(child + 1) << 2;
      if (!worse(heap, names, child, load<f32>(heap + next), load<u32>(names + next))) child++;
    }
    if (!worse(heap, names, child, score, name)) break;
    store<f32>(heap + (<usize>at << 2), load<f32>(heap + (<usize>child << 2)));
    store<u32>(names + (<usize>at << 2), load<u32>(names + (<usize>child << 2)));
    at = child;
  }
  store<f32>(heap + (<usize>at << 2), score);
  store<u32>(names + (<usize>at << 2), name);
}

/** From a heap to descending order. */
function sortHeap(heap: usize, names: usize, size: i32): void {
  for (let end = size - 1; end > 0; end--) {
    const place = <usize>end << 2;
    const score = load<f32>(heap + place), name = load<u32>(names + place);
    store<f32>(heap + place, load<f32>(heap));
    store<u32>(names + place, load<u32>(names));
    replaceRoot(heap, names, end, score, name);
  }
}
