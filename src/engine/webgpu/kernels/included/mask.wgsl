// Masks are written word by word: eight threads put four bits each into a word.

var<workgroup> nibbles: array<u32, 256>;

// Writes the mask of entries of which each thread has four: bit k of `kept` belongs to entry 4·thread + k of the workgroup's 1024. The
// mask has `size` bits; all threads must call it, and threads past the end give 0.
fn storeMask(mask: u32, size: u32, group: u32, thread: u32, kept: vec4<bool>) {
  let bits = select(vec4<u32>(0u), vec4<u32>(1u, 2u, 4u, 8u), kept);
  nibbles[thread] = (bits.x | bits.y | bits.z | bits.w) << (4u * (thread % 8u));
  workgroupBarrier();
  let place = 32u * group + thread;
  if (thread >= 32u || 32u * place >= size) { return; }
  var joined = 0u;
  for (var k = 0u; k < limit(8u); k++) { joined |= nibbles[8u * thread + k]; }
  setWord(mask + place, joined);
}
