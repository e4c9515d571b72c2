// dx = Σ_d w_d·q_d and dw_d = ⟨q_d, x⟩ with q_d = M_d·g (the M_d come transposed).
// args: dx 0, dw 3, number of matrices 6, their descriptors 7, scratch 8, w 9, x 12, g 15.
// prepare packs g into scratch (see sparse.ts). run: ROWS rows of one tile; behind the packed g, scratch holds per block one
// tile of q and one float64 partial dot product per matrix; finish adds those in block order.
import { ROWS, ceilDiv, madd, word } from "./common";
import { dot } from "./dot";
import { TILE, field, packRows, sparseTile, tileBlocks, tileWidth } from "./sparse";

const TILE_BYTES: usize = 128;

export function blocks(args: usize): i32 {
  return tileBlocks(word(args, 1), word(args, 2));
}

/** Bytes of scratch per block: the tile, then the dot products. */
// @ts-ignore: decorator
@inline
function slot(args: usize): usize {
  return TILE_BYTES + ((<usize>word(args, 6) * 8 + 63) & ~63);
}

/** Bytes of the packed g. */
// @ts-ignore: decorator
@inline
function packedBytes(args: usize): usize {
  return (<usize>word(args, 16) * <usize>word(args, 17) * 4 + 63) & ~63;
}

export function scratch(args: usize): i32 {
  return <i32>packedBytes(args) + blocks(args) * <i32>slot(args);
}

export function prepareBlocks(args: usize): i32 {
  return ceilDiv(word(args, 16), ROWS);
}

export function prepare(args: usize, block: i32): void {
  packRows(word(args, 15), word(args, 16), <usize>word(args, 17) << 2, 0, block, word(args, 8));
}

export function run(args: usize, block: i32): void {
  const bytes = <usize>word(args, 2) << 2, w = <usize>word(args, 9);
  const count = <usize>word(args, 6), matrices = <usize>word(args, 7);
  const perTile = ceilDiv(word(args, 1), ROWS);
  const k = <usize>(block / perTile) * (TILE << 2);
  const first = <usize>(block % perTile) * ROWS, last = min<usize>(first + ROWS, word(args, 1));
  const q = <usize>word(args, 8) + packedBytes(args) + <usize>block * slot(args), dots = q + TILE_BYTES;
  memory.fill(dots, 0, count << 3);
  const width = tileWidth(bytes, k), whole = width & ~15, g = <usize>word(args, 8) + k * <usize>word(args, 16);
  let dx = <usize>word(args, 0) + first * bytes + k, x = <usize>word(args, 12) + first * bytes + k;
  for (let i = first; i < last; i++, dx += bytes, x += bytes) {
    for (let d: usize = 0; d < count; d++) {
      const matrix = <usize>load<u32>(matrices + (d << 2));
      sparseTile(matrix, field(matrix, 2), field(matrix, 4), i, g, width, width, q, 1, false);
      store<f64>(dots + (d << 3), load<f64>(dots + (d << 3)) + <f64>dot(q, x, width));
      const s = load<f32>(w + (d << 2)), wide = f32x4.splat(s);
      let c: usize = 0;
      if (d == 0) {
        for (; c < whole; c += 16) v128.store(dx + c, f32x4.mul(wide, v128.load(q + c)));
        for (; c < width; c += 4) store<f32>(dx + c, s * load<f32>(q + c));
      } else {
        for (; c < whole; c += 16) v128.store(dx + c, madd(wide, v128.load(q + c), v128.load(dx + c)));
        for (; c < width; c += 4) store<f32>(dx + c, load<f32>(dx + c) + s * load<f32>(q + c));
      }
    }
  }
}

export function finishBlocks(_args: usize): i32 {
  return 1;
}

export function finish(args: usize, _block: i32): void {
  const step = slot(args);
  for (let d: usize = 0; d < word(args, 6); d++) {
    let sum: f64 = 0;
    let p = <usize>word(args, 8) + packedBytes(args) + TILE_BYTES + (d << 3);
    for (let b = 0; b < blocks(args); b++, p += step) sum += load<f64>(p);
    store<f32>(<usize>word(args, 3) + (d << 2), <f32>sum);
  }
}
