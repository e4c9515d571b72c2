// Running minimum of the loss. args: flag 0, patience 3 (the largest word: no limit), scratch 4, loss 5, best 8: the value and k, which
// is 0 while there is none, otherwise 1 + the steps since it. One block.
// The flag is 1 for a new minimum, 0 otherwise, −1 if the loss is not finite, −2 if `patience` steps have passed since the minimum.
import { word } from "./kernel";

export function blocks(_args: usize): i32 {
  return 1;
}

export function run(args: usize, _block: i32): void {
  const flag = word(args, 0), best = <usize>word(args, 8), patience = word(args, 3);
  const loss = load<f32>(word(args, 5)), count = load<f32>(best, 4);
  if (patience != 0xffffffff && count >= 1 && <f64>count - 1 >= <f64>patience) {
    store<f32>(flag, -2);
  } else if (!isFinite(loss)) {
    store<f32>(flag, -1);
  } else if (count == 0 || loss < load<f32>(best)) {
    store<f32>(best, loss);
    store<f32>(best, 1, 4);
    store<f32>(flag, 1);
  } else {
    store<f32>(best, count + 1, 4);
    store<f32>(flag, 0);
  }
}
