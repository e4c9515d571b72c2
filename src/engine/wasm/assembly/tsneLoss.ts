// L = Σ p_ij·log p_ij + e·Σ p_ij·log(1 + |y_i − y_j|²) + log Z, Z = Σ_{i≠j} 1/(1 + |y_i − y_j|²).
// args: L 0, P 3, θ 4, Σ p·log p 5, scratch 6, y 7, e 10. prepare: the quadtree, one block. run: POINTS points in the tree's
// order into the block's partial sums of the second sum and of Z (float64). finish: partial sums in order. Fewer than two
// points: log Z is left out.
//
// Scratch: the tree, then per block two partial sums and 32 bytes for forces, which are not used.
import { ceilDiv } from "./blocks";
import { float, word } from "./kernel";
import { buildTree, repel, sortedOrder, sortedPoints, treeBytes } from "./quad-tree";
import { field } from "./sparse";

/** Points per block: a multiple of four. Not tuned. */
const POINTS: i32 = 256;
/** Bytes of scratch per block. */
const PART: usize = 48;

// @ts-ignore: decorator
@inline
function partsAt(args: usize): usize {
  return <usize>word(args, 6) + ((<usize>treeBytes(word(args, 8)) + 63) & ~63);
}

export function scratch(args: usize): i32 {
  return <i32>(partsAt(args) - <usize>word(args, 6)) + blocks(args) * <i32>PART;
}

export function prepareBlocks(args: usize): i32 {
  return word(args, 8) > 0 ? 1 : 0;
}

export function prepare(args: usize, _block: i32): void {
  buildTree(word(args, 7), word(args, 8), float(args, 4), word(args, 6));
}

export function blocks(args: usize): i32 {
  return ceilDiv(word(args, 8), POINTS);
}

export function run(args: usize, block: i32): void {
  const n = <usize>word(args, 8), tree = <usize>word(args, 6), y = <usize>word(args, 7), matrix = <usize>word(args, 3);
  const points = sortedPoints(tree, n), order = sortedOrder(tree, n), part = partsAt(args) + <usize>block * PART;
  const first = <usize>block * POINTS, last = min<usize>(first + POINTS, n);
  let z: f64 = 0, pull: f64 = 0;
  for (let i = first; i < last; i += 4) z += repel(tree, points + (i << 3), <i32>min<usize>(last - i, 4), part + 16);
  const columns = field(matrix, 1), toValues = field(matrix, 2) - columns;
  for (let k = first; k < last; k++) {
    const i = <usize>load<u32>(order + (k << 2)), rowStart = field(matrix, 0) + (i << 2);
    const x0: f64 = load<f32>(y + (i << 3)), y0: f64 = load<f32>(y + (i << 3), 4);
    const end = columns + (<usize>load<u32>(rowStart, 4) << 2);
    for (let e = columns + (<usize>load<u32>(rowStart) << 2); e < end; e += 4) {
      const other = y + (<usize>load<u32>(e) << 3);
      const dx = x0 - load<f32>(other), dy = y0 - load<f32>(other, 4);
      pull += load<f32>(e + toValues) * Math.log(1 + dx * dx + dy * dy);
    }
  }
  store<f64>(part, z);
  store<f64>(part, pull, 8);
}

export function finishBlocks(_args: usize): i32 {
  return 1;
}

export function finish(args: usize, _block: i32): void {
  let z: f64 = 0, pull: f64 = 0;
  let part = partsAt(args);
  for (let b = 0; b < blocks(args); b++, part += PART) {
    z += load<f64>(part);
    pull += load<f64>(part, 8);
  }
  const loss = <f64>float(args, 5) + <f64>load<f32>(word(args, 10)) * pull + (z > 0 ? Math.log(z) : 0);
  store<f32>(word(args, 0), <f32>loss);
}
