// dy_i = 4·s·(e·Σ_j p_ij·q_ij·(y_i − y_j) − Σ_{j≠i} q_ij²·(y_i − y_j) / Z), q = 1/(1 + |y_i − y_j|²), Z = Σ_{i≠j} q_ij.
// args: dy 0, P 3, θ 4, scratch 5, y 6, e 9, s 12. prepare: the quadtree, one block. run: POINTS points in the tree's
// order: attraction over the row of P into dy, repulsion through the tree into scratch, Z into the block's partial sum
// (float64). finish: partial sums in order, then the formula. An empty row of P: no attraction.
//
// Scratch: tree, forces (four x, four y for each four sorted points), partial sums of Z.
import { ceilDiv, sumPartials } from "./blocks";
import { float, word } from "./kernel";
import { madd, sumLanes } from "./vector";
import { buildTree, repel, sortedOrder, sortedPoints, treeBytes } from "./quad-tree";
import { field } from "./sparse";

/** Points per block: a multiple of four. Not tuned. */
const POINTS: i32 = 256;

// @ts-ignore: decorator
@inline
function forcesAt(args: usize): usize {
  return <usize>word(args, 5) + ((<usize>treeBytes(word(args, 7)) + 63) & ~63);
}

// @ts-ignore: decorator
@inline
function partsAt(args: usize): usize {
  return forcesAt(args) + ((<usize>word(args, 7) + 3) & ~3) * 8;
}

export function scratch(args: usize): i32 {
  return <i32>(partsAt(args) - <usize>word(args, 5)) + blocks(args) * 8;
}

export function prepareBlocks(args: usize): i32 {
  return word(args, 7) > 0 ? 1 : 0;
}

export function prepare(args: usize, _block: i32): void {
  buildTree(word(args, 6), word(args, 7), float(args, 4), word(args, 5));
}

export function blocks(args: usize): i32 {
  return ceilDiv(word(args, 7), POINTS);
}

export function run(args: usize, block: i32): void {
  const n = <usize>word(args, 7), tree = <usize>word(args, 5), y = <usize>word(args, 6), dy = <usize>word(args, 0);
  const points = sortedPoints(tree, n), order = sortedOrder(tree, n), forces = forcesAt(args);
  const first = <usize>block * POINTS, last = min<usize>(first + POINTS, n);
  let z: f64 = 0;
  for (let i = first; i < last; i += 4) z += repel(tree, points + (i << 3), <i32>min<usize>(last - i, 4), forces + (i << 3));
  store<f64>(partsAt(args) + (<usize>block << 3), z);
  for (let i = first; i < last; i++) attract(word(args, 3), <usize>load<u32>(order + (i << 2)), y, dy);
}

/** dy_i = Σ_j p_ij·q_ij·(y_i − y_j), four neighbours at a time. */
// @ts-ignore: decorator
@inline
function attract(matrix: usize, i: usize, y: usize, dy: usize): void {
  const rowStart = field(matrix, 0) + (i << 2), columns = field(matrix, 1);
  const toValues = field(matrix, 2) - columns;
  let e = columns + (<usize>load<u32>(rowStart) << 2);
  const end = columns + (<usize>load<u32>(rowStart, 4) << 2);
  const x0 = load<f32>(y + (i << 3)), y0 = load<f32>(y + (i << 3), 4);
  const xs = f32x4.splat(x0), ys = f32x4.splat(y0), one = f32x4.splat(1);
  let fx = f32x4.splat(0), fy = f32x4.splat(0);
  for (; e + 12 < end; e += 16) {
    let a = v128.load64_zero(y + (<usize>load<u32>(e) << 3)), b = v128.load64_zero(y + (<usize>load<u32>(e, 8) << 3));
    a = v128.load64_lane(y + (<usize>load<u32>(e, 4) << 3), a, 1);
    b = v128.load64_lane(y + (<usize>load<u32>(e, 12) << 3), b, 1);
    const dx = f32x4.sub(xs, v128.shuffle<f32>(a, b, 0, 2, 4, 6)), dz = f32x4.sub(ys, v128.shuffle<f32>(a, b, 1, 3, 5, 7));
    const pull = f32x4.div(v128.load(e + toValues), f32x4.add(one, madd(dx, dx, f32x4.mul(dz, dz))));
    fx = madd(pull, dx, fx);
    fy = madd(pull, dz, fy);
  }
  let sumX = sumLanes(fx), sumY = sumLanes(fy);
  for (; e < end; e += 4) {
    const other = y + (<usize>load<u32>(e) << 3);
    const dx = x0 - load<f32>(other), dz = y0 - load<f32>(other, 4);
    const pull = load<f32>(e + toValues) / (1 + dx * dx + dz * dz);
    sumX += pull * dx;
    sumY += pull * dz;
  }
  store<f32>(dy + (i << 3), sumX);
  store<f32>(dy + (i << 3), sumY, 4);
}

export function finishBlocks(args: usize): i32 {
  return blocks(args);
}

export function finish(args: usize, block: i32): void {
  const n = <usize>word(args, 7), dy = <usize>word(args, 0);
  const order = sortedOrder(word(args, 5), n), forces = forcesAt(args);
  const z = sumPartials(partsAt(args), blocks(args));
  const s: f64 = 4 * <f64>load<f32>(word(args, 12)), pull = <f32>(s * load<f32>(word(args, 9)));
  // a single point, or all infinitely far apart: nothing repels
  const push = <f32>(z > 0 ? s / z : 0);
  const first = <usize>block * POINTS, last = min<usize>(first + POINTS, n);
  for (let i = first; i < last; i++) {
    const at = dy + (<usize>load<u32>(order + (i << 2)) << 3), force = forces + ((i & ~3) << 3) + ((i & 3) << 2);
    store<f32>(at, pull * load<f32>(at) - push * load<f32>(force));
    store<f32>(at, pull * load<f32>(at, 4) - push * load<f32>(force, 16), 4);
  }
}
