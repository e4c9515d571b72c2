// Inner products of rows, for gatherDots and pairDots: a team of LANES threads computes one product, each thread with every LANES-th value
// of the rows. `teamSums`: what the threads of a workgroup found.
const DOTS = 256u / LANES;
var<workgroup> teamSums: array<f32, 256>;

// The sum of team k, in the order of its threads.
fn teamSum(k: u32) -> f32 {
  var sum = teamSums[k * LANES];
  for (var lane = 1u; lane < limit(LANES); lane++) { sum += teamSums[k * LANES + lane]; }
  return sum;
}

// Stores the sums of all teams of a workgroup, which are entries `first` … of z. All threads of the workgroup must call it.
fn storeTeamSums(z: Tensor, first: u32, sum: f32, thread: u32) {
  // until the sums that were stored before are read
  workgroupBarrier();
  teamSums[thread] = sum;
  workgroupBarrier();
  let k = thread * WIDTH;
  if (k >= DOTS || first + k >= z.rows * z.cols) { return; }
  var value = Value(0.0);
  for (var c = 0u; c < WIDTH; c++) { value = withComponent(value, c, teamSum(k + c)); }
  store((z.at + first) / WIDTH + thread, value);
}
