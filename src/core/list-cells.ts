/** Texts such as `a;b` or `a|b` that may be lists in one cell: one of their parts is, or is part of, another text. */
export function listCells(texts: readonly string[]): string[] {
  const partsOf = (text: string) => text.split(/\s*[;|]\s*/).filter((part) => part !== "");
  const counts = new Map<string, number>();
  for (const text of texts) for (const part of new Set(partsOf(text))) counts.set(part, (counts.get(part) ?? 0) + 1);
  return texts.filter((text) => partsOf(text).length > 1 && partsOf(text).some((part) => (counts.get(part) ?? 0) > 1));
}
