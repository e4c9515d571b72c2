// dx = g·f′ from the result y: sigmoid y(1−y), tanh 1−y², inverse square root −y³/2, exponential y, logarithm e^−y, square root
// 1/(2y) (0 at 0), softplus 1−e^−y, logarithm of the sigmoid 1−e^y, reciprocal −y². One thread computes one value of dx, which may be g.
fn derivative(kind: u32, y: Value) -> Value {
  switch kind {
    case 0u: { return y * (1.0 - y); }
    case 1u: { return 1.0 - y * y; }
    case 2u: { return -0.5 * y * y * y; }
    case 3u: { return y; }
    case 4u: { return exponential(-y); }
    case 5u: { return select(0.5 / y, Value(0.0), y == Value(0.0)); }
    case 6u: { return -exponentialMinusOne(-y); }
    case 7u: { return -exponentialMinusOne(y); }
    default: { return -y * y; }
  }
}

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let dx = output(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || i * WIDTH >= dx.rows * dx.cols) { return; }
  let y = load(input(b, 1).at / WIDTH + i);
  store(dx.at / WIDTH + i, load(input(b, 0).at / WIDTH + i) * derivative(intAttribute(b, 0), y));
}
