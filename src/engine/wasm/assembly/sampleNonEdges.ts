// Pairs that a matrix does not store, one from each stratum; the op has the numbering. args: left 0, right 3, matrix 6,
// scratch 7, key 8. One block: SIZE pairs. An empty stratum gives MISSING.
import { ceilDiv } from "./blocks";
import { MISSING, entries, word } from "./kernel";
import { philox, w0, w1, w2, w3 } from "./philox";
import { field } from "./sparse";

/** Pairs per block. Even, because two pairs share one Philox block. Not tuned. */
const SIZE: i32 = 512;

export function blocks(args: usize): i32 {
  return ceilDiv(entries(args, 0), SIZE);
}

export function run(args: usize, block: i32): void {
  const begin = block * SIZE, draws = entries(args, 0), end = min(begin + SIZE, draws);
  const left = <usize>word(args, 0), right = <usize>word(args, 3), key = <usize>word(args, 8);
  const matrix = <usize>word(args, 6), nodes = <u64>field(matrix, 6), rowStart = field(matrix, 0);
  const free = nodes * (nodes - 1) - <u64>field(matrix, 8);
  philox(key, 0, 1, 0);
  const shift = below(w0, w1, free);
  const quotient = free / <u64>draws, rest = free % <u64>draws;
  let first = <u64>begin * quotient + (<u64>begin * rest) / <u64>draws;
  for (let e = begin; e < end; e++) {
    if ((e & 1) == 0) philox(key, e >> 1, 0, 0);
    const next = <u64>(e + 1) * quotient + (<u64>(e + 1) * rest) / <u64>draws;
    const width = next - first, at = <usize>e << 2;
    let i: u32 = MISSING, j: u32 = MISSING;
    if (width > 0) {
      const inside = (e & 1) == 0 ? below(w0, w1, width) : below(w2, w3, width);
      let number = first + inside + shift;
      if (number >= free) number -= free;
      i = rowOf(rowStart, <u32>nodes, number);
      j = columnOf(rowStart + (<usize>i << 2), field(matrix, 1), i, <u32>(number - freeBefore(rowStart, <u32>nodes, i)));
    }
    store<u32>(left + at, i);
    store<u32>(right + at, j);
    first = next;
  }
}

/** Uniform whole number below `bound` from two words, of which 53 bits make a fraction. */
// @ts-ignore: decorator
@inline
function below(high: u32, low: u32, bound: u64): u64 {
  const u = (<f64>(high >> 5) * 67108864 + <f64>(low >> 6)) / 9007199254740992;
  return <u64>max<f64>(0, min<f64>(Math.floor(u * <f64>bound), <f64>bound - 1));
}

/** Free pairs in the rows before row i. */
// @ts-ignore: decorator
@inline
function freeBefore(rowStart: usize, nodes: u32, i: u32): u64 {
  return <u64>i * <u64>(nodes - 1) - <u64>load<u32>(rowStart + (<usize>i << 2));
}

/** The first row whose free pairs end after the number. */
function rowOf(rowStart: usize, nodes: u32, number: u64): u32 {
  let low: u32 = 0, high = nodes - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (freeBefore(rowStart, nodes, middle + 1) <= number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The k-th column, from 0, that is neither i nor in the row whose limits `row` points at; columns ascend. */
function columnOf(row: usize, columns: usize, i: u32, k: u32): u32 {
  const first = load<u32>(row);
  let low: u32 = 0, high = load<u32>(row, 4) - first;
  while (low < high) {
    const middle = (low + high) >> 1, c = load<u32>(columns + (<usize>(first + middle) << 2));
    if (c - middle - (c > i ? 1 : 0) <= k) low = middle + 1;
    else high = middle;
  }
  return k + low >= i ? k + low + 1 : k + low;
}
