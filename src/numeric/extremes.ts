/** Largest and smallest of many values. `Math.max(...values)` overflows the stack at about 100,000 values. */

/** The largest value, but at least `minimum`. */
export function largestOf(values: Iterable<number>, minimum = -Infinity): number {
  let largest = minimum;
  for (const value of values) largest = Math.max(largest, value);
  return largest;
}

/** The smallest value. */
export function smallestOf(values: Iterable<number>): number {
  let smallest = Infinity;
  for (const value of values) smallest = Math.min(smallest, value);
  return smallest;
}
