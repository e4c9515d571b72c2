// Runs a program: all threads go through one list of steps together. A step is six 32-bit words: kernel, phase, number of blocks,
// args, blocks handed out so far, first block. Threads take blocks by atomic increment until none is left, then meet at a barrier.
import { FAR_ROWS } from "./sparse";
export { fillSymmetric } from "./fill";
import { kernelBlocks, kernelRun, kernelScratch } from "./dispatch";

const STEP: usize = 24;
/** Polls before a waiting thread goes to sleep: about ten microseconds, longer than most waits at a barrier. */
const SPINS: i32 = 4000;

// Control words (byte offsets): 0 arrived, 4 generation, 8 sleepers.

export function blocksOf(kernel: i32, phase: i32, args: usize): i32 {
  return kernelBlocks(kernel, phase, args);
}

export function scratchOf(kernel: i32, args: usize): i32 {
  return kernelScratch(kernel, args);
}

/** From this number of source rows on, sparse products need the right scales multiplied into the values of the entries. */
export function farRows(): i32 {
  return FAR_ROWS;
}

/** Runs `count` steps as one of `threads` threads. Returns when every thread has finished the last step. */
export function replay(steps: usize, count: i32, threads: i32, control: usize): void {
  for (let s = 0; s < count; s++, steps += STEP) {
    const kernel = load<i32>(steps), phase = load<i32>(steps, 4), blocks = load<i32>(steps, 8);
    const args = <usize>load<u32>(steps, 12), first = load<i32>(steps, 20);
    if (threads == 1) {
      for (let b = 0; b < blocks; b++) kernelRun(kernel, phase, args, first + b);
      continue;
    }
    for (;;) {
      const b = atomic.add<i32>(steps, 1, 16);
      if (b >= blocks) break;
      kernelRun(kernel, phase, args, first + b);
    }
    barrier(control, threads, steps);
  }
}

/** Waits for all threads. The last to arrive resets the step's block counter and releases the others. */
function barrier(control: usize, threads: i32, step: usize): void {
  const generation = atomic.load<i32>(control, 4);
  if (atomic.add<i32>(control, 1) + 1 == threads) {
    atomic.store<i32>(control, 0);
    atomic.store<i32>(step, 0, 16);
    atomic.store<i32>(control, generation + 1, 4);
    if (atomic.load<i32>(control, 8) > 0) atomic.notify(control + 4, -1);
    return;
  }
  for (let spin = 0; spin < SPINS; spin++) {
    if (atomic.load<i32>(control, 4) != generation) return;
  }
  atomic.add<i32>(control, 1, 8);
  while (atomic.load<i32>(control, 4) == generation) atomic.wait<i32>(control + 4, generation, -1);
  atomic.sub<i32>(control, 1, 8);
}
