// Sums of chosen rows, group by group, for the gradients of gathers: not a kernel.
//
//   out[r] = Σ over places p of group r, Σ_{q = p·k}^{p·k+k−1} c_q·x[rows_⌊q/m⌋],  k = |c|/|order|, m = |c|/|rows|
//
// args: out 0, scratch 3, start 4, order 7 (groups as `groupIndex` makes them). Kind WEIGHTED: c 10, rows 13, x 16. Kind PLAIN:
// x 10, c is 1 and the row is p. Kind PAIRED: every word after 3 moves by one because of an attribute in word 3; g 10, h 13,
// u 16 of U 19, v 22 of V 25; the summand is (h_q + g_q·U[u_⌊q/m⌋])∘V[v_⌊q/l⌋], without h if the attribute is 0. MISSING rows
// add nothing; empty groups are zero.
//
// The sum of a group is cut into pieces of W entries from the start of the group. Each piece is summed alone; then the pieces are
// added in order. So the bits of a row depend on its group alone, and a rank that has some of the groups computes the same bits.
//
// Blocks have equal work whatever the sizes of the groups: the entries and the ends of rows form one path, merged in
// order, and a block is W items of it (merge path; Merrill, Garland 2016). If the bound of a block falls inside a piece, the piece
// belongs to the later block. The first piece of a row is stored in `out`; others are kept in scratch and added in `finish`, in
// block order. A block has at most two of these: bounds inside one group are W entries apart, and only the first row of a block can
// have begun before the bound.
//
// Scratch per block: two slots, each with the number of a row (16 bytes) and a piece of it (dim floats); a list of (row pointer,
// coefficient), for PAIRED of (pointer into V, h, pointer into U, g).
import { ceilDiv } from "./blocks";
import { MISSING, entries, word } from "./kernel";
import { LIST, TILE_BYTES, itemBytes, sumList, sumPairList } from "./row-lists";

/** Approximate number of rows summed in one block: 512 rows of 128 floats are 64 K multiply-adds. Not tuned. */
const WORK: i32 = 512;
/** Smallest number of entries of a piece. Not tuned. */
const MIN_PIECE: i32 = 32;
/** Largest number of pieces of a block that are not the first of their row. */
const SLOTS: i32 = 2;

export const PLAIN: i32 = 0;
export const WEIGHTED: i32 = 1;
export const PAIRED: i32 = 2;

/** Number of attributes: by so many words the scratch pointer and the inputs move. */
// @ts-ignore: decorator
@inline
function shift(kind: i32): i32 {
  return kind == PAIRED ? 1 : 0;
}

// @ts-ignore: decorator
@inline
function input(args: usize, i: i32, kind: i32): usize {
  return word(args, i + shift(kind));
}

// @ts-ignore: decorator
@inline
function perEntry(args: usize, kind: i32): i32 {
  return kind == PLAIN ? 1 : entries(args, 10 + shift(kind)) / max(1, <i32>input(args, 8, kind));
}

/** W: items of a block and entries of a piece (also ../../partition/pieces.ts). */
// @ts-ignore: decorator
@inline
function pieceLength(args: usize, kind: i32): i32 {
  return max(MIN_PIECE, WORK / max(1, perEntry(args, kind)));
}

// @ts-ignore: decorator
@inline
function slotBytes(args: usize): usize {
  return 16 + (((<usize>word(args, 2) << 2) + 15) & ~15);
}

// @ts-ignore: decorator
@inline
function blockBytes(args: usize, kind: i32): usize {
  return SLOTS * slotBytes(args) + LIST * itemBytes(kind == PAIRED);
}

// @ts-ignore: decorator
@inline
export function groupedBlocks(args: usize, kind: i32): i32 {
  return ceilDiv(<i32>word(args, 1) + <i32>input(args, 8, kind), pieceLength(args, kind));
}

// @ts-ignore: decorator
@inline
export function groupedScratch(args: usize, kind: i32): i32 {
  return groupedBlocks(args, kind) * <i32>blockBytes(args, kind);
}

