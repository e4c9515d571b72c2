// Copies a value of a tensor of floats (ARE_FLOATS = 1) or one entry of a tensor of indices. Addresses count values, or words.
const UNIT = select(1u, WIDTH, ARE_FLOATS == 1u);

fn copyEntry(place: u32, source: u32) {
  if (ARE_FLOATS == 1u) { store(place, load(source)); } else { setWord(place, word(source)); }
}
