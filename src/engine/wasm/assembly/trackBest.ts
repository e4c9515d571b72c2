// Running minimum of the loss. args: flag 0, scratch 3, loss 4, best 7 (value, and 1 once there is one). One block.
// The flag is 1 for a new minimum, 0 otherwise, −1 if the loss is not finite.
import { word } from "./kernel";

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
