// A quadtree over points of the plane and the repulsion of t-SNE through it (Barnes, Hut 1986): not a kernel.
//
// Points are sorted along a Z-curve of 2^20 × 2^20 cells. A node is a run of them: up to LEAF points, or two to four
// children (chains of single children are skipped), so there are fewer than 2n nodes. Nodes lie in depth-first order;
// each stores the next node for a walk that does not open it, so a walk needs no stack. A node takes 32 bytes:
//   0 x, 4 y of the centre of mass, 8 reach, 12 number of points, 16 next node, 20 first point, 24 end of its points
//   (equal to the first for an inner node). Reach is (longer side of the points' box / θ)²: for a point whose squared
//   distance to the centre is larger, the whole node counts as one point. For θ < 1/√2 a node that holds the point itself is
//   never treated so.
//
// In memory, from `tree`: 2n nodes, 2n boxes (x0, y0, x1, y1), n sorted points (x, y), n words of order, n keys and n
// spare keys (8 bytes each: 40 bits of cell, 24 of index), four histograms.
import { madd } from "./vector";

/** Largest number of points of a leaf: 2 to 16 take the same time within the noise of bench/tsne.ts. */
const LEAF: i32 = 8;
/** Bytes of a node. */
const NODE: usize = 32;
/** Cells along one side of the Z-curve. */
const CELLS: f64 = 1048576;
/** Bits of a digit of the radix sort. */
const DIGIT: i32 = 10;
const BUCKETS: usize = 1 << DIGIT;
/** Bits of a key that hold the index of the point. */
const INDEX_BITS: u64 = 24;
const INDEX_MASK: u64 = (1 << INDEX_BITS) - 1;

export function treeBytes(n: i32): i32 {
  return n * (64 + 32 + 8 + 4 + 16) + 4 * <i32>(BUCKETS << 2) + 64;
}

// @ts-ignore: decorator
@inline
export function sortedPoints(tree: usize, n: usize): usize {
  return tree + n * 96;
}

// @ts-ignore: decorator
@inline
export function sortedOrder(tree: usize, n: usize): usize {
  return tree + n * 104;
}

// @ts-ignore: decorator
@inline
function sortKeys(tree: usize, n: usize): usize {
  return (tree + n * 108 + 15) & ~15;
}

// State of a build; each thread has its own, and one thread builds.
let keysAt: usize = 0, pointsAt: usize = 0, nodesAt: usize = 0, boxesAt: usize = 0;
let nextNode: usize = 0;
let sharpness: f32 = 0;

/** Builds the tree over n ≥ 1 points y (x, y pairs). θ = 0: every node is opened. */
export function buildTree(y: usize, n: usize, theta: f32, tree: usize): void {
  const keys = sortKeys(tree, n), order = sortedOrder(tree, n);
  pointsAt = sortedPoints(tree, n);
  makeKeys(y, n, keys);
  keysAt = radixSort(keys, n, keys + (n << 4));
  for (let i: usize = 0; i < n; i++) {
    const index = <usize>(load<u64>(keysAt + (i << 3)) & INDEX_MASK);
    store<u32>(order + (i << 2), <u32>index);
    store<u64>(pointsAt + (i << 3), load<u64>(y + (index << 3)));
  }
  nodesAt = tree;
  boxesAt = tree + n * 64;
  nextNode = tree;
  sharpness = theta > 0 ? 1 / (theta * theta) : f32.MAX_VALUE;
  buildNode(0, <i32>n);
}

function makeKeys(y: usize, n: usize, keys: usize): void {
  let low = v128.load64_splat(y), high = low;
  for (let i: usize = 1; i < n; i++) {
    const p = v128.load64_splat(y + (i << 3));
    low = f32x4.min(low, p);
    high = f32x4.max(high, p);
  }
  const x0: f64 = f32x4.extract_lane(low, 0), y0: f64 = f32x4.extract_lane(low, 1);
  const side = max<f64>(<f64>f32x4.extract_lane(high, 0) - x0, <f64>f32x4.extract_lane(high, 1) - y0);
  const scale = side > 0 ? (CELLS - 1) / side : 0;
  for (let i: usize = 0; i < n; i++) {
    const cx = <u32>((<f64>load<f32>(y + (i << 3)) - x0) * scale), cy = <u32>((<f64>load<f32>(y + (i << 3), 4) - y0) * scale);
    store<u64>(keys + (i << 3), ((spaceBits(cy) << 1 | spaceBits(cx)) << INDEX_BITS) | <u64>i);
  }
}

