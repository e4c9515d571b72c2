// Rows of which LANES threads share each, neighbours in the workgroup.

// The row of a thread, and its number of values: 0 beyond the last row.
struct LaneRow { row: u32, count: u32 }

fn laneRow(x: Tensor, b: Block, thread: u32) -> LaneRow {
  let row = b.index * (256u / LANES) + thread / LANES;
  return LaneRow(row, select(0u, x.cols / WIDTH, row < x.rows));
}

// Address of the first value of a row.
fn rowAt(x: Tensor, row: u32) -> u32 { return x.at / WIDTH + row * (x.cols / WIDTH); }
