// The k best of a stream of (value, name), kept as a heap with the worst at the root: not a kernel.
//
// Values and names are two arrays of k entries. `nearest`: the smallest values are best (distances), otherwise the largest
// (scores). Among equal values the smaller name is better, so the order in which candidates come does not matter.

/** Puts (value, name) in the root's place, smallest values best. */
export function replaceFarthest(values: usize, names: usize, size: i32, value: f32, name: u32): void {
  replaceRoot(true, values, names, size, value, name);
}

/** Puts (value, name) in the root's place, largest values best. */
export function replaceLowest(values: usize, names: usize, size: i32, value: f32, name: u32): void {
  replaceRoot(false, values, names, size, value, name);
}

/** From a heap to ascending values. */
export function sortNearest(values: usize, names: usize, size: i32): void {
  sortHeap(true, values, names, size);
}

/** From a heap to descending values. */
export function sortHighest(values: usize, names: usize, size: i32): void {
  sortHeap(false, values, names, size);
}

/** Whether entry i of the heap is worse than (value, name). */
// @ts-ignore: decorator
@inline
function worse(nearest: bool, values: usize, names: usize, i: i32, value: f32, name: u32): bool {
  const own = load<f32>(values + (<usize>i << 2));
  return (nearest ? own > value : own < value) || (own == value && load<u32>(names + (<usize>i << 2)) > name);
}

/** Puts (value, name) in the root's place and lets it sink among the first `size` entries. */
// @ts-ignore: decorator
@inline
function replaceRoot(nearest: bool, values: usize, names: usize, size: i32, value: f32, name: u32): void {
  let at = 0;
  while (true) {
    let child = 2 * at + 1;
    if (child >= size) break;
    if (child + 1 < size) {
      const next = <usize>(child + 1) << 2;
      if (!worse(nearest, values, names, child, load<f32>(values + next), load<u32>(names + next))) child++;
    }
    if (!worse(nearest, values, names, child, value, name)) break;
    store<f32>(values + (<usize>at << 2), load<f32>(values + (<usize>child << 2)));
    store<u32>(names + (<usize>at << 2), load<u32>(names + (<usize>child << 2)));
    at = child;
  }
  store<f32>(values + (<usize>at << 2), value);
  store<u32>(names + (<usize>at << 2), name);
}

// @ts-ignore: decorator
@inline
function sortHeap(nearest: bool, values: usize, names: usize, size: i32): void {
  for (let end = size - 1; end > 0; end--) {
    const place = <usize>end << 2;
    const value = load<f32>(values + place), name = load<u32>(names + place);
    store<f32>(values + place, load<f32>(values));
    store<u32>(names + place, load<u32>(names));
    replaceRoot(nearest, values, names, end, value, name);
  }
}
