// A chain of steps v ← f(v, operands), entry by entry; the value v is input 0 at first. One thread computes four entries of all steps and
// stores the results that other calls read, the first of them perhaps in the place of input 0. NaN stays NaN.
//
// Attributes: the number of steps, the entries of the first and of the last result, the values by which placeColumns moves the entries; then
// six words for each step: its kind, the number of its first operand, the columns of its result, a word, a float, and the output that it is stored in,
// or MISSING. All threads of a workgroup run the same steps.

const HEADER_WORDS = 4u;
const STEP_WORDS = 6u;

// f(x) by its number in the list of the op unary.
fn unary(kind: u32, x: Value) -> Value {
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

// f′ from the result y: sigmoid y(1−y), tanh 1−y², inverse square root −y³/2, exponential y, logarithm e^−y, square root 1/(2y) (0 at 0),
// softplus 1−e^−y, logarithm of the sigmoid 1−e^y, reciprocal −y².
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

// The factors of entries 4i … 4i + 3, one for each row of `cols` entries.
fn factorsOf(factors: u32, i: u32, cols: u32) -> Value {
  if (cols % WIDTH == 0u) { return Value(scalar(factors + i / (cols / WIDTH))); }
  return rowWeights(factors, WIDTH * i, cols);
}

// The same entries of a row that all rows share.
fn rowValue(row: u32, i: u32, cols: u32) -> Value {
  if (cols % WIDTH == 0u) { return load(row / WIDTH + i % (cols / WIDTH)); }
  let column = (vec4<u32>(WIDTH * i) + vec4<u32>(0u, 1u, 2u, 3u)) % cols;
  return Value(scalar(row + column.x), scalar(row + column.y), scalar(row + column.z), scalar(row + column.w));
}

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let own = b.index * 256u + thread;
  let lastSize = intAttribute(b, 2);
  // before placeColumns; left of its columns the number wraps around
  var size = intAttribute(b, 1);
  var i = own - intAttribute(b, 3);
  var isActive = i < (size + 3u) / WIDTH;
  // the other threads compute entry 0 and do not store it
  i = select(0u, i, isActive);
  let x = input(b, 0);
  // an outer product has more entries than input 0 and does not use this value
  var v = load(x.at / WIDTH + min(i, (x.rows * x.cols - 1u) / WIDTH));
  for (var k = 0u; k < intAttribute(b, 0); k++) {
    let step = HEADER_WORDS + STEP_WORDS * k;
    let operand = intAttribute(b, step + 1u);
    let cols = intAttribute(b, step + 2u);
    let code = intAttribute(b, step + 3u);
    let number = floatAttribute(b, step + 4u);
    let at = input(b, operand).at;
    switch intAttribute(b, step) {
      // add, its value the first or the second summand
      case 0u: { v = v + number * load(at / WIDTH + i); }
      case 1u: { v = load(at / WIDTH + i) + number * v; }
      case 2u: { v = v * load(at / WIDTH + i); }
      case 3u: { v = number * v; }
      case 4u: { v = factorsOf(at, i, cols) * v; }
      case 5u: { v = v + rowValue(at, i, cols); }
      case 6u: {
        // signs are found from the bits, because compilers may assume that floats are finite
        let bits = bitcast<vec4<u32>>(v);
        let isPositive = bits - vec4<u32>(1u) < vec4<u32>(0x7f800000u);
        let isNegative = bits - vec4<u32>(0x80000000u) <= vec4<u32>(0x7f800000u);
        if (code != MISSING) { storeMask(output(b, code).at, size, b.index, thread, isPositive & vec4<bool>(isActive)); }
        v = select(v, Value(0.0), isNegative);
      }
      case 7u: { v = keepBits(number * v, word(at + i / 8u) >> (4u * (i % 8u))); }
      case 8u: { v = unary(code, v + number); }
      case 9u: { v = v * derivative(code, load(at / WIDTH + i)); }
      // prelu; its gradient, from x and the slope
      case 10u: { v = select(scalar(at) * v, v, v > Value(0.0)); }
      case 11u: { v = select(scalar(input(b, operand + 1u).at) * v, v, load(at / WIDTH + i) > Value(0.0)); }
      case 12u: {
        // the gradient of bceLogits, from the targets, its own gradient and perhaps weights
        var factor = Value(number * scalar(input(b, operand + 1u).at));
        if (code != 0u) { factor *= rowWeights(input(b, operand + 2u).at, WIDTH * i, cols); }
        v = factor * (sigmoid(v) - load(at / WIDTH + i));
      }
      case 13u: {
        // placeColumns: from here on the entries of the longer row
        v = select(Value(0.0), v, isActive);
        size = lastSize;
        isActive = own < (size + 3u) / WIDTH;
        i = select(0u, own, isActive);
      }
      // the outer product of input 0 and a row
      default: { v = factorsOf(x.at, i, cols) * rowValue(at, i, cols); }
    }
    let stored = intAttribute(b, step + 5u);
    if (stored != MISSING && isActive) { store(output(b, stored).at / WIDTH + i, v); }
  }
}
