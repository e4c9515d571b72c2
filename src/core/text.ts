/** Text of messages: values and names cut to a readable length, lists of names, words for a shell. */

/** Characters of a value that a message shows: a field of a file may hold megabytes. */
const MAX_SHOWN = 80;
/** Characters of a name in a list: enough for most paths. */
const MAX_NAME = 160;

/** The beginning of a text, with an ellipsis if more follows. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // not in the middle of a character of two code units
  const end = /[\uD800-\uDBFF]/.test(text[maxLength - 1]) ? maxLength - 1 : maxLength;
  return `${text.slice(0, end)}…`;
}

/** The value in quotation marks; a long value is cut. */
export function quoteValue(value: unknown): string {
  return JSON.stringify(cutText(String(value), MAX_SHOWN));
}

/** The first `count` names, and how many more there are. */
export function firstNames(names: readonly string[], count: number): string {
  const more = names.length - count;
  return (
    names
      .slice(0, count)
      .map((name) => cutText(name, MAX_NAME))
      .join(", ") + (more > 0 ? ` and ${more} more` : "")
  );
}

/** The first `count` names in quotation marks, and how many more there are; without `count` all names. */
export function quotedNames(names: readonly string[], count = names.length): string {
  return firstNames(
    names.map((name) => quoteValue(name)),
    count,
  );
}

/** The texts such as `a;b` or `a|b` that may be lists in one cell: one of their parts also occurs in another text. */
export function listCells(texts: readonly string[]): string[] {
  const partsOf = (text: string) => text.split(/\s*[;|]\s*/).filter((part) => part !== "");
  const counts = new Map<string, number>();
  for (const text of texts) for (const part of new Set(partsOf(text))) counts.set(part, (counts.get(part) ?? 0) + 1);
  return texts.filter((text) => partsOf(text).length > 1 && partsOf(text).some((part) => (counts.get(part) ?? 0) > 1));
}

/** The word as one argument of a POSIX shell. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** An SQL query as one argument of a POSIX shell: in double quotes if possible, because SQL itself uses single quotes. */
export function shellQuery(sql: string): string {
  return /["$`\\!]/.test(sql) ? shellWord(sql) : `"${sql}"`;
}

/** A string as an SQL literal. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
