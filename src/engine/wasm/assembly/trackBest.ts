// Flag and running minimum of the loss (see the op). args: flag 0, scratch 3, loss 4, best 7.
import { word } from "./common";

export function blocks(_args: usize): i32 {
  return 1;
}

export function run(args: usize, _block: i32): void {
  const flag = word(args, 0), best = <usize>word(args, 7);
  const loss = load<f32>(word(args, 4));
  if (!isFinite(loss)) {
    store<f32>(flag, -1);
  } else if (load<f32>(best, 4) == 0 || loss < load<f32>(best)) {
    store<f32>(best, loss);
    store<f32>(best, 1, 4);
    store<f32>(flag, 1);
  } else {
    store<f32>(flag, 0);
  }
}
