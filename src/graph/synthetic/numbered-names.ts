/** Zero-padded names: sorted as text they are in the order of their numbers. */
export function numberedNames(prefix: string, count: number, first: number): string[] {
  const width = Math.max(prefix === "n" ? 4 : 2, String(first + count - 1).length);
  return Array.from({ length: count }, (_, i) => prefix + String(first + i).padStart(width, "0"));
}
