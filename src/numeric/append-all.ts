/** Appends every item to a list. `list.push(...items)` fails beyond some 100,000 items: arguments live on the stack. */
export function appendAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
