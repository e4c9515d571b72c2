// Random walks over relations; the op has the rules. args: walks 0, number of relations 3, their descriptors 4, whether start
// relations are passed 5, stay 6, biased 7, keep back 8, near 9, far 10, scratch 11, key 12, starts 15, start relations 18.
// One block: WALKS walks. Values of a weighted relation are running sums of its rows. After a dead end: MISSING.
import { ceilDiv } from "./blocks";
import { MISSING, word } from "./kernel";
import { below, falls, philox, w0, w1, w2, w3 } from "./philox";
import { field } from "./sparse";

/** Walks per block. Not tuned. */
const WALKS: i32 = 16;
/** As in the op. */
const MAX_TRIALS: u32 = 1024;

export function blocks(args: usize): i32 {
  return ceilDiv(word(args, 1), WALKS);
}

export function run(args: usize, block: i32): void {
  const first = <u32>block * WALKS, end = min(first + WALKS, word(args, 1)), length = word(args, 2);
  const key = <usize>word(args, 12), list = <usize>word(args, 4), biased = word(args, 7) != 0;
  for (let walk = first; walk < end; walk++) {
    let at = <usize>word(args, 0) + ((<usize>walk * length) << 2);
    let node = load<u32>(<usize>word(args, 15) + (<usize>walk << 2)), previous = MISSING;
    let relation = word(args, 5) != 0 ? load<u32>(<usize>word(args, 18) + (<usize>walk << 2)) : MISSING;
    store<u32>(at, node);
    for (let step: u32 = 1; step < length; step++) {
      at += 4;
      if (node != MISSING) {
        philox(key, walk, step, 0);
        const last = relation;
        relation = chooseRelation(args, relation, node);
        let next = MISSING;
        if (relation != MISSING) {
          const matrix = matrixAt(list, relation);
          next = propose(matrix, node, w2);
          if (biased && previous != MISSING && (relation == last || isEdge(matrix, previous, node))) {
            next = reject(args, matrix, node, previous, next, walk, step);
          }
        }
        previous = node;
        node = next;
      }
      store<u32>(at, node);
    }
  }
}

// @ts-ignore: decorator
@inline
function matrixAt(list: usize, relation: u32): usize {
  return load<u32>(list + (<usize>relation << 2));
}

function hasEdges(matrix: usize, node: u32): bool {
  const row = field(matrix, 0) + (<usize>node << 2), end = load<u32>(row, 4), values = field(matrix, 2);
  if (end == load<u32>(row)) return false;
  return values == 0 || load<f32>(values + (<usize>(end - 1) << 2)) > 0;
}

/** The relation of the next step, from words 0 and 1; MISSING if none has edges at the node. */
function chooseRelation(args: usize, relation: u32, node: u32): u32 {
  const list = <usize>word(args, 4), count = word(args, 3);
  const here = relation != MISSING && hasEdges(matrixAt(list, relation), node);
  if (here && falls(w0, word(args, 6))) return relation;
  let others: u32 = 0;
  for (let d: u32 = 0; d < count; d++) others += <u32>(d != relation && hasEdges(matrixAt(list, d), node));
  if (others == 0) return here ? relation : MISSING;
  let before = below(w1, others), d: u32 = 0;
  for (; d < count; d++) {
    if (d == relation || !hasEdges(matrixAt(list, d), node)) continue;
    if (before-- == 0) break;
  }
  return d;
}

/** A neighbour by one random word, by weight where there are weights. */
function propose(matrix: usize, node: u32, random: u32): u32 {
  const row = field(matrix, 0) + (<usize>node << 2), begin = load<u32>(row), end = load<u32>(row, 4);
  const columns = field(matrix, 1), values = field(matrix, 2);
  if (values == 0) return load<u32>(columns + (<usize>(begin + below(random, end - begin)) << 2));
  const part = <f32>(random >> 8) * <f32>(1.0 / 16777216.0) * load<f32>(values + (<usize>(end - 1) << 2));
  let low = begin, high = end - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<f32>(values + (<usize>middle << 2)) > part) high = middle;
    else low = middle + 1;
  }
  return load<u32>(columns + (<usize>low << 2));
}

/** Whether `to` is among the ascending columns of row `from`. */
function isEdge(matrix: usize, from: u32, to: u32): bool {
  const row = field(matrix, 0) + (<usize>from << 2), columns = field(matrix, 1), end = load<u32>(row, 4);
  let low = load<u32>(row), high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u32>(columns + (<usize>middle << 2)) < to) low = middle + 1;
    else high = middle;
  }
  return low < end && load<u32>(columns + (<usize>low << 2)) == to;
}

/** Rejection: proposes neighbours until one is kept; word 3 decides. */
function reject(args: usize, matrix: usize, node: u32, previous: u32, candidate: u32, walk: u32, step: u32): u32 {
  for (let trial: u32 = 1; trial < MAX_TRIALS; trial++) {
    const keep = candidate == previous ? word(args, 8) : isEdge(matrix, previous, candidate) ? word(args, 9) : word(args, 10);
    if (falls(w3, keep)) break;
    philox(<usize>word(args, 12), walk, step, trial);
    candidate = propose(matrix, node, w2);
  }
  return candidate;
}
