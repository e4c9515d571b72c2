// The k nearest other rows of x by squared distance, for m query rows. args: indices 0, distances 3, scratch 6, x 7, first 10.
// prepare: 16 points into a panel, [panel][dim][16], padded with zeros. run: ROWS queries against all panels, in tiles of
// 4 × 16 sums of squared differences (not norms and products: nothing cancels, and equal rows are at distance zero). Each
// query keeps its k nearest in its own output rows as a heap with the farthest at the root; a tile without a nearer point
// costs one comparison per query. At the end the heap is sorted. Queries past the last point are not computed: their output
// rows stay as they were.
//
// Scratch: the panels, then one tile of distances per block.
import { ROWS, ceilDiv, rowBlocks } from "./blocks";
import { replaceFarthest, sortNearest } from "./heap";
import { MISSING, rowBytes, word } from "./kernel";
import { PANEL, PANEL_BYTES, PANEL_TILE_BYTES, distanceTile, packPanel } from "./panel";

// @ts-ignore: decorator
@inline
function panelBytes(args: usize): i32 {
  return ceilDiv(word(args, 8), PANEL) * PANEL * <i32>word(args, 9) * 4;
}

export function scratch(args: usize): i32 {
  return panelBytes(args) + blocks(args) * PANEL_TILE_BYTES;
}

export function prepareBlocks(args: usize): i32 {
  return ceilDiv(word(args, 8), PANEL);
}

export function prepare(args: usize, block: i32): void {
  const dim = <usize>word(args, 9), bytes = dim << 2, first = block * PANEL;
  const points = <usize>word(args, 7) + <usize>first * bytes, panel = <usize>word(args, 6) + <usize>first * bytes;
  packPanel(points, bytes, 4, dim, min(<i32>word(args, 8) - first, PANEL), panel, PANEL_BYTES);
}

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const n = <i32>word(args, 8), bytes = rowBytes(args, 7), k = <i32>word(args, 2);
  const offset = load<i32>(word(args, 10));
  const first = block * ROWS, end = min(first + ROWS, min(<i32>word(args, 1), n - offset));
  const x = <usize>word(args, 7), panels = <usize>word(args, 6);
  const tile = panels + panelBytes(args) + <usize>block * PANEL_TILE_BYTES;
  const row = <usize>k << 2, indices = <usize>word(args, 0), distances = <usize>word(args, 3);
  for (let e = <usize>max(first, 0) * row; e < <usize>max(end, 0) * row; e += 4) {
    store<f32>(distances + e, f32.MAX_VALUE);
    store<u32>(indices + e, MISSING);
  }
  for (let j = 0; j < n; j += PANEL) {
    const panel = panels + <usize>j * bytes, count = min(n - j, PANEL);
    for (let i = first; i < end; i += 4) {
      // with fewer than four queries left, the last one is repeated and the repeats are ignored
      const rows = min(end - i, 4), query = offset + i;
      const d0 = distances + <usize>i * row;
      const d1 = rows > 1 ? d0 + row : d0, d2 = rows > 2 ? d1 + row : d1, d3 = rows > 3 ? d2 + row : d2;
      const a0 = x + <usize>query * bytes;
      const a1 = rows > 1 ? a0 + bytes : a0, a2 = rows > 2 ? a1 + bytes : a1, a3 = rows > 3 ? a2 + bytes : a2;
      const nearer = distanceTile(
        a0, a1, a2, a3, bytes, panel, tile, load<f32>(d0), load<f32>(d1), load<f32>(d2), load<f32>(d3),
      );
      if (!nearer) continue;
      for (let r = 0; r < rows; r++) {
        if (!(nearer & (1 << r))) continue;
        const heap = distances + <usize>(i + r) * row, names = indices + <usize>(i + r) * row;
        for (let c = 0; c < count; c++) {
          const d = load<f32>(tile + (<usize>((r << 4) + c) << 2));
          if (d < load<f32>(heap) && j + c != query + r) replaceFarthest(heap, names, k, d, j + c);
        }
      }
    }
  }
  for (let i = first; i < end; i++) sortNearest(distances + <usize>i * row, indices + <usize>i * row, k);
}
