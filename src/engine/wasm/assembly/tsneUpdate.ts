// One step down the gradient with momentum and one gain per coordinate, then the mean of y is subtracted. The op has the formula.
// args: scratch 0, y 1, velocity 4, gains 7, gradient 10, schedule 13 = (momentum, rate). run: one chunk of points and the sum
// of their new y (float64). finish: subtracts the mean from one chunk; partial sums are added in order.
import { chunkBlocks, chunkRows } from "./blocks";
import { word } from "./kernel";

/** As in the op. */
const MIN_GAIN: f32 = 0.01;

export function blocks(args: usize): i32 {
  return chunkBlocks(word(args, 2));
}

export function scratch(args: usize): i32 {
  return blocks(args) * 16;
}

export function run(args: usize, block: i32): void {
  const n: i32 = word(args, 2), size = chunkRows(n);
  const first = <usize>(block * size) << 3, last = <usize>min(block * size + size, n) << 3;
  const part = <usize>word(args, 0) + (<usize>block << 4);
  let sumX: f64 = 0, sumY: f64 = 0;
  for (let i = first; i < last; i += 8) {
    sumX += step(args, i);
    sumY += step(args, i + 4);
  }
  store<f64>(part, sumX);
  store<f64>(part, sumY, 8);
}

/** Moves one coordinate; returns its new value. */
// @ts-ignore: decorator
@inline
function step(args: usize, at: usize): f32 {
  const y = <usize>word(args, 1) + at, velocity = <usize>word(args, 4) + at, gains = <usize>word(args, 7) + at;
  const g = load<f32>(<usize>word(args, 10) + at), v = load<f32>(velocity), schedule = <usize>word(args, 13);
  const opposed = (g > 0 && v < 0) || (g < 0 && v > 0);
  const gain = max(opposed ? load<f32>(gains) + <f32>0.2 : load<f32>(gains) * <f32>0.8, MIN_GAIN);
  const next = load<f32>(schedule) * v - load<f32>(schedule, 4) * gain * g;
  store<f32>(gains, gain);
  store<f32>(velocity, next);
  const moved = load<f32>(y) + next;
  store<f32>(y, moved);
  return moved;
}

export function finishBlocks(args: usize): i32 {
  return blocks(args);
}

export function finish(args: usize, block: i32): void {
  const n: i32 = word(args, 2), size = chunkRows(n), count = blocks(args);
  const first = block * size, last = min(first + size, n);
  let sumX: f64 = 0, sumY: f64 = 0;
  let part = <usize>word(args, 0);
  for (let b = 0; b < count; b++, part += 16) {
    sumX += load<f64>(part);
    sumY += load<f64>(part, 8);
  }
  const meanX = <f32>(sumX / n), meanY = <f32>(sumY / n);
  let y = <usize>word(args, 1) + (<usize>first << 3);
  for (let i = first; i < last; i++, y += 8) {
    store<f32>(y, load<f32>(y) - meanX);
    store<f32>(y, load<f32>(y, 4) - meanY, 4);
  }
}
