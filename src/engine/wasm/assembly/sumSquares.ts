// y = s·Σ (x − c)². args: y 0, s 3, centred 4, scratch 5, x 6, c 9 if centred (otherwise c = 0).
// run: one chunk of rows into its partial sum, in float32 over PIECE entries and in float64 over pieces. finish: partial sums
// in order. No entries: 0.
import { chunkEntries, entryChunks, firstChunkRow, sumPartials } from "./blocks";
import { float, rowAddress, word } from "./kernel";
import { madd, sumLanes } from "./vector";

/** Entries summed in float32: each lane adds 256 numbers. */
const PIECE: i32 = 1024;

export function blocks(args: usize): i32 {
  return entryChunks(args, 6);
}

export function scratch(args: usize): i32 {
  return blocks(args) * 8;
}

export function run(args: usize, block: i32): void {
  const row = firstChunkRow(args, 6, block), last = chunkEntries(args, 6, block);
  const x = rowAddress(args, 6, row), c = word(args, 4) != 0 ? rowAddress(args, 9, row) : 0;
  let sum: f64 = 0;
  for (let first = 0; first < last; first += PIECE) sum += piece(x, c, first, min(first + PIECE, last));
  store<f64>(<usize>word(args, 5) + (<usize>block << 3), sum);
}

function piece(x: usize, c: usize, first: i32, last: i32): f64 {
  let squares = f32x4.splat(0), at = <usize>first << 2, rest: f32 = 0;
  const end = <usize>last << 2, whole = end & ~15;
  for (; at < whole; at += 16) {
    let d = v128.load(x + at);
    if (c) d = f32x4.sub(d, v128.load(c + at));
    squares = madd(d, d, squares);
  }
  for (; at < end; at += 4) {
    const d = load<f32>(x + at) - (c ? load<f32>(c + at) : 0);
    rest += d * d;
  }
  return <f64>sumLanes(squares) + <f64>rest;
}

export function finishBlocks(_args: usize): i32 {
  return 1;
}

export function finish(args: usize, _block: i32): void {
  store<f32>(word(args, 0), <f32>(<f64>float(args, 3) * sumPartials(word(args, 5), blocks(args))));
}
