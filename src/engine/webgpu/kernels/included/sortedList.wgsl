// Lists of the `size` best pairs (key, name): the smallest key first, equal keys by name. Entries that are not used are MISSING, MISSING.
//
// One thread writes a list. While it is filled it is a heap with the worst pair at the root. Entry e lies in two words: the key at
// at + 2e·stride, the name `stride` further, so that threads with neighbouring lists read neighbouring words.
struct SortedList { at: u32, stride: u32, size: u32 }

fn entryOf(list: SortedList, e: u32) -> vec2<u32> {
  let at = list.at + 2u * e * list.stride;
  return vec2(word(at), word(at + list.stride));
}

fn setEntry(list: SortedList, e: u32, entry: vec2<u32>) {
  let at = list.at + 2u * e * list.stride;
  setWord(at, entry.x);
  setWord(at + list.stride, entry.y);
}

fn isBefore(a: vec2<u32>, b: vec2<u32>) -> bool { return a.x < b.x || (a.x == b.x && a.y < b.y); }

fn clearList(list: SortedList) {
  for (var e = 0u; e < list.size; e++) { setEntry(list, e, vec2(MISSING)); }
}

// Puts the entry in the root's place and lets it sink among the first `size` entries.
fn replaceRoot(list: SortedList, size: u32, entry: vec2<u32>) {
  var at = 0u;
  while (2u * at + 1u < size) {
    var child = 2u * at + 1u;
    var worst = entryOf(list, child);
    if (child + 1u < size) {
      let next = entryOf(list, child + 1u);
      if (isBefore(worst, next)) { worst = next; child++; }
    }
    if (!isBefore(entry, worst)) { break; }
    setEntry(list, at, worst);
    at = child;
  }
  setEntry(list, at, entry);
}

// From a heap to ascending order.
fn sortList(list: SortedList) {
  for (var end = list.size - 1u; end > 0u; end--) {
    let entry = entryOf(list, end);
    setEntry(list, end, entryOf(list, 0u));
    replaceRoot(list, end, entry);
  }
}

// Number of entries of a sorted list before `entry`, with `orEqual` also of those equal to it.
fn countBefore(list: SortedList, entry: vec2<u32>, orEqual: bool) -> u32 {
  var low = 0u;
  var high = list.size;
  while (low < high) {
    let middle = (low + high) / 2u;
    let other = entryOf(list, middle);
    if (isBefore(other, entry) || (orEqual && all(other == entry))) { low = middle + 1u; } else { high = middle; }
  }
  return low;
}
