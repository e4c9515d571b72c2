// z[b, f] = ⟨x[left_b], y[right_bf]⟩, 0 where an index is MISSING. args: z 0, scratch 3, x 4, y 7, left 10, right 13.
// One block: ROWS rows of z. Four rows of y at a time share the loads of x, and their sums do not wait for each other. With fewer
// than four columns, the rows are touched first: a quarter faster with 32 columns and 3 MB of rows (Neoverse N1).
import { endRow, firstRow, rowBlocks } from "./blocks";
import { MISSING, rowAddress, rowBytes, word } from "./kernel";
import { madd, sumLanes } from "./vector";
import { dot } from "./dot";
import { AHEAD, touchRow, touched } from "./touch";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const bytes = rowBytes(args, 4), cols = <i32>word(args, 2);
  const first = firstRow(block), end = endRow(args, 0, block);
  const x = <usize>word(args, 4), y = <usize>word(args, 7), left = <usize>word(args, 10);
  let right = rowAddress(args, 13, first), z = rowAddress(args, 0, first);
  for (let b = first; b < end; b++) {
    if (cols < 4 && (b - first) % <i32>AHEAD == 0) {
      const next = min(b + <i32>AHEAD, end);
      touched(touchRows(left + (b << 2), next - b, x, bytes) | touchRows(right, (next - b) * cols, y, bytes));
    }
    const i = load<u32>(left + (b << 2)), a = x + <usize>i * bytes;
    let f = 0;
    for (; f + 4 <= cols; f += 4, right += 16, z += 16) {
      const j0 = load<u32>(right), j1 = load<u32>(right, 4), j2 = load<u32>(right, 8), j3 = load<u32>(right, 12);
      if (i == MISSING || j0 == MISSING || j1 == MISSING || j2 == MISSING || j3 == MISSING) {
        for (let k: usize = 0; k < 16; k += 4) single(i, load<u32>(right + k), a, y, bytes, z + k);
        continue;
      }
      quad(a, y + <usize>j0 * bytes, y + <usize>j1 * bytes, y + <usize>j2 * bytes, y + <usize>j3 * bytes, bytes, z);
    }
    for (; f < cols; f++, right += 4, z += 4) single(i, load<u32>(right), a, y, bytes, z);
  }
}

/** Touches the rows that `count` indices name. */
function touchRows(index: usize, count: i32, rows: usize, bytes: usize): u32 {
  let seen: u32 = 0;
  for (const end = index + (<usize>count << 2); index < end; index += 4) {
    const row = load<u32>(index);
    if (row != MISSING) seen |= touchRow(rows + <usize>row * bytes, bytes);
  }
  return seen;
}

function single(i: u32, j: u32, a: usize, y: usize, bytes: usize, z: usize): void {
  store<f32>(z, i == MISSING || j == MISSING ? 0 : dot(a, y + <usize>j * bytes, bytes));
}

/** Four inner products, each added in the order of `dot`, so that a row gives the same bits here and in `single`. */
function quad(a: usize, b0: usize, b1: usize, b2: usize, b3: usize, bytes: usize, z: usize): void {
  let s0 = f32x4.splat(0), s1 = f32x4.splat(0), s2 = f32x4.splat(0), s3 = f32x4.splat(0);
  let t0 = f32x4.splat(0), t1 = f32x4.splat(0), t2 = f32x4.splat(0), t3 = f32x4.splat(0);
  let k: usize = 0;
  const pairs = bytes & ~31;
  for (; k < pairs; k += 32) {
    const u = v128.load(a + k), v = v128.load(a + k, 16);
    s0 = madd(u, v128.load(b0 + k), s0);
    t0 = madd(v, v128.load(b0 + k, 16), t0);
    s1 = madd(u, v128.load(b1 + k), s1);
    t1 = madd(v, v128.load(b1 + k, 16), t1);
    s2 = madd(u, v128.load(b2 + k), s2);
    t2 = madd(v, v128.load(b2 + k, 16), t2);
    s3 = madd(u, v128.load(b3 + k), s3);
    t3 = madd(v, v128.load(b3 + k, 16), t3);
  }
  let z0 = sumLanes(f32x4.add(s0, t0)), z1 = sumLanes(f32x4.add(s1, t1));
  let z2 = sumLanes(f32x4.add(s2, t2)), z3 = sumLanes(f32x4.add(s3, t3));
  for (; k < bytes; k += 4) {
    const u = load<f32>(a + k);
    z0 += u * load<f32>(b0 + k);
    z1 += u * load<f32>(b1 + k);
    z2 += u * load<f32>(b2 + k);
    z3 += u * load<f32>(b3 + k);
  }
  store<f32>(z, z0);
  store<f32>(z, z1, 4);
  store<f32>(z, z2, 8);
  store<f32>(z, z3, 12);
}
