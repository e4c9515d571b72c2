// The weights of entries e … e + 3 of a tensor with `cols` columns; one weight per row. Past the last row the padding is read.
fn rowWeights(weights: u32, e: u32, cols: u32) -> vec4<f32> {
  let rows = (vec4<u32>(e) + vec4<u32>(0u, 1u, 2u, 3u)) / cols;
  return vec4<f32>(scalar(weights + rows.x), scalar(weights + rows.y), scalar(weights + rows.z), scalar(weights + rows.w));
}
