// The source of a product as it is: the rows of input SOURCE. Included by kernels that define SOURCE and call readSource first.

var<private> x: Tensor;

fn readSource(b: Block) { x = input(b, SOURCE); }
fn sourceValue(j: u32, c: u32) -> Value { return load(x.at / WIDTH + j * (x.cols / WIDTH) + c); }
