/** Largest and smallest of many values. Spreading them into Math.max fails beyond some 100,000: arguments live on the stack. */

/** The largest value, or `least` where that is larger. */
export function largestOf(values: Iterable<number>, least = -Infinity): number {
  let largest = least;
  for (const value of values) largest = Math.max(largest, value);
  return largest;
}

/** The smallest value. */
export function smallestOf(values: Iterable<number>): number {
  let smallest = Infinity;
  for (const value of values) smallest = Math.min(smallest, value);
  return smallest;
}