/** The lower 20 bits with a zero bit before each. */
// @ts-ignore: decorator
@inline
function spaceBits(cell: u32): u64 {
  let v: u64 = <u64>cell & 0xfffff;
  v = (v | (v << 16)) & 0x0000ffff0000ffff;
  v = (v | (v << 8)) & 0x00ff00ff00ff00ff;
  v = (v | (v << 4)) & 0x0f0f0f0f0f0f0f0f;
  v = (v | (v << 2)) & 0x3333333333333333;
  return (v | (v << 1)) & 0x5555555555555555;
}

/** Sorts n keys by their upper 40 bits in four passes between two arrays; returns the address of the sorted ones. */
function radixSort(keys: usize, n: usize, counts: usize): usize {
  let from = keys, to = keys + (n << 3);
  memory.fill(counts, 0, BUCKETS << 4);
  for (let i: usize = 0; i < n; i++) {
    let key = load<u64>(keys + (i << 3)) >> INDEX_BITS;
    for (let pass: usize = 0; pass < 4; pass++, key >>= DIGIT) {
      const at = counts + (((pass << DIGIT) + <usize>(key & (BUCKETS - 1))) << 2);
      store<u32>(at, load<u32>(at) + 1);
    }
  }
  for (let pass: usize = 0; pass < 4; pass++) {
    const places = counts + (pass << (DIGIT + 2));
    let sum: u32 = 0;
    for (let d: usize = 0; d < BUCKETS; d++) {
      const count = load<u32>(places + (d << 2));
      store<u32>(places + (d << 2), sum);
      sum += count;
    }
    const shift = INDEX_BITS + pass * DIGIT;
    for (let i: usize = 0; i < n; i++) {
      const key = load<u64>(from + (i << 3));
      const at = places + (<usize>((key >> shift) & (BUCKETS - 1)) << 2);
      const place = load<u32>(at);
      store<u32>(at, place + 1);
      store<u64>(to + (<usize>place << 3), key);
    }
    const swap = from;
    from = to;
    to = swap;
  }
  return from;
}

// @ts-ignore: decorator
@inline
function cellOf(i: i32): u64 {
  return load<u64>(keysAt + (<usize>i << 3)) >> INDEX_BITS;
}

// @ts-ignore: decorator
@inline
function boxOf(node: usize): usize {
  return boxesAt + ((node - nodesAt) >> 1);
}

/** Writes the node of the sorted points [first, end) and, after it, its descendants. */
function buildNode(first: i32, end: i32): void {
  const node = nextNode, box = boxOf(node);
  nextNode += NODE;
  const differ = cellOf(first) ^ cellOf(end - 1);
  let x: f64 = 0, y: f64 = 0;
  const isLeaf = end - first <= LEAF || differ == 0;
  let low = f32x4.splat(Infinity), high = f32x4.splat(-Infinity);
  if (isLeaf) {
    for (let i = first; i < end; i++) {
      const p = pointsAt + (<usize>i << 3), both = v128.load64_splat(p);
      x += load<f32>(p);
      y += load<f32>(p, 4);
      low = f32x4.min(low, both);
      high = f32x4.max(high, both);
    }
  } else {
    const level = (63 - <i32>clz(differ)) & ~1;
    for (let start = first; start < end; ) {
      const stop = endOfQuarter(start, end, level), child = nextNode;
      buildNode(start, stop);
      const count: f64 = load<f32>(child, 12), childBox = boxOf(child);
      x += count * load<f32>(child);
      y += count * load<f32>(child, 4);
      low = f32x4.min(low, v128.load64_splat(childBox));
      high = f32x4.max(high, v128.load64_splat(childBox, 8));
      start = stop;
    }
  }
  const count = <f64>(end - first);
  store<f32>(node, <f32>(x / count));
  store<f32>(node, <f32>(y / count), 4);
  const sides = f32x4.sub(high, low), side = max(f32x4.extract_lane(sides, 0), f32x4.extract_lane(sides, 1));
  store<f32>(node, sharpness == f32.MAX_VALUE ? Infinity : side * side * sharpness, 8);
  store<f32>(node, <f32>count, 12);
  store<u32>(node, <u32>nextNode, 16);
  store<u32>(node, <u32>(pointsAt + (<usize>first << 3)), 20);
  store<u32>(node, <u32>(pointsAt + (<usize>(isLeaf ? end : first) << 3)), 24);
  v128.store64_lane(box, low, 0);
  v128.store64_lane(box, high, 0, 8);
}

