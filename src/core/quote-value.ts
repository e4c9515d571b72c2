/** Values from files in messages: quoted, and cut where they are long, since a field may hold megabytes. */

/** Characters of a value that a message shows. */
const MAX_SHOWN = 80;

/** The value in quotation marks, its end left out where it is long. */
export function quoteValue(value: unknown): string {
  return JSON.stringify(cutText(String(value), MAX_SHOWN));
}

/** The beginning of a text, with an ellipsis where more follows. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  // not in the middle of a character of two code units
  const end = /[\uD800-\uDBFF]/.test(text[most - 1]) ? most - 1 : most;
  return `${text.slice(0, end)}…`;
}
