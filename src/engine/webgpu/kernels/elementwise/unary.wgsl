// y = f(x + offset), f by its number in the list of the op. One thread computes one value of y, which may be x. NaN stays NaN.
fn valueOf(kind: u32, x: Value) -> Value {
  switch kind {
    case 0u: { return sigmoid(x); }
    case 1u: { return hyperbolicTangent(x); }
    case 2u: { return inverseSqrt(x); }
    case 3u: { return exponential(x); }
    case 4u: { return logarithm(x); }
    case 5u: { return sqrt(x); }
    case 6u: { return max(x, Value(0.0)) + logOnePlusExp(x); }
    case 7u: { return min(x, Value(0.0)) - logOnePlusExp(x); }
    default: { return 1.0 / x; }
  }
}

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let y = output(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || i * WIDTH >= y.rows * y.cols) { return; }
  store(y.at / WIDTH + i, valueOf(intAttribute(b, 0), load(input(b, 0).at / WIDTH + i) + floatAttribute(b, 1)));
}
