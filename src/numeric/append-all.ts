/** Appends every item to a list. `list.push(...items)` overflows the stack at about 100,000 items. */
export function appendAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