/** Number of rows that end before item `at` of the path; the end of row i is item i + start_{i+1}. */
function rowsBefore(start: usize, numRows: u32, at: u32): u32 {
  let low: u32 = 0, high = numRows;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (middle + load<u32>(start + (<usize>middle << 2), 4) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The start of the piece of row `row` that holds entry e. */
// @ts-ignore: decorator
@inline
function pieceStart(start: usize, row: u32, e: u32, length: u32): u32 {
  return e - (e - load<u32>(start + (<usize>row << 2))) % length;
}

// @ts-ignore: decorator
@inline
export function groupedRun(args: usize, block: i32, kind: i32): void {
  const numRows = word(args, 1), bytes = <usize>word(args, 2) << 2, start = input(args, 4, kind);
  const own = input(args, 3, kind) + <usize>block * blockBytes(args, kind), list = own + SLOTS * slotBytes(args);
  const length = <u32>pieceLength(args, kind), all = numRows + load<u32>(start + (<usize>numRows << 2));
  const begin = min(<u32>block * length, all), end = min(begin + length, all);
  const first = rowsBefore(start, numRows, begin), last = rowsBefore(start, numRows, end);
  const lastStop = pieceStart(start, last, end - last, length);
  let out = <usize>word(args, 0) + <usize>first * bytes, e = pieceStart(start, first, begin - first, length), slot = own;
  store<u32>(own, MISSING);
  store<u32>(own + slotBytes(args), MISSING);
  for (let row = first; row <= last; row++, out += bytes) {
    const from = load<u32>(start + (<usize>row << 2));
    const stop = row < last ? load<u32>(start + (<usize>row << 2), 4) : lastStop;
    if (e == from && (row < last || e < stop)) {
      const next = min(e + length, stop);
      sumEntries(args, e, next, list, bytes, out, kind);
      e = next;
    }
    while (e < stop) {
      const next = min(e + length, stop);
      store<u32>(slot, row);
      sumEntries(args, e, next, list, bytes, slot + 16, kind);
      e = next;
      slot += slotBytes(args);
    }
  }
}

// @ts-ignore: decorator
@inline
export function groupedFinishBlocks(args: usize): i32 {
  return ceilDiv(word(args, 2), <i32>(TILE_BYTES >> 2));
}

/** Adds one tile of every piece in scratch, in block order. */
// @ts-ignore: decorator
@inline
export function groupedFinish(args: usize, tile: i32, kind: i32): void {
  const bytes = <usize>word(args, 2) << 2, from = <usize>tile * TILE_BYTES, to = min(from + TILE_BYTES, bytes);
  let own = input(args, 3, kind);
  for (let b = 0; b < groupedBlocks(args, kind); b++, own += blockBytes(args, kind)) {
    addPiece(args, own, bytes, from, to);
    addPiece(args, own + slotBytes(args), bytes, from, to);
  }
}

// @ts-ignore: decorator
@inline
function addPiece(args: usize, slot: usize, bytes: usize, from: usize, to: usize): void {
  const row = load<u32>(slot);
  if (row == MISSING) return;
  const out = <usize>word(args, 0) + <usize>row * bytes, piece = slot + 16;
  for (let k = from; k < to; k += 4) store<f32>(out + k, load<f32>(out + k) + load<f32>(piece + k));
}

/** The sum over entries begin … end − 1 of the order, into `to`. */
// @ts-ignore: decorator
@inline
function sumEntries(args: usize, begin: u32, end: u32, list: usize, bytes: usize, to: usize, kind: i32): void {
  if (kind == PAIRED) sumPairs(args, begin, end, list, bytes, to);
  else sumRows(args, begin, end, list, bytes, to, kind == WEIGHTED);
}

// @ts-ignore: decorator
@inline
function sumRows(args: usize, begin: u32, end: u32, list: usize, bytes: usize, to: usize, weighted: bool): void {
  const k = <u32>perEntry(args, weighted ? WEIGHTED : PLAIN);
  const m = weighted ? <u32>(entries(args, 10) / max(1, entries(args, 13))) : 1;
  const order = <usize>word(args, 7), c = <usize>word(args, 10), rows = weighted ? <usize>word(args, 13) : 0;
  const x = <usize>(weighted ? word(args, 16) : word(args, 10));
  const full = list + LIST * itemBytes(false);
  let at = list, add = false;
  for (let e = begin; e < end; e++) {
    const p = load<u32>(order + (<usize>e << 2));
    for (let q = p * k; q < (p + 1) * k; q++) {
      const row = weighted ? load<u32>(rows + (<usize>(m == 1 ? q : q / m) << 2)) : q;
      if (row == MISSING) continue;
      if (at == full) {
        sumList(list, at, bytes, to, add);
        at = list;
        add = true;
      }
      store<u32>(at, <u32>(x + <usize>row * bytes));
      store<f32>(at, weighted ? load<f32>(c + (<usize>q << 2)) : 1, 4);
      at += itemBytes(false);
    }
  }
  sumList(list, at, bytes, to, add);
}

function sumPairs(args: usize, begin: u32, end: u32, list: usize, bytes: usize, to: usize): void {
  const all = entries(args, 11), plain = word(args, 3) != 0, k = <u32>perEntry(args, PAIRED);
  const m = <u32>(all / max(1, entries(args, 17))), l = <u32>(all / max(1, entries(args, 23)));
  // right ends per left end: an index has either one entry for each right end or one for all right ends of a left end
  const rightEnds = max(m, l);
  const order = <usize>word(args, 8), g = <usize>word(args, 11), h = <usize>word(args, 14);
  const uIndex = <usize>word(args, 17), u = <usize>word(args, 20);
  const vIndex = <usize>word(args, 23), v = <usize>word(args, 26);
  const full = list + LIST * itemBytes(true);
  let at = list, add = false;
  for (let e = begin; e < end; e++) {
    const p = load<u32>(order + (<usize>e << 2)), pair = k == 1 && rightEnds > 1 ? p / rightEnds : p;
    for (let q = p * k; q < (p + 1) * k; q++) {
      const i = load<u32>(uIndex + (<usize>(m == 1 ? q : pair) << 2));
      const j = load<u32>(vIndex + (<usize>(l == 1 ? q : pair) << 2));
      if (i == MISSING || j == MISSING) continue;
      if (at == full) {
        sumPairList(list, at, bytes, to, add);
        at = list;
        add = true;
      }
      store<u32>(at, <u32>(v + <usize>j * bytes));
      store<f32>(at, plain ? load<f32>(h + (<usize>q << 2)) : 0, 4);
      store<u32>(at, <u32>(u + <usize>i * bytes), 8);
      store<f32>(at, load<f32>(g + (<usize>q << 2)), 12);
      at += itemBytes(true);
    }
  }
  sumPairList(list, at, bytes, to, add);
}