/** The end of the points from `start` that share its two bits at `level`, by bisection. */
function endOfQuarter(start: i32, end: i32, level: i32): i32 {
  const quarter = cellOf(start) >> level;
  let inside = start, outside = end;
  while (outside - inside > 1) {
    const middle = (inside + outside) >>> 1;
    if (cellOf(middle) >> level == quarter) inside = middle;
    else outside = middle;
  }
  return outside;
}

/** x (or, with `odd`, y) of `count` sorted points from `group` on, the last repeated up to four. */
// @ts-ignore: decorator
@inline
export function coordinate(group: usize, count: i32, odd: bool): v128 {
  const at = odd ? group + 4 : group, last = (count - 1) << 3;
  let v = v128.load32_splat(at);
  v = v128.load32_lane(at + min(8, last), v, 1);
  v = v128.load32_lane(at + min(16, last), v, 2);
  return v128.load32_lane(at + min(24, last), v, 3);
}

/**
 * Repulsion on `count` ≤ 4 sorted points from `group` on: Σ_{j≠i} q²·(y_i − y_j) with q = 1/(1 + |y_i − y_j|²), stored at
 * `forces` as four x and four y; returns Σ_i Σ_{j≠i} q. One walk serves the four points: a node is opened unless it is far
 * enough for each of them.
 */
export function repel(tree: usize, group: usize, count: i32, forces: usize): f64 {
  const xs = coordinate(group, count, false), ys = coordinate(group, count, true);
  const own = i32x4.add(i32x4.splat(<i32>group), i32x4(0, 8, 16, 24));
  const one = f32x4.splat(1), end = <usize>load<u32>(tree, 16);
  let fx = f32x4.splat(0), fy = f32x4.splat(0), z = f32x4.splat(0);
  let node = tree;
  while (node < end) {
    const dx = f32x4.sub(xs, v128.load32_splat(node)), dy = f32x4.sub(ys, v128.load32_splat(node, 4));
    const square = madd(dx, dx, f32x4.mul(dy, dy));
    if (i32x4.all_true(f32x4.gt(square, v128.load32_splat(node, 8)))) {
      const q = f32x4.div(one, f32x4.add(one, square)), many = f32x4.mul(v128.load32_splat(node, 12), q);
      const force = f32x4.mul(many, q);
      z = f32x4.add(z, many);
      fx = madd(force, dx, fx);
      fy = madd(force, dy, fy);
      node = <usize>load<u32>(node, 16);
      continue;
    }
    const stop = <usize>load<u32>(node, 24);
    for (let p = <usize>load<u32>(node, 20); p < stop; p += 8) {
      const px = f32x4.sub(xs, v128.load32_splat(p)), py = f32x4.sub(ys, v128.load32_splat(p, 4));
      const near = f32x4.div(one, f32x4.add(one, madd(px, px, f32x4.mul(py, py))));
      // a point does not repel itself; other points at the same place count
      const q = v128.and(near, i32x4.ne(own, i32x4.splat(<i32>p))), force = f32x4.mul(q, q);
      z = f32x4.add(z, q);
      fx = madd(force, px, fx);
      fy = madd(force, py, fy);
    }
    // depth-first order: the first child, or after a leaf the next node
    node += NODE;
  }
  v128.store(forces, fx);
  v128.store(forces, fy, 16);
  let sum: f64 = f32x4.extract_lane(z, 0);
  if (count > 1) sum += f32x4.extract_lane(z, 1);
  if (count > 2) sum += f32x4.extract_lane(z, 2);
  if (count > 3) sum += f32x4.extract_lane(z, 3);
  return sum;
}
