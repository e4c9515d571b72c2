/** Zero-padded names, so that their order is that of the numbers. */
export function numberedNames(prefix: string, count: number, first: number): string[] {
  const width = Math.max(prefix === "n" ? 4 : 2, String(first + count - 1).length);
  return Array.from({ length: count }, (_, i) => prefix + String(first + i).padStart(width, "0"));
}
